"""Queries of the live revisions: sorted rows, or None for an unknown id."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice
from operator import attrgetter, itemgetter
from typing import Any
from zoneinfo import ZoneInfo

from campus_api.db.buildings import BuildingStore
from campus_api.db.changes import ChangeStore
from campus_api.db.connection import BUILDINGS, CATEGORIES, LOCATIONS, MENUS, RECIPES
from campus_api.db.hours import HoursStore, Ids, meal_names
from campus_api.db.rows import EncodedFacts, encode_row, facts_row, location_row, menu_rows, mismatch, named_row
from campus_api.db.search import SearchStore
from campus_api.db.snapshot import Decode, Document, Snapshot, T
from campus_api.domain.allergens.vocabulary import NO_DIET, Diet, DietVocabulary, diet_vocabulary
from campus_api.domain.models import DishRow, FactsRow, LocationRow, MenuItemRow, NamedRow, Names

Encode = Callable[[EncodedFacts], Any]

# Of a query of menus: ten years of a university would take over 2 GB.
MAX_ROWS = 250_000
# Within the time limit of a query, which ten years of a university exceed.
_DATES_PER_QUERY = 50
# $filter compares every item with every value; $match looks them up, but needs each item as a document.
_MAX_FILTER_VALUES = 100
# Only the next load reads the listings, and the vocabulary the spellings.
_FACTS = {"facts.listings": False, "facts.spellings": False}
# About 2 kB each, until the next load; a university has half as many recipes.
_MAX_ENCODED_FACTS = 10_000


class TooManyRows(Exception):
    """A query of menus matches more than 250,000 rows."""


class NamedEntityStore:
    """The categories, locations or recipes of a snapshot."""

    def __init__(self, snapshot: Snapshot, name: str) -> None:
        self._snapshot = snapshot
        self._name = name

    def get(self, id_: int) -> NamedRow | None:
        """Return the entity with an id."""
        name = self.names().get(id_)
        return None if name is None else {"id": id_, "name": name}

    def find(self) -> Sequence[NamedRow]:
        """Return all entities, sorted by id."""
        return self._snapshot.find_all(self._name, ["name"], named_row)

    def names(self) -> Mapping[int, str]:
        """Return the names of all entities by id."""
        return self._snapshot.names(self._name)


class LocationStore(NamedEntityStore):
    """The locations of a snapshot, and where they are."""

    def get(self, id_: int) -> LocationRow | None:
        """Return the location with an id."""
        return next((location for location in self.find() if location["id"] == id_), None)

    def find(self) -> Sequence[LocationRow]:
        """Return all locations with the points and addresses of their buildings, sorted by id; read once."""
        return self._snapshot.memoize("locations", self._read)

    def _read(self) -> Sequence[LocationRow]:
        locations = self._snapshot.find_all(LOCATIONS, ["name", "building"], location_row)
        ids = {location["building"] for location in locations} - {None}
        query = {"_id": {"$in": [*ids]}}
        fields = ("point", "address")
        rows = self._snapshot.find(BUILDINGS, query, fields, itemgetter("_id", *fields)) if ids else ()
        buildings = {id_: (point, address or None) for id_, point, address in rows}
        for location in locations:
            point, address = buildings.get(location["building"], (None, None))
            location["point"], location["address"] = point, address
        return locations


class RecipeStore(NamedEntityStore):
    """The recipes of a snapshot, and what they are made of."""

    def facts(self, id_: int) -> FactsRow:
        """Return the facts of the recipe with an id, all null if it has none."""
        return next(self._snapshot.find(RECIPES, {"_id": id_}, _FACTS, facts_row))

    def encoded_facts(self, ids: Collection[int]) -> dict[int, EncodedFacts]:
        """Return the facts of those of the recipes that have any, by id; each is read and encoded once."""
        memo: dict[int, EncodedFacts | None] = self._snapshot.memoize("facts", dict)
        missing = sorted({*ids} - memo.keys())
        read: dict[int, EncodedFacts | None] = dict.fromkeys(missing)
        if missing:
            query = {"facts": {"$exists": True}, "_id": {"$in": missing}}
            for row in self._snapshot.find(RECIPES, query, _FACTS, facts_row):
                read[row["id"]] = encode_row(row)
        memo |= islice(read.items(), max(_MAX_ENCODED_FACTS - len(memo), 0))
        return {id_: facts for id_ in ids if (facts := memo.get(id_) or read.get(id_))}

    def all_facts(self, encode: Callable[[FactsRow], T]) -> list[T]:
        """Return the encoded facts of all recipes, also of those that have none, sorted by id."""
        return self._snapshot.find_all(RECIPES, _FACTS, lambda each: encode(facts_row(each)))

    def vocabulary(self) -> DietVocabulary:
        """Return the labels and allergens that the recipes have."""
        return self._snapshot.memoize("vocabulary", self._read_vocabulary)

    def _read_vocabulary(self) -> DietVocabulary:
        names = ("labels", "allergens", "contains", "without", "spellings")
        different = {"$group": {"_id": {name: f"$facts.{name}" for name in names}}}
        return diet_vocabulary(self._snapshot.aggregate(RECIPES, [different], itemgetter("_id")))


class MenuStore:
    """The menus of a snapshot, one document per date: their items, and these grouped to dishes with facts."""

    def __init__(self, snapshot: Snapshot, recipes: RecipeStore) -> None:
        self._snapshot = snapshot
        self._recipes = recipes

    def find(self, date: Collection[str], *, diet: Diet = NO_DIET, **fields: Ids) -> list[MenuItemRow]:
        """Return a row per menu item of the dates, sorted by date, meal, location and serving order.

        `fields` are meal, location, category and recipe: each a collection of alternatives, or None for no filter.
        With a diet, only items that are known to match it. Raise TooManyRows before any is read.
        """
        dates = sorted(date)
        filters = {field: sorted({*values}) for field, values in fields.items() if values is not None}
        stages = _filter_stages(filters)
        # A single document has up to 16 MB, which fewer rows fill.
        if len(dates) > 1:
            self._limit_rows(dates, stages)
        menus = self._aggregate(dates, [{"$sort": {"_id": 1}}, *stages], menu_rows)
        items = list(chain.from_iterable(menus))
        if diet == NO_DIET:
            return items
        facts = self._recipes.encoded_facts({item["recipe"] for item in items})
        matching = {id_ for id_, each in facts.items() if not mismatch(each, diet)}
        return [item for item in items if item["recipe"] in matching]

    def dishes(self, date: Collection[str], *, encode: Encode = attrgetter("json"), **filters: Any) -> list[DishRow]:
        """Return the items that `find` returns by date, meal, category and recipe, in the order of the first ones."""
        items = self.find(date, **filters)
        facts = self._recipes.encoded_facts({item["recipe"] for item in items})
        encoded = {id_: encode(each) for id_, each in facts.items()}
        # A day has a thousand items, but a few dozen meals at locations.
        find_name = cache(meal_names(self._snapshot).find)
        servings: dict[tuple[str, int, int, int], list[MenuItemRow]] = defaultdict(list)
        for item in items:
            servings[item["date"], item["meal"], item["category"], item["recipe"]].append(item)
        return [
            {
                "date": day,
                "meal": meal,
                "category": category,
                "recipe": recipe,
                "name": served[0]["name"],
                "locations": [each["location"] for each in served],
                "meal_names": [find_name(day, meal, each["location"]) for each in served],
                "facts": encoded.get(recipe),
            }
            for (day, meal, category, recipe), served in servings.items()
        ]

    def _limit_rows(self, dates: Sequence[str], matching: Sequence[Document]) -> None:
        rows = self._count(dates, ())
        if rows > MAX_ROWS and matching:
            rows = self._count(dates, matching)
        if rows > MAX_ROWS:
            advice = "request fewer dates, meals or locations"
            raise TooManyRows(f"The query has {rows:,} rows, more than {MAX_ROWS:,}: {advice}")

    def _count(self, dates: Sequence[str], stages: Sequence[Document]) -> int:
        count = {"$group": {"_id": None, "rows": {"$sum": {"$size": "$items"}}}}
        return sum(self._aggregate(dates, [*stages, count], itemgetter("rows")))

    def _aggregate(self, dates: Sequence[str], stages: Sequence[Document], row: Decode[T]) -> Iterator[T]:
        """Yield `row` of each document of an aggregation, in batches of the dates."""
        for start in range(0, len(dates), _DATES_PER_QUERY):
            match = {"$match": {"_id": {"$in": dates[start : start + _DATES_PER_QUERY]}}}
            yield from self._snapshot.aggregate(MENUS, [match, *stages], row)

    def adjacent_dates(self, date: str) -> tuple[str | None, str | None]:
        """Return the nearest loaded dates before and after a date, closed days included."""
        earlier = (each for each in self._snapshot.dates if each < date)
        later = (each for each in self._snapshot.dates if each > date)
        return max(earlier, default=None), min(later, default=None)

    def served_dates(self, first: str, count: int) -> list[str]:
        """Return the dates from the first one on on which something is served, as many as `count`."""
        query = {"_id": {"$gte": first}, "items": {"$ne": []}}
        options = {"sort": [("_id", 1)], "limit": count}
        return list(self._snapshot.find(MENUS, query, ["_id"], itemgetter("_id"), **options))

    def empty_reason(self, date: str) -> str:
        """Return why nothing is served on a date: "closed" or "not-loaded", "" if something is."""
        if date not in self._snapshot.dates:
            return "not-loaded"
        return "" if self.served_dates(date, 1) == [date] else "closed"


class Stores:
    """The stores of a snapshot; `zone` is that of the campus."""

    def __init__(self, snapshot: Snapshot, zone: ZoneInfo) -> None:
        self.snapshot = snapshot
        self.zone = zone
        self.buildings = BuildingStore(snapshot)
        self.categories = NamedEntityStore(snapshot, CATEGORIES)
        self.locations = LocationStore(snapshot, LOCATIONS)
        self.recipes = RecipeStore(snapshot, RECIPES)
        self.menus = MenuStore(snapshot, self.recipes)
        self.hours = HoursStore(snapshot, zone)
        self.search = SearchStore(snapshot, self.hours, self.recipes.encoded_facts, self.recipes.vocabulary)
        self.changes = ChangeStore(snapshot)

    def names(self) -> Names:
        """Return the names of all locations, categories and meals."""
        return Names(self.locations.names(), self.categories.names(), meal_names(self.snapshot))


def _filter_stages(filters: Mapping[str, list[int]]) -> list[Document]:
    """Return the stages that leave the items of each menu that match, sorted by date."""
    if not filters:
        return []
    if max(map(len, filters.values())) > _MAX_FILTER_VALUES:
        match = {f"items.{field}": {"$in": values} for field, values in filters.items()}
        group = {"_id": "$_id", "items": {"$push": "$items"}}
        return [{"$unwind": "$items"}, {"$match": match}, {"$group": group}, {"$sort": {"_id": 1}}]
    conditions = [{"$in": [f"$$item.{field}", values]} for field, values in filters.items()]
    matching = {"input": "$items", "as": "item", "cond": {"$and": conditions}}
    return [{"$project": {"items": {"$filter": matching}}}]
