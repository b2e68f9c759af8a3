"""Queries of the live revisions: sorted rows, or None for an unknown id."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any

from campus_api.db.connection import BUILDINGS, CATEGORIES, LOCATIONS, MENUS, RECIPES
from campus_api.db.search import Query, building_queries
from campus_api.db.snapshot import Snapshot
from campus_api.domain.hours import times
from campus_api.domain.models import (
    BUILDING_FIELDS,
    BuildingRow,
    FactsRow,
    HoursRow,
    MealHours,
    MenuItemRow,
    NamedRow,
    PlaceRow,
    decode_facts,
    encode_facts,
    hall_from_document,
)

Document = Mapping[str, Any]

# Larger sets are faster in Python: $filter compares every item with every value.
_MAX_FILTER_VALUES = 100


class BuildingStore:
    """The buildings of a snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def get(self, id_: int) -> BuildingRow | None:
        """Return the building with an id."""
        return next(self._find({"_id": id_}), None)

    def search(
        self,
        name: Sequence[str] = (),
        address: Sequence[str] = (),
        *,
        encode: Callable[[BuildingRow], Any] = lambda row: row,
    ) -> list[Any]:
        """Return the buildings whose name and address contain one of the texts each, sorted by id.

        Letter case and accents are ignored; a field without texts is not filtered. More than 1,000 different texts for
        a field match nothing. Every row is passed through `encode` as it is read: a large result would take ten times
        the memory as Python objects that it takes as JSON.
        """
        record = self._snapshot.record("buildings")
        queries = building_queries(name, address, record) if record else [{}]
        by_id = {row["id"]: encode(row) for query in queries for row in self._find(query)}
        return [by_id[id_] for id_ in sorted(by_id)]

    def _find(self, query: Query) -> Iterator[BuildingRow]:
        # Sorted in Python: for a sorted query MongoDB might scan the _id index instead of using the trigram index.
        return map(building_row, self._snapshot.find(BUILDINGS, query, BUILDING_FIELDS))


class NamedEntityStore:
    """The categories, locations or recipes of a snapshot."""

    def __init__(self, snapshot: Snapshot, name: str) -> None:
        self._snapshot = snapshot
        self._name = name

    def get(self, id_: int) -> NamedRow | None:
        """Return the entity with an id."""
        return next(map(named_row, self._snapshot.find(self._name, {"_id": id_}, ["name"])), None)

    def find(self) -> list[NamedRow]:
        """Return all entities, sorted by id."""
        return [named_row(each) for each in self._snapshot.find(self._name, {}, ["name"], sort=[("_id", 1)])]

    def names(self) -> dict[int, str]:
        """Return the names of all entities by id."""
        return {row["id"]: row["name"] for row in self.find()}


class LocationStore(NamedEntityStore):
    """The locations of a snapshot, and where they are."""

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(snapshot, LOCATIONS)

    def places(self) -> list[PlaceRow]:
        """Return all locations with the points of their buildings, sorted by id."""
        locations = list(self._snapshot.find(LOCATIONS, {}, ["name", "building"], sort=[("_id", 1)]))
        ids = sorted({each["building"] for each in locations if "building" in each})
        buildings = self._snapshot.find(BUILDINGS, {"_id": {"$in": ids}}, ["point"]) if ids else ()
        points = {building["_id"]: building["point"] for building in buildings}
        return [
            {**named_row(each), "building": each.get("building"), "point": points.get(each.get("building"))}
            for each in locations
        ]


class RecipeStore(NamedEntityStore):
    """The recipes of a snapshot, and what they are made of."""

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(snapshot, RECIPES)

    def facts(self, id_: int) -> FactsRow | None:
        """Return the facts of the recipe with an id."""
        return next(map(facts_row, self._snapshot.find(RECIPES, {"_id": id_}, ["name", "facts"])), None)


