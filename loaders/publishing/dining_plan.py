"""What a load of menus would change: the names and dates of an export compared with the live ones."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import chain
from typing import Any, NamedTuple

from pymongo.collection import Collection
from pymongo.database import Database

from campus_api.db.connection import BUILDINGS, CATEGORIES, LOCATIONS, MENUS, RECIPES, read_dataset
from campus_api.domain.models import DatasetDocument, Facts, decode_facts
from campus_api.domain.text import fold
from loaders.documents.encode import Document, MenuDocuments
from loaders.documents.entities import EntityDocuments, LocationDocuments
from loaders.documents.evidence import Evidence, find_evidence, with_denied
from loaders.documents.menu_counts import Loss, compare_live_dates, compare_new_dates, sum_losses
from loaders.documents.serving import DiningLists, MenuRow
from loaders.errors import DataWarning
from loaders.profiles.thresholds import Thresholds
from loaders.publishing import checks
from loaders.publishing.checks import SafetyViolation
from loaders.publishing.diff import CollectionDiff, Id, MealChange, batch_size, batches, fetch_by_id, meal_changes
from loaders.publishing.plan import Plan
from loaders.result import DiningRead

_NO_LISTS = DiningLists()
# Fewer new dates among live ones are not suspicious; of the live ones, eight weeks are the usual menus.
_MIN_DATES, _USUAL_DATES = 3, 56
_WITH_ITEMS = {"items.0": {"$exists": True}}
_LISTINGS = ["facts.listings", "facts.contains", "facts.without"]
_ENTITIES = {CATEGORIES: "category", LOCATIONS: "location", RECIPES: "recipe"}


@dataclass(kw_only=True)
class DiningPlan(Plan):
    """The names and dates of an export compared with the live ones.

    `evidence` has the words that its recipes list, and those of the live dates from today on that stay. `losses` are
    the menu items that it lacks of those that are live and, if these were published although they lacked items, of
    those before them.
    """

    menus: MenuDocuments
    entities: Mapping[str, EntityDocuments] = field(default_factory=dict)
    evidence: Evidence = field(default_factory=dict)
    losses: Sequence[Sequence[Loss]] = ()

    @property
    def dates(self) -> list[str]:
        return self.menus.open_dates

    def checks(self, reading: DiningRead, thresholds: Thresholds, today: date) -> list[SafetyViolation]:
        """Return why the plan should not be published."""
        gaps = checks.date_gaps(self.dates, thresholds) if reading.lists.closed_days is None else []
        implausible = checks.implausible_dates(self.dates, today)
        violations = [*gaps, *implausible, *checks.contradicting_meals(reading)]
        if self.current is None or self.replaces_samples:
            return violations
        new_ids = checks.id_table_lost("name", reading, self.assigned_ids)
        reused = [] if reading.restored_ids else checks.reused_ids(reading.provider_ids, self.assigned_ids)
        return [*violations, *new_ids, *reused, *self.check_changes(thresholds)]

    def check_changes(self, thresholds: Thresholds) -> list[SafetyViolation]:
        """Return violations for lost items, unless the export restores what an override has lost, and renumbering."""
        losses = [checks.lost_items(each, thresholds) for each in self.losses]
        counts = self.current["counts"] if self.current else Counter()
        changed = [checks.changed_values(name, self.differences[name]) for name in _ENTITIES]
        new = [checks.new_ids(name, self.differences[name], counts[name]) for name in (CATEGORIES, LOCATIONS)]
        return [*(losses[0] if losses and all(losses) else ()), *chain(*changed, *new)]

    def documents(self, name: str) -> Iterable[Mapping[str, Any]]:
        exported: Mapping[Any, Document] = self.menus if name == MENUS else self.entities[name]
        return (exported[change.id] for change in self.differences[name].changes)

    def live_to_copy(self, name: str) -> tuple[str, list[Id]] | None:
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
    plan = DiningPlan.for_dataset(database, "dining", menus=menus)
    live = _collections(database, plan.current)
    plan.entities = _entities(live, menus, lists)
    dates = {name: _last_dates(live, plan, name, lists, today) for name in _ENTITIES}
    plan.evidence = _find_evidence(live, plan, lists, dates[RECIPES])
    plan.entities[RECIPES].evidence = plan.evidence
    for name in _ENTITIES:
        plan.differences[name] = _compare_entities(live, plan, name, dates[name])
    if plan.current is None:
        for day in menus:
            plan.differences[MENUS].add("added", day)
    else:
        _compare_denied(live[RECIPES], plan)
        exported = {id_: document["name"] for id_, document in plan.entities[LOCATIONS].items()}
        names = location_names(live[LOCATIONS]) | exported
        plan.differences[MENUS], plan.meal_changes = _compare_menus(live[MENUS], menus, names)
        if not (plan.replaces_samples or plan.differences[MENUS].is_empty):
            plan.losses = _compare_losses(database, menus, plan.current)
    return plan


def location_names(locations: Collection) -> dict[int, str]:
    """Return the names of the locations of a revision by id."""
    return {document["_id"]: document["name"] for document in locations.find()}


def _collections(database: Database, dataset: DatasetDocument | None) -> dict[str, Collection]:
    return {name: database[collection] for name, collection in dataset["collections"].items()} if dataset else {}


def _entities(live: Mapping[str, Collection], menus: MenuDocuments, lists: DiningLists) -> dict[str, EntityDocuments]:
    """Return the categories and recipes of the export, and its locations with the live ones that it describes."""
    locations = menus.names("location")
    described = fetch_by_id(live[LOCATIONS], lists.details().keys() - locations.keys()) if live else {}
    locations |= {int(id_): document["name"] for id_, document in described.items()}
    return {
        CATEGORIES: EntityDocuments(menus.names("category"), {}),
        LOCATIONS: LocationDocuments(locations, lists),
        RECIPES: EntityDocuments(menus.names("recipe"), lists.facts),
    }


class _LastDates(NamedTuple):
    """The last dates of each entity in the rows of an export, in these or its facts, and in live menus that stay."""

    served: Mapping[int, str]
    exported: Mapping[int, str]
    live: Mapping[int, str]
    today: str


def _last_dates(
    live: Mapping[str, Collection], plan: DiningPlan, name: str, lists: DiningLists, today: date
) -> _LastDates:
    """Return the last dates of each entity; of a recipe that no menu of the export serves, that of its facts."""
    facts = lists.facts if name == RECIPES else {}
    served = plan.menus.last_dates(_ENTITIES[name])
    exported = {id_: each.as_of or "" for id_, each in facts.items()} | served
    first = min([today.isoformat(), *(exported.get(id_, "") for id_ in plan.entities[name])])
    stages: list[Mapping[str, Any]] = [
        {"$match": {"_id": {"$gte": first, "$nin": list(plan.menus)}}},
        {"$unwind": "$items"},
        {"$group": {"_id": f"$items.{_ENTITIES[name]}", "last": {"$max": "$_id"}}},
    ]
    groups = live[MENUS].aggregate(stages) if live else ()
    return _LastDates(served, exported, {group["_id"]: group["last"] for group in groups}, today.isoformat())


def _compare_entities(live: Mapping[str, Collection], plan: DiningPlan, name: str, dates: _LastDates) -> CollectionDiff:
    """Merge the live documents into those of the export, and return what differs from the live ones."""
    diff, exported = CollectionDiff(), plan.entities[name]
    for ids in batches(exported, batch_size(name)):
        stored = fetch_by_id(live[name], ids) if live else {}
        for id_ in ids:
            if id_ in stored:
                last, live_last = dates.exported.get(id_, ""), dates.live.get(id_, "")
                is_newer = live_last > last and not plan.replaces_samples
                exported.merge_live(stored[id_], is_newer=is_newer, both_served=min(last, live_last) >= dates.today)
            diff.compare(id_, stored.get(id_), exported[id_])
    return diff


def _find_evidence(live: Mapping[str, Collection], plan: DiningPlan, lists: DiningLists, dates: _LastDates) -> Evidence:
    """Return what recipes list which the export serves, or live dates from today on that stay."""
    facts = [each for id_, each in lists.facts.items() if id_ in dates.served]
    if live and not plan.replaces_samples:
        ids = [id_ for id_, last in dates.live.items() if last >= dates.today]
        facts += _read_listings(live[RECIPES], ids).values()
    return find_evidence(facts)


def _read_listings(recipes: Collection, ids: Iterable[int]) -> dict[int, Facts]:
    """Return by id what decides which words live recipes deny, of those that have listings."""
    query = {"_id": {"$in": list(ids)}, "facts.listings.0": {"$exists": True}}
    return {each["_id"]: decode_facts(each["facts"]) for each in recipes.find(query, _LISTINGS)}


def _compare_denied(live: Collection, plan: DiningPlan) -> None:
    """Add the recipes that the export lacks, and whose denied words the evidence changes."""
    recipes = plan.entities[RECIPES]
    others = [each["_id"] for each in live.find({}, ["_id"]) if each["_id"] not in recipes]
    for ids in batches(others, batch_size(RECIPES)):
        listings = _read_listings(live, ids)
        changed = [id_ for id_, facts in listings.items() if with_denied(facts, plan.evidence) != facts]
        for document in fetch_by_id(live, changed).values():
            recipes.merge_live(document, is_newer=True, both_served=False)
            plan.differences[RECIPES].add("changed", document["_id"], document["name"], {"without": (None, None)})


def _compare_menus(
    live: Collection, menus: MenuDocuments, names: Mapping[int, str]
) -> tuple[CollectionDiff, list[MealChange]]:
    """Return the changed dates, and the changed meals of these; `names` are those of the locations."""
    diff, meals = CollectionDiff(), []
    for days in batches(menus, batch_size(MENUS)):
        digests = live.find({"_id": {"$in": days}}, ["digest"])
        unchanged = {each["_id"] for each in digests if each.get("digest") == menus.digest(each["_id"])}
        diff.unchanged += len(unchanged)
        changed = [day for day in days if day not in unchanged]
        stored = fetch_by_id(live, changed)
        for day in changed:
            before, after = stored.get(day), menus[day]
            diff.compare(day, before, after)
            meals += meal_changes(day, before["items"] if before else [], after["items"], names)
    return diff, meals


def _compare_losses(database: Database, menus: MenuDocuments, current: DatasetDocument) -> list[list[Loss]]:
    """Compare the menus with the live ones and, if these were published in spite of losses, with those before them."""
    losses = [_losses(database, menus, current)]
    if "lost_items" in current and current["lost_items"]["revision"] == current["revision"]:
        # Nothing can be restored of a revision whose collections were dropped.
        losses += filter(None, [_losses(database, menus, current["previous"])])
    return losses


def _losses(database: Database, menus: MenuDocuments, dataset: DatasetDocument) -> list[Loss]:
    """Return what an export loses of the menus of a revision; one or two new dates among live ones may be holidays."""
    collections = _collections(database, dataset)
    live, names = collections[MENUS], location_names(collections[LOCATIONS])
    known = {each["_id"] for each in live.find({"_id": {"$in": list(menus)}, **_WITH_ITEMS}, ["_id"])}
    new = [day for day in menus.open_dates if day not in known]
    last = max(menus.open_dates, default="")
    cut_date = last if live.find_one({"_id": {"$gt": last}, **_WITH_ITEMS}, ["_id"]) else None
    stored = live.find({"_id": {"$in": list(known)}}, sort=[("_id", 1)])
    losses = sum_losses(compare_live_dates(menus, stored, names, cut_date))
    if len(new) >= _MIN_DATES or not known:
        recent = live.find(_WITH_ITEMS, sort=[("_id", -1)], limit=_USUAL_DATES)
        since = dataset["lost_items"]["since"] if "lost_items" in dataset else ""
        losses += sum_losses(compare_new_dates(menus, new, recent, since))
    return losses


def missing_references(database: Database, lists: DiningLists, served: set[int]) -> Iterator[DataWarning]:
    """Yield the halls of no location, and those of no live building; `served` are the locations of the export."""
    details = lists.details()
    named = {each.building for each in details.values() if each.building is not None}
    buildings = _live_ids(database, "buildings", BUILDINGS, named)
    locations = served | _live_ids(database, "dining", LOCATIONS, details.keys() - served)
    for id_, each in details.items():
        if id_ not in locations:
            yield DataWarning(f"halls.{id_}", None, "is no location of the export, nor a loaded one")
        if each.building is not None and each.building not in buildings:
            yield DataWarning(f"halls.{id_}.building", each.building, "is not loaded: the hall has no place on maps")


def buildings_by_name(database: Database, names: Iterable[str]) -> dict[str, int]:
    """Return the ids of live buildings by name, for those of these names that one building alone has."""
    live = read_dataset(database, "buildings")
    folded = {fold(name): name for name in names}
    if live is None or not folded:
        return {}
    query = {"search.name": {"$in": list(folded)}}
    ids: dict[str, list[int]] = {}
    for document in database[live["collections"][BUILDINGS]].find(query, {"search.name": 1}):
        ids.setdefault(folded[document["search"]["name"]], []).append(document["_id"])
    return {name: each[0] for name, each in ids.items() if len(each) == 1}


def _live_ids(database: Database, dataset: str, collection: str, ids: Iterable[int | str]) -> set[int]:
    live = read_dataset(database, dataset)
    return {int(id_) for id_ in fetch_by_id(database[live["collections"][collection]], ids)} if live else set()
