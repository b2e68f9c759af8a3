"""What a load would change: an export, or what an undo brings back, compared with what is live."""

from collections import ChainMap
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pymongo.collection import Collection as MongoCollection
from pymongo.database import Database

from campus_api.database import CATEGORIES, DATASETS, LOCATIONS, MENUS, RECIPES, REPLACED
from campus_api.models import Building
from loaders.documents import encode
from loaders.documents.serving import MenuRow
from loaders.documents.spool import Spool, spool_of
from loaders.profiles.thresholds import BoundingBox, Thresholds
from loaders.publishing.batches import BATCHES, batches, by_id
from loaders.publishing.diff import Difference, Document, Id, MealChange, meal_changes

NAMES = (CATEGORIES, LOCATIONS, RECIPES)
DINING = (*NAMES, MENUS)

_BUILDINGS = "buildings"
Wanted = Mapping[Id, Document | None]


@dataclass
class Plan:
    """A load that was compared and not yet written.

    `live` is the record of the live data set, None before the first load. `wanted` holds, of each collection, the
    documents as they shall be: all of the buildings; of dining those that the load speaks of by id, None for what
    shall not be. `differences` tell what changes against the live revision, `writes` against what stands in the
    database, some of which a load that died may have changed. `meals` tell what changes of dates that are live,
    `items` are the menu items before and after of the dates that had some, `emptied` those of these dates that will
    have none, `area` is where the live buildings are, and `undoes` the revision that the plan takes back.
    """

    dataset: str
    live: Mapping[str, Any] | None
    wanted: dict[str, Any]
    differences: dict[str, Difference]
    writes: dict[str, Difference]
    meals: list[MealChange] = field(default_factory=list)
    items: tuple[int, int] = (0, 0)
    emptied: list[str] = field(default_factory=list)
    area: BoundingBox | None = None
    undoes: int | None = None

    @property
    def live_revision(self) -> int | None:
        """Return the number of the revision that is live."""
        return self.live["revision"] if self.live else None

    @property
    def revision(self) -> int:
        """Return the number of the revision that this load makes."""
        return (self.live_revision or 0) + 1

    @property
    def changes_nothing(self) -> bool:
        """Tell whether all that the export says is live."""
        return all(part.changes_nothing for part in self.differences.values())


def plan_buildings(database: Database, buildings: Iterable[Building]) -> Plan:
    """Compare all buildings with those that are live; what the export does not have is removed."""
    return compare_buildings(database, buildings if isinstance(buildings, Spool) else spool_of(buildings))


def compare_buildings(database: Database, wanted: encode.AllBuildings) -> Plan:
    """Compare the documents of all buildings, with their digests, with those that are live."""
    plan = _plan(database, _BUILDINGS, {_BUILDINGS: wanted})
    difference = plan.differences[_BUILDINGS]
    if plan.live is None:
        difference.added = len(wanted)
        return plan
    live, digests = database[plan.live["collection"]], dict(wanted.digests)
    removed = []
    for document in live.find({}, ["digest"]):
        digest = digests.get(document["_id"])
        if digest is None:
            removed.append(document["_id"])
        elif digest == document.get("digest"):
            difference.unchanged += 1
            del digests[document["_id"]]
    if digests:
        _compare_changed(live, wanted, digests, difference)
    for ids in batches(sorted(removed)):
        for id_, document in by_id(live, ids).items():
            difference.add("removed", id_, document["name"])
    plan.area = _area(live)
    return plan


def plan_dining(database: Database, servings: Iterable[MenuRow], longest_gap: int = Thresholds.max_gap_days) -> Plan:
    """Compare the names and the days of an export with what is live; nothing that it does not speak of changes.

    A date between others of the export that it does not have is a closed day, without items, unless the gap is
    longer than `longest_gap` days.
    """
    menus = encode.Menus(servings, longest_gap)
    kinds = {CATEGORIES: "category", LOCATIONS: "location", RECIPES: "recipe"}
    return compare_dining(database, {name: menus.names(kind) for name, kind in kinds.items()} | {MENUS: menus})