class MenuStore:
    """The menus of a snapshot: one document per date."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    @property
    def loaded_at(self) -> datetime | None:
        """Return the time of the load, None before the first one."""
        record = self._snapshot.record("dining")
        return record["loaded_at"] if record else None

    def find(self, date: Collection[str], **fields: Collection[int] | None) -> list[MenuItemRow]:
        """Return a row per menu item of the dates, sorted by date, meal, location and serving order.

        `fields` are meal, location, category and recipe: each a collection of alternatives, or None for no filter.
        """
        filters = {field: set(values) for field, values in fields.items() if values is not None}
        in_pipeline = {field: sorted(values) for field, values in filters.items() if len(values) <= _MAX_FILTER_VALUES}
        in_python = {field: values for field, values in filters.items() if field not in in_pipeline}
        return [
            menu_row(document["_id"], item)
            for document in self._snapshot.aggregate(MENUS, _pipeline(sorted(date), in_pipeline))
            for item in document["items"]
            if all(item[field] in values for field, values in in_python.items())
        ]

    def adjacent_dates(self, date: str) -> tuple[str | None, str | None]:
        """Return the nearest loaded dates before and after a date, closed days included."""
        dates = self._snapshot.menu_dates()
        before, after = bisect_left(dates, date), bisect_right(dates, date)
        return dates[before - 1] if before else None, dates[after] if after < len(dates) else None

    def is_open(self, date: str) -> bool | None:
        """Return whether anything is served on a date; None if the date is not loaded."""
        document = next(self._snapshot.find(MENUS, {"_id": date}, {"items": {"$slice": 1}}), None)
        return None if document is None else bool(document["items"])


class HoursStore:
    """The serving hours of a snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def find(
        self, date: Collection[str], meal: Collection[int] | None = None, location: Collection[int] | None = None
    ) -> list[HoursRow]:
        """Return a row for each time at which a meal is served, sorted by date, meal, location and time.

        Each parameter is a collection of alternatives, or None for no filter.
        """
        rows = [
            HoursRow(date=day, location=id_, meal=each.meal, opens=opens, closes=closes)
            for id_, each in self._meals()
            if (meal is None or each.meal in meal) and (location is None or id_ in location)
            for day in set(date)
            for opens, closes in times(each, day)
        ]
        return sorted(rows, key=itemgetter("date", "meal", "location", "opens"))

    def _meals(self) -> Iterator[tuple[int, MealHours]]:
        for document in self._snapshot.find(LOCATIONS, {"hours": {"$exists": True}}, ["hours"]):
            for each in hall_from_document(document).hours:
                yield document["_id"], each


class Stores:
    """The stores of a snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.buildings = BuildingStore(snapshot)
        self.categories = NamedEntityStore(snapshot, CATEGORIES)
        self.locations = LocationStore(snapshot)
        self.recipes = RecipeStore(snapshot)
        self.menus = MenuStore(snapshot)
        self.hours = HoursStore(snapshot)


def _pipeline(dates: Sequence[str], filters: Mapping[str, list[int]]) -> list[Document]:
    pipeline: list[Document] = [{"$match": {"_id": {"$in": dates}}}, {"$sort": {"_id": 1}}]
    if filters:
        conditions = [{"$in": [f"$$item.{field}", values]} for field, values in filters.items()]
        items = {"$filter": {"input": "$items", "as": "item", "cond": {"$and": conditions}}}
        pipeline.append({"$project": {"items": items}})
    return pipeline


def building_row(document: Document) -> BuildingRow:
    """Return a stored building as the API returns it."""
    return {
        "id": document["_id"],
        "name": document["name"],
        "address": document["address"],
        "city": document["city"],
        "image": document["image"],
        "geometry": {"point": document["point"], "polygons": document["polygons"]},
    }


def named_row(document: Document) -> NamedRow:
    """Return a stored category, location or recipe as the API returns it."""
    return {"id": document["_id"], "name": document["name"]}


def facts_row(document: Document) -> FactsRow:
    """Return the facts of a stored recipe as the API returns them, all null if it has none."""
    return {**named_row(document), **encode_facts(decode_facts(document.get("facts", {})))}


def menu_row(date: str, item: Document) -> MenuItemRow:
    """Return a stored menu item as the API returns it."""
    return {
        "date": date,
        "meal": item["meal"],
        "location": item["location"],
        "category": item["category"],
        "recipe": item["recipe"],
        "id": item["recipe"],
        "name": item["name"],
    }
