"""What a load of menus would change: the names and dates of an export compared with the live ones."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import chain
from typing import Any

from pymongo import collection
from pymongo.database import Database

from campus_api.db.connection import BUILDINGS, CATEGORIES, LOCATIONS, MENUS, RECIPES, read_record
from campus_api.domain.models import DatasetRecord, Facts, Hall
from campus_api.domain.text import fold
from loaders.documents.encode import Document, MenuDocuments
from loaders.documents.entities import EntityDocuments, LocationDocuments
from loaders.documents.menu_counts import count_menu, usual_counts, vanished_parts
from loaders.documents.serving import DiningLists, MenuRow
from loaders.errors import DataWarning
from loaders.profiles.thresholds import Thresholds
from loaders.publishing import checks
from loaders.publishing.checks import SafetyViolation
from loaders.publishing.diff import Id, batch_size, batches, fetch_by_id, meal_changes
from loaders.publishing.plan import Plan
from loaders.result import DiningRead

_NO_LISTS = DiningLists()
# Before the end of hours.
_WARNING_PERIOD = timedelta(days=14)
# Fewer new dates among live ones are not suspicious; of the live ones, eight weeks are the usual menus.
_MIN_DATES, _USUAL_DATES = 3, 56
_ENTITIES = {CATEGORIES: "category", LOCATIONS: "location", RECIPES: "recipe"}


@dataclass
class DiningPlan(Plan):
    """The names and dates of an export compared with the live ones.

    `item_counts` are the menu items before and after of the live dates in the export, `emptied_dates` those of them
    that lose all items, `smaller_dates` those that lose some, with the numbers before and after. `vanished` counts the
    dates that lose a hall, a meal or most categories, by name. `last_live_date` is the last date that has items.
    `new_dates` is their number, and `usual_counts` and `new_counts` what menus have on the live dates of the same
    weekdays, and on the new ones.
    """

    menus: MenuDocuments = field(default_factory=lambda: MenuDocuments(()))
    entities: dict[str, EntityDocuments] = field(default_factory=dict)
    item_counts: tuple[int, int] = (0, 0)
    emptied_dates: list[str] = field(default_factory=list)
    smaller_dates: list[tuple[str, int, int]] = field(default_factory=list)
    vanished: Counter[str] = field(default_factory=Counter)
    last_live_date: str = ""
    new_dates: int = 0
    usual_counts: Counter[str] = field(default_factory=Counter)
    new_counts: Counter[str] = field(default_factory=Counter)

    @property
    def live_counts(self) -> Mapping[str, int]:
        """Return the number of live documents by collection."""
        return self.current["counts"] if self.current else Counter()

    @property
    def last_date(self) -> str | None:
        return max(self.menus.open_dates, default=None)

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
        """Return a violation if too many menu items are lost, and one for each date that loses all."""
        return [*checks.lost_items(self.item_counts, thresholds), *checks.emptied_dates(self.emptied_dates)]

    def changed_content(self) -> list[SafetyViolation]:
        """Return violations for changes that renumbered, swapped or truncated exports cause."""
        return [
            *chain.from_iterable(checks.changed_values(name, self.differences[name]) for name in _ENTITIES),
            *chain.from_iterable(
                checks.new_ids(name, self.differences[name], self.live_counts[name]) for name in (CATEGORIES, LOCATIONS)
            ),
            *checks.shrunken_dates(self.smaller_dates),
            *checks.truncated_export(self.smaller_dates, self.last_date or "", self.last_live_date),
            *checks.vanished_meals(self.differences[MENUS], self.vanished),
            *checks.small_menus(self.new_dates, self.usual_counts, self.new_counts),
        ]

    def warnings(self) -> Iterable[DataWarning]:
        """Return what is suspicious, but too little for a guard."""
        if self.replaces_samples:
            return ()
        return checks.vanished_from_few_dates(self.differences[MENUS], self.vanished)

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
        _compare_new_dates(database[plan.current["collections"][MENUS]], plan)
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
    last = live.find_one({"items.0": {"$exists": True}}, ["_id"], sort=[("_id", -1)])
    plan.last_live_date = last["_id"] if last else ""
    names = location_names(database, current) | {
        id_: document["name"] for id_, document in plan.entities[LOCATIONS].items()
    }
    for dates in batches(target, batch_size(MENUS)):
        unchanged = _unchanged_dates(live, target, dates)
        plan.differences[MENUS].unchanged += len(unchanged)
        _count_items(plan, *[sum(map(target.item_count, unchanged))] * 2)
        changed = [day for day in dates if day not in unchanged]
        old = fetch_by_id(live, changed)
        for day in changed:
            _compare_date(plan, day, old.get(day), target[day], names)


def _compare_date(plan: DiningPlan, day: str, old: Document | None, new: Document, names: Mapping[int, str]) -> None:
    before, after = old["items"] if old else [], new["items"]
    if before:
        _count_items(plan, len(before), len(after))
    if before and not after:
        plan.emptied_dates.append(day)
    elif before:
        plan.vanished.update(vanished_parts(before, after, names))
    if len(after) < len(before):
        plan.smaller_dates.append((day, len(before), len(after)))
    plan.differences[MENUS].compare(day, old, new)
    plan.meal_changes += meal_changes(day, before, after, names)


def _compare_new_dates(live: collection.Collection, plan: DiningPlan) -> None:
    """Count the menus of the new dates, and the usual ones; one or two among live dates may be holidays."""
    days, with_items = plan.menus.open_dates, {"items.0": {"$exists": True}}
    known = {document["_id"] for document in live.find({"_id": {"$in": days}, **with_items}, ["_id"])}
    new = [day for day in days if day not in known]
    if not new or (known and len(new) < _MIN_DATES):
        return
    recent = list(live.find(with_items, sort=[("_id", -1)], limit=_USUAL_DATES))
    if len(recent) >= _MIN_DATES:
        plan.new_dates, plan.usual_counts = len(new), usual_counts(recent, new)
        plan.new_counts = sum((count_menu(plan.menus[day]["items"]) for day in new), Counter())


def _count_items(plan: DiningPlan, before: int, after: int) -> None:
    plan.item_counts = (plan.item_counts[0] + before, plan.item_counts[1] + after)


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


def ending_hours(halls: Mapping[int, Hall], today: date) -> Iterator[DataWarning]:
    """Yield the halls whose hours are over, or will be within two weeks."""
    for id_, hall in halls.items():
        for until in sorted({each.until for each in hall.hours}):
            field, end = f"halls.{id_}.hours_until", date.fromisoformat(until)
            if end < today:
                yield DataWarning(field, until, "is over: /dining/hours has no times of this hall")
            elif end - today <= _WARNING_PERIOD:
                yield DataWarning(field, until, "is at most two weeks ahead: enter the hours after that date")


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