def compare_dining(database: Database, wanted: dict[str, Wanted]) -> Plan:
    """Compare documents of dining with those that are live.

    What a load that died has changed already, and this one does not speak of, shall be as it was before.
    """
    plan = _plan(database, "dining", wanted)
    plan.writes = {collection: Difference() for collection in wanted}
    left_over = _left_over(database, plan.revision)
    for collection, before in left_over.items():
        wanted[collection] = ChainMap(wanted[collection], before)
    for collection in NAMES:
        before = left_over.get(collection, {})
        for ids in batches(wanted[collection]):
            old = by_id(database[collection], ids)
            for id_ in ids:
                new = wanted[collection][id_]
                plan.writes[collection].compare(id_, old.get(id_), new)
                plan.differences[collection].compare(id_, before.get(id_, old.get(id_)), new)
    _compare_menus(database, plan, left_over.get(MENUS, {}))
    return plan


def _plan(database: Database, dataset: str, wanted: dict[str, Any]) -> Plan:
    differences = {collection: Difference() for collection in wanted}
    return Plan(dataset, database[DATASETS].find_one({"_id": dataset}), wanted, differences, differences)


def _compare_changed(
    live: MongoCollection, wanted: encode.AllBuildings, changed: Container[int], difference: Difference
) -> None:
    for batch in batches(document for document in wanted.documents if document["_id"] in changed):
        new = {document["_id"]: document for document in batch}
        old = by_id(live, new)
        for id_ in sorted(new):
            difference.compare(id_, old.get(id_), new[id_])


def _compare_menus(database: Database, plan: Plan, left_over: Wanted) -> None:
    wanted, difference, writes = plan.wanted[MENUS], plan.differences[MENUS], plan.writes[MENUS]
    locations = {document["_id"]: document["name"] for document in database[LOCATIONS].find()}
    locations |= {id_: document["name"] for id_, document in plan.wanted[LOCATIONS].items() if document}
    before = after = 0
    for dates in batches(wanted, BATCHES[MENUS]):
        same = _same_days(database, wanted, dates) if isinstance(wanted, encode.Menus) else {}
        difference.unchanged, writes.unchanged = (part.unchanged + len(same) for part in (difference, writes))
        before, after = before + sum(same.values()), after + sum(same.values())
        dates = [date for date in dates if date not in same]
        days = by_id(database[MENUS], dates)
        for date in dates:
            if plan.live is None and date not in days and date not in left_over:
                difference.add("added", date)
                writes.add("added", date)
                continue
            new = wanted[date]
            writes.compare(date, days.get(date), new)
            # What a load that died has made of a date is not live.
            old = left_over.get(date, days.get(date))
            items, kept = (old or {}).get("items", []), (new or {}).get("items", [])
            before, after = before + len(items), after + len(kept) * bool(items)
            if items and not kept:
                plan.emptied.append(date)
            if difference.compare(date, old, new):
                plan.meals += meal_changes(date, items, kept, locations)
    plan.items = (before, after)


def _same_days(database: Database, wanted: encode.Menus, dates: list[str]) -> dict[str, int]:
    """Return the dates whose documents are as they shall be, and how many items each has."""
    stored = database[MENUS].find({"_id": {"$in": dates}}, ["digest"])
    return {day["_id"]: wanted.count(day["_id"]) for day in stored if day.get("digest") == wanted.digest(day["_id"])}


def _left_over(database: Database, revision: int) -> dict[str, dict[Id, Document | None]]:
    """Return by collection and id what a load that died has replaced on its way to a revision."""
    found: dict[str, dict[Id, Document | None]] = {}
    for document in database[REPLACED].find({"revision": revision}):
        found.setdefault(document["collection"], {})[document["id"]] = document["document"]
    return found


def _area(live: MongoCollection) -> BoundingBox | None:
    """Return south, west, north and east of the points of the live buildings; None when there are none."""
    latitude, longitude = ({"$arrayElemAt": ["$point", axis]} for axis in (0, 1))
    edges = {"south": {"$min": latitude}, "west": {"$min": longitude}}
    edges |= {"north": {"$max": latitude}, "east": {"$max": longitude}}
    for found in live.aggregate([{"$group": {"_id": None, **edges}}]):
        return found["south"], found["west"], found["north"], found["east"]
    return None
