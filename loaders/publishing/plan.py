"""What a load would change: the records of an export compared with the live data."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from pymongo.collection import Collection
from pymongo.database import Database

from campus_api.db.connection import (
    BUILDINGS,
    CATEGORIES,
    COLLECTIONS,
    LOCATIONS,
    MENUS,
    RECIPES,
    read_record,
)
from campus_api.domain.models import Building, DatasetRecord, Facts, meal_name
from loaders.documents.encode import Document, MenuDocuments
from loaders.documents.entities import EntityDocuments
from loaders.documents.serving import DiningLists, MenuRow
from loaders.documents.spool import BuildingSpool, spool_buildings
from loaders.profiles.thresholds import BoundingBox, Thresholds
from loaders.publishing.batches import batch_size, batches, fetch_by_id
from loaders.publishing.diff import CollectionDiff, Id, MealChange, Move, meal_changes

_NO_LISTS = DiningLists()
_ENTITIES = {CATEGORIES: "category", LOCATIONS: "location", RECIPES: "recipe"}


@dataclass
class Plan:
    """A load that has been compared with the live data and not been written.

    `current` is the record of the live data set, None before the first load. `target` has the documents of the export
    by collection: a BuildingSpool of all buildings; mappings of the menus and names in the export by id. `restores` is
    the record that an undo makes live again; it has no `target`. `item_counts` are the menu items before and after of
    the live dates in the export, `emptied_dates` those of them that lose all items, `smaller_dates` those that lose
    some, with the numbers before and after. `vanished` counts the dates that lose a hall or a meal, by its name.
    `recipes_with_allergens` counts those in the export that have allergens live. `moves` are the buildings whose point
    changes, `area` is the bounding box of the live buildings, `last_live_date` the last date that has items.
    `swapped_numbers` are two collections that most of their new ids would have exchanged, with those of the first.
    """

    dataset: str
    current: DatasetRecord | None
    target: dict[str, Any]
    differences: dict[str, CollectionDiff]
    meal_changes: list[MealChange] = field(default_factory=list)
    recipes_with_allergens: int = 0
    moves: list[Move] = field(default_factory=list)
    item_counts: tuple[int, int] = (0, 0)
    emptied_dates: list[str] = field(default_factory=list)
    smaller_dates: list[tuple[str, int, int]] = field(default_factory=list)
    vanished: Counter[str] = field(default_factory=Counter)
    area: BoundingBox | None = None
    last_live_date: str = ""
    swapped_numbers: list[tuple[str, str, list[Id]]] = field(default_factory=list)
    restores: DatasetRecord | None = None

    @property
    def current_revision(self) -> int | None:
        """Return the number of the live revision."""
        return self.current["revision"] if self.current else None

    @property
    def revision(self) -> int:
        """Return the number of the next revision, unless a killed load has used it."""
        return (self.current_revision or 0) + 1

    @property
    def reverts(self) -> int | None:
        """Return the number of the revision that an undo reverts."""
        return self.current_revision if self.restores else None

    @property
    def is_empty(self) -> bool:
        """Return whether all documents are live already."""
        return self.current is not None and all(diff.is_empty for diff in self.differences.values())


def plan_buildings(database: Database, buildings: Iterable[Building]) -> Plan:
    """Compare all buildings with the live ones; buildings that are not in the export are removed."""
    target = buildings if isinstance(buildings, BuildingSpool) else spool_buildings(buildings)
    plan = empty_plan(database, "buildings", {BUILDINGS: target})
    if plan.current is None:
        plan.differences[BUILDINGS].added = len(target)
    else:
        live = database[plan.current["collections"][BUILDINGS]]
        _compare_buildings(live, target, plan)
        plan.area = _bounding_box(live)
    return plan


def plan_dining(
    database: Database,
    rows: Iterable[MenuRow],
    max_gap_days: int = Thresholds.max_gap_days,
    lists: DiningLists = _NO_LISTS,
) -> Plan:
    """Compare the names and dates of an export with the live ones; documents not in the export are left unchanged.

    A date without rows between two others of the export is a closed day, unless the gap is longer than `max_gap_days`,
    or the export lists its closed days.
    """
    menus = MenuDocuments(rows, max_gap_days, lists)
    target = {name: EntityDocuments(menus.names(kind), _facts(name, lists)) for name, kind in _ENTITIES.items()}
    plan = empty_plan(database, "dining", {**target, MENUS: menus})
    for name in _ENTITIES:
        _compare_entities(database, plan, name)
    if plan.current is None:
        for date in menus:
            plan.differences[MENUS].add("added", date)
    else:
        _compare_menus(database, plan, plan.current)
        plan.swapped_numbers = list(_swapped_numbers(database, plan, plan.current))
    return plan


def empty_plan(database: Database, dataset: str, target: dict[str, Any]) -> Plan:
    """Return a plan for a data set without differences."""
    differences = {name: CollectionDiff() for name in COLLECTIONS[dataset]}
    return Plan(dataset, read_record(database, dataset), target, differences)


def location_names(database: Database, record: DatasetRecord) -> dict[int, str]:
    """Return the names of the locations of a revision by id."""
    locations = database[record["collections"][LOCATIONS]]
    return {document["_id"]: document["name"] for document in locations.find()}


def _compare_buildings(live: Collection, target: BuildingSpool, plan: Plan) -> None:
    diff = plan.differences[BUILDINGS]
    digests = dict(target.digests)
    removed = []
    for document in live.find({}, ["digest"]):
        digest = digests.get(document["_id"])
        if digest is None:
            removed.append(document["_id"])
        elif digest == document.get("digest"):
            diff.unchanged += 1
            del digests[document["_id"]]
    if digests:
        _compare_changed(live, target, digests, plan)
    for ids in batches(sorted(removed)):
        for id_, document in fetch_by_id(live, ids).items():
            diff.add("removed", id_, document["name"])


def _compare_changed(live: Collection, target: BuildingSpool, changed: Container[int], plan: Plan) -> None:
    for batch in batches(document for document in target.documents if document["_id"] in changed):
        new = {document["_id"]: document for document in batch}
        old = fetch_by_id(live, new)
        for id_ in sorted(new):
            plan.differences[BUILDINGS].compare(id_, old.get(id_), new[id_])
            if id_ in old and old[id_]["point"] != new[id_]["point"]:
                plan.moves.append(Move(id_, new[id_]["name"], tuple(old[id_]["point"]), tuple(new[id_]["point"])))


def _facts(name: str, lists: DiningLists) -> Mapping[int, Facts]:
    return lists.facts if name == RECIPES else {}


def _compare_entities(database: Database, plan: Plan, name: str) -> None:
    target: EntityDocuments = plan.target[name]
    for ids in batches(target, batch_size(name)):
        old = fetch_by_id(database[plan.current["collections"][name]], ids) if plan.current else {}
        for id_ in ids:
            if id_ in old:
                target.keep_facts(old[id_])
                plan.recipes_with_allergens += bool(old[id_].get("facts", {}).get("allergens"))
            plan.differences[name].compare(id_, old.get(id_), target[id_])


def _swapped_numbers(database: Database, plan: Plan, current: DatasetRecord) -> Iterator[tuple[str, str, list[Id]]]:
    """Yield pairs of collections whose new ids are live in the other one, as of swapped columns."""

    def ids_of_other(name: str, other: str) -> list[Id]:
        added = [change.id for change in plan.differences[name].changes if change.action == "added"]
        if len(added) <= len(plan.target[name]) / 2:
            return []
        live = database[current["collections"][other]]
        return [id_ for ids in batches(added) for id_ in sorted(fetch_by_id(live, ids))]

    for one, other in combinations(_ENTITIES, 2):
        ids, ids_back = ids_of_other(one, other), ids_of_other(other, one)
        if len(ids) > len(plan.target[one]) / 2 and len(ids_back) > len(plan.target[other]) / 2:
            yield one, other, ids


def _compare_menus(database: Database, plan: Plan, current: DatasetRecord) -> None:
    live = database[current["collections"][MENUS]]
    target: MenuDocuments = plan.target[MENUS]
    last = live.find_one({"items.0": {"$exists": True}}, ["_id"], sort=[("_id", -1)])
    plan.last_live_date = last["_id"] if last else ""
    names = location_names(database, current) | {
        id_: document["name"] for id_, document in plan.target[LOCATIONS].items()
    }
    for dates in batches(target, batch_size(MENUS)):
        unchanged = _unchanged_dates(live, target, dates)
        plan.differences[MENUS].unchanged += len(unchanged)
        _count_items(plan, *[sum(map(target.item_count, unchanged))] * 2)
        changed = [date for date in dates if date not in unchanged]
        old = fetch_by_id(live, changed)
        for date in changed:
            _compare_date(plan, date, old.get(date), target[date], names)


def _compare_date(plan: Plan, date: str, old: Document | None, new: Document, names: Mapping[int, str]) -> None:
    before, after = old["items"] if old else [], new["items"]
    if before:
        _count_items(plan, len(before), len(after))
    if before and not after:
        plan.emptied_dates.append(date)
    elif len(after) < len(before):
        plan.smaller_dates.append((date, len(before), len(after)))
        plan.vanished.update(_halls_and_meals(before, names) - _halls_and_meals(after, names))
    plan.differences[MENUS].compare(date, old, new)
    plan.meal_changes += meal_changes(date, before, after, names)


def _halls_and_meals(items: Iterable[Document], names: Mapping[int, str]) -> set[str]:
    """Return the names of the halls and of the meals."""
    halls = {names.get(item["location"], f"location {item['location']}") for item in items}
    return halls | {meal_name(item["meal"]) for item in items}


def _count_items(plan: Plan, before: int, after: int) -> None:
    plan.item_counts = (plan.item_counts[0] + before, plan.item_counts[1] + after)


def _unchanged_dates(live: Collection, target: MenuDocuments, dates: list[str]) -> set[str]:
    stored = live.find({"_id": {"$in": dates}}, ["digest"])
    return {day["_id"] for day in stored if day.get("digest") == target.digest(day["_id"])}


def _bounding_box(live: Collection) -> BoundingBox | None:
    """Return (south, west, north, east) of the points of the live buildings; None if there are none."""
    latitude, longitude = ({"$arrayElemAt": ["$point", axis]} for axis in (0, 1))
    edges = {"south": {"$min": latitude}, "west": {"$min": longitude}}
    edges |= {"north": {"$max": latitude}, "east": {"$max": longitude}}
    for group in live.aggregate([{"$group": {"_id": None, **edges}}]):
        return group["south"], group["west"], group["north"], group["east"]
    return None
