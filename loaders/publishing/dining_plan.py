"""What a load of menus would change: the names and dates of an export compared with the live ones."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import chain
from typing import Any

from pymongo import collection
from pymongo.database import Database

from campus_api.db.connection import BUILDINGS, CATEGORIES, LOCATIONS, MENUS, RECIPES, read_record
from campus_api.domain.models import DatasetRecord, Facts, Hall
from campus_api.domain.text import fold
from loaders.documents.encode import Document, MenuDocuments
from loaders.documents.entities import EntityDocuments, LocationDocuments
from loaders.documents.menu_counts import Items, Loss, compare_live_dates, compare_new_dates, sum_losses
from loaders.documents.serving import DiningLists, MenuRow
from loaders.errors import DataWarning
from loaders.profiles.thresholds import Thresholds
from loaders.publishing import checks
from loaders.publishing.checks import SafetyViolation
from loaders.publishing.diff import Id, batch_size, batches, fetch_by_id, meal_changes
from loaders.publishing.plan import Plan
from loaders.result import DiningRead

_NO_LISTS = DiningLists()
# Fewer new dates among live ones are not suspicious; of the live ones, eight weeks are the usual menus.
_MIN_DATES, _USUAL_DATES = 3, 56
_WITH_ITEMS = {"items.0": {"$exists": True}}
_ENTITIES = {CATEGORIES: "category", LOCATIONS: "location", RECIPES: "recipe"}


@dataclass
class DiningPlan(Plan):
    """The names and dates of an export compared with the live ones.

    `losses` are the menu items that it lacks, `former_losses` those compared with the previous revision if the live one
    was published in spite of its losses.
    """

    menus: MenuDocuments = field(default_factory=lambda: MenuDocuments(()))
    entities: dict[str, EntityDocuments] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)
    former_losses: list[Loss] = field(default_factory=list)

    @property
    def live_counts(self) -> Mapping[str, int]:
        """Return the number of live documents by collection."""
        return self.current["counts"] if self.current else Counter()

    @property
    def dates(self) -> list[str]:
        return self.menus.open_dates

    def checks(self, reading: DiningRead, thresholds: Thresholds, today: date) -> list[SafetyViolation]:
        """Return why the plan should not be published."""
        days = self.menus.open_dates
        gaps = checks.date_gaps(days, thresholds) if reading.lists.closed_days is None else []
        changed: list[SafetyViolation] = []
        if self.current and not self.replaces_samples:
            new_ids = checks.id_table_lost("name", reading, self.has_assigned_ids)
            changed = [*new_ids, *self.lost_data(thresholds), *self.changed_content()]
        implausible = checks.implausible_dates(days, today)
        return [*gaps, *implausible, *checks.contradicting_meals(reading), *changed]

    def lost_data(self, thresholds: Thresholds) -> list[SafetyViolation]:
        """Return the violations of the rule about menus, none if the export restores those of the previous revision."""
        violations = checks.lost_items(self.losses, thresholds)
        is_restored = self.former_losses and not checks.lost_items(self.former_losses, thresholds)
        return [] if is_restored else violations

    def changed_content(self) -> list[SafetyViolation]:
        """Return violations for changes that renumbered exports cause."""
        return [
            *chain.from_iterable(checks.changed_values(name, self.differences[name]) for name in _ENTITIES),
            *chain.from_iterable(
                checks.new_ids(name, self.differences[name], self.live_counts[name]) for name in (CATEGORIES, LOCATIONS)
            ),
        ]

    def documents(self, name: str, database: Database) -> Iterable[Mapping[str, Any]]:
        return (self.document(name, change.id) for change in self.differences[name].changes)

    def document(self, name: str, id_: Id) -> Document:
        """Return a document of the export."""
        return self.menus[str(id_)] if name == MENUS else self.entities[name][int(id_)]

    def copy_source(self, name: str) -> tuple[str, list[Id]] | None:
        if self.current is None:
            return None
        return self.current["collections"][name], [change.id for change in self.differences[name].changes]


def plan_dining(
    database: Database,
    rows: Iterable[MenuRow],
    max_gap_days: int = Thresholds.closed_days,
    lists: DiningLists = _NO_LISTS,
    today: date = date.min,
) -> DiningPlan:
    """Compare the names and dates of an export with the live ones; documents not in the export are left unchanged.

    A date without rows between two others of the export is a closed day, unless the gap is longer than `max_gap_days`,
    or the export lists its closed days. Recipes keep the allergens that they have on other live dates from `today` on.
    """
    menus = MenuDocuments(rows, max_gap_days, lists)
    entities = {name: EntityDocuments(menus.names(kind), _facts(name, lists)) for name, kind in _ENTITIES.items()}
    entities[LOCATIONS] = _locations(database, menus.names("location"), lists.halls)
    plan = DiningPlan.for_dataset(database, "dining", menus=menus, entities=entities)
    for name in _ENTITIES:
        _compare_entities(database, plan, name, _exported_dates(name, menus, lists), today.isoformat())
    if plan.current is None:
        for day in menus:
            plan.differences[MENUS].add("added", day)
    else:
        _compare_menus(database, plan, plan.current)
        _compare_losses(database, plan, plan.current)
    return plan


def location_names(database: Database, record: DatasetRecord) -> dict[int, str]:
    """Return the names of the locations of a revision by id."""
    locations = database[record["collections"][LOCATIONS]]
    return {document["_id"]: document["name"] for document in locations.find()}


def _locations(database: Database, names: Mapping[int, str], halls: Mapping[int, Hall]) -> LocationDocuments:
    """Return the locations of the export, and the live ones of which the profile has a hall."""
    record = read_record(database, "dining")
    absent = halls.keys() - names.keys()
    live = fetch_by_id(database[record["collections"][LOCATIONS]], absent) if record else {}
    return LocationDocuments({int(id_): document["name"] for id_, document in live.items()} | dict(names), halls)


def _facts(name: str, lists: DiningLists) -> Mapping[int, Facts]:
    return lists.facts if name == RECIPES else {}


def _exported_dates(name: str, menus: MenuDocuments, lists: DiningLists) -> dict[int, str]:
    """Return the last date of each entity in the export, that of its facts if no menu of it serves a recipe."""
    dates = {id_: facts.as_of or "" for id_, facts in _facts(name, lists).items()}
    return dates | menus.last_dates(_ENTITIES[name])


def _live_dates(database: Database, plan: DiningPlan, name: str, first: str) -> dict[int, str]:
    """Return the last live date, from the first one on, of each entity, without those that the export replaces."""
    if plan.current is None:
        return {}
    stages: list[Mapping[str, Any]] = [
        {"$match": {"_id": {"$gte": first, "$nin": list(plan.menus)}}},
        {"$unwind": "$items"},
        {"$group": {"_id": f"$items.{_ENTITIES[name]}", "last": {"$max": "$_id"}}},
    ]
    groups = database[plan.current["collections"][MENUS]].aggregate(stages)
    return {group["_id"]: group["last"] for group in groups}


def _compare_entities(
    database: Database, plan: DiningPlan, name: str, exported_dates: Mapping[int, str], today: str
) -> None:
    target = plan.entities[name]
    first = min([today, *(exported_dates.get(id_, "") for id_ in target)])
    live_dates = _live_dates(database, plan, name, first)
    for ids in batches(target, batch_size(name)):
        old = fetch_by_id(database[plan.current["collections"][name]], ids) if plan.current else {}
        for id_ in ids:
            if id_ in old:
                exported, live = exported_dates.get(id_, ""), live_dates.get(id_, "")
                is_newer = live > exported and not plan.replaces_samples
                both_served = min(exported, live) >= today
                target.merge_live(old[id_], is_newer=is_newer, both_served=both_served)
            plan.differences[name].compare(id_, old.get(id_), target[id_])


def _compare_menus(database: Database, plan: DiningPlan, current: DatasetRecord) -> None:
    live = database[current["collections"][MENUS]]
    target = plan.menus
    names = location_names(database, current) | {
        id_: document["name"] for id_, document in plan.entities[LOCATIONS].items()
    }
    for dates in batches(target, batch_size(MENUS)):
        unchanged = _unchanged_dates(live, target, dates)
        plan.differences[MENUS].unchanged += len(unchanged)
        changed = [day for day in dates if day not in unchanged]
        old = fetch_by_id(live, changed)
        for day in changed:
            _compare_date(plan, day, old.get(day), target[day], names)


def _compare_date(plan: DiningPlan, day: str, old: Document | None, new: Document, names: Mapping[int, str]) -> None:
    plan.differences[MENUS].compare(day, old, new)
    plan.meal_changes += meal_changes(day, old["items"] if old else [], new["items"], names)


def _compare_losses(database: Database, plan: DiningPlan, current: DatasetRecord) -> None:
    """Compare the menus with the live ones and, if these were published in spite of losses, with those before them."""
    if plan.replaces_samples or plan.differences[MENUS].is_empty:
        return
    plan.losses = _losses(database, plan.menus, current)
    if "lost_items" in current and current["lost_items"]["revision"] == current["revision"]:
        plan.former_losses = _losses(database, plan.menus, current["previous"])


def _losses(database: Database, menus: MenuDocuments, record: DatasetRecord) -> list[Loss]:
    """Return what an export loses of the menus of a revision; one or two new dates among live ones may be holidays."""
    live = database[record["collections"][MENUS]]
    known = {each["_id"] for each in live.find({"_id": {"$in": list(menus)}, **_WITH_ITEMS}, ["_id"])}
    new = [day for day in menus.open_dates if day not in known]
    last = max(menus.open_dates, default="")
    cut_date = last if live.find_one({"_id": {"$gt": last}, **_WITH_ITEMS}, ["_id"]) else None
    losses = sum_losses(
        compare_live_dates(menus, _read_items(live, sorted(known)), location_names(database, record), cut_date)
    )
    if len(new) >= _MIN_DATES or not known:
        recent = live.find(_WITH_ITEMS, sort=[("_id", -1)], limit=_USUAL_DATES)
        since = record["lost_items"]["since"] if "lost_items" in record else ""
        losses += sum_losses(compare_new_dates(menus, new, recent, since))
    return losses


def _read_items(live: collection.Collection, days: list[str]) -> Iterator[tuple[str, Items]]:
    for batch in batches(days, batch_size(MENUS)):
        for document in live.find({"_id": {"$in": batch}}):
            yield document["_id"], document["items"]


def _unchanged_dates(live: collection.Collection, target: MenuDocuments, dates: list[str]) -> set[str]:
    stored = live.find({"_id": {"$in": dates}}, ["digest"])
    return {day["_id"] for day in stored if day.get("digest") == target.digest(day["_id"])}


def missing_references(database: Database, halls: Mapping[int, Hall], served: set[int]) -> Iterator[DataWarning]:
    """Yield the halls of no location, and those of no live building; `served` are the locations of the export."""
    named = {hall.building for hall in halls.values() if hall.building is not None}
    buildings = _live_ids(database, "buildings", BUILDINGS, named)
    locations = served | _live_ids(database, "dining", LOCATIONS, halls.keys() - served)
    for id_, hall in halls.items():
        if id_ not in locations:
            yield DataWarning(f"halls.{id_}", None, "is no location of the export, nor a loaded one")
        if hall.building is not None and hall.building not in buildings:
            yield DataWarning(f"halls.{id_}.building", hall.building, "is not loaded: the hall has no place on maps")


def buildings_by_name(database: Database, names: Collection[str]) -> dict[str, int]:
    """Return the ids of live buildings by name, for those of these names that one building alone has."""
    record = read_record(database, "buildings")
    folded = {fold(name): name for name in names}
    if record is None or not folded:
        return {}
    query = {"search.name": {"$in": list(folded)}}
    ids: dict[str, list[int]] = {}
    for document in database[record["collections"][BUILDINGS]].find(query, {"search.name": 1}):
        ids.setdefault(folded[document["search"]["name"]], []).append(document["_id"])
    return {name: each[0] for name, each in ids.items() if len(each) == 1}


def _live_ids(database: Database, dataset: str, collection: str, ids: set[int]) -> set[int]:
    record = read_record(database, dataset)
    return {int(id_) for id_ in fetch_by_id(database[record["collections"][collection]], ids)} if record else set()
