"""Queries of the live revisions: sorted rows, or None for an unknown id."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from pymongo.collection import Collection as MongoCollection
from pymongo.database import Database

from campus_api.db.connection import BUILDINGS, CATEGORIES, LOCATIONS, MENUS, RECIPES
from campus_api.db.revisions import RevisionMonitor
from campus_api.db.search import Query, building_queries
from campus_api.domain.models import (
    BUILDING_FIELDS,
    BuildingRow,
    DatasetRecord,
    FactsRow,
    MenuItemRow,
    NamedRow,
    Nutrients,
)

Document = Mapping[str, Any]

# Before the first load; a collection that does not exist is empty.
_NO_COLLECTION = "none"
# Larger sets are faster in Python: $filter compares every item with every value.
_MAX_FILTER_VALUES = 100
# All documents in one batch of up to 16 MB: a later batch fails if the member that holds the cursor is lost.
_BATCH_SIZE = 1_000_000

_CACHED_DATES = 1000


class BuildingStore:
    """The buildings of the live revision."""

    def __init__(self, database: Database, revisions: RevisionMonitor) -> None:
        self._database = database
        self._revisions = revisions

    def get(self, id_: int) -> BuildingRow | None:
        """Return the building with an id."""
        record = self._revisions.record("buildings")
        return next(self._find(record, {"_id": id_}), None) if record else None

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
        record = self._revisions.record("buildings")
        if record is None:
            return []
        queries = building_queries(name, address, record)
        by_id = {row["id"]: encode(row) for query in queries for row in self._find(record, query)}
        return [by_id[id_] for id_ in sorted(by_id)]

    def _find(self, record: DatasetRecord, query: Query) -> Iterator[BuildingRow]:
        # Sorted in Python: for a sorted query MongoDB might scan the _id index instead of using the trigram index.
        with self._revisions.session() as session:
            collection = self._database[record["collections"][BUILDINGS]]
            documents = collection.find(query, list(BUILDING_FIELDS), batch_size=_BATCH_SIZE, session=session)
            yield from map(building_row, documents)


class NamedEntityStore:
    """The categories, locations or recipes of the live revision."""

    def __init__(self, database: Database, revisions: RevisionMonitor, name: str) -> None:
        self._database = database
        self._revisions = revisions
        self._name = name

    def get(self, id_: int) -> NamedRow | None:
        """Return the entity with an id."""
        with self._revisions.session() as session:
            document = self._collection.find_one({"_id": id_}, ["name"], session=session)
        return document and named_row(document)

    def find(self) -> list[NamedRow]:
        """Return all entities, sorted by id."""
        with self._revisions.session() as session:
            documents = self._collection.find({}, ["name"], batch_size=_BATCH_SIZE, session=session).sort("_id")
            return [named_row(document) for document in documents]

    def names(self) -> dict[int, str]:
        """Return the names of all entities by id."""
        return {row["id"]: row["name"] for row in self.find()}

    @property
    def _collection(self) -> MongoCollection:
        record = self._revisions.record("dining")
        return self._database[record["collections"][self._name] if record else _NO_COLLECTION]


class RecipeStore(NamedEntityStore):
    """The recipes of the live revision, and what they are made of."""

    def __init__(self, database: Database, revisions: RevisionMonitor) -> None:
        super().__init__(database, revisions, RECIPES)

    def facts(self, id_: int) -> FactsRow | None:
        """Return the facts of the recipe with an id."""
        with self._revisions.session() as session:
            document = self._collection.find_one({"_id": id_}, ["name", "facts"], session=session)
        return document and facts_row(document)


class MenuStore:
    """The menus of the live revision."""

    def __init__(self, database: Database, revisions: RevisionMonitor) -> None:
        self._database = database
        self._revisions = revisions
        # One snapshot per revision, because it caches adjacent dates.
        self._cached_snapshot = lru_cache(maxsize=1)(self._open_snapshot)

    def snapshot(self) -> "MenuSnapshot":
        """Return the menus of the live revision, for all queries of one request."""
        record = self._revisions.record("dining")
        if record is None:
            return self._cached_snapshot(_NO_COLLECTION, None)
        return self._cached_snapshot(record["collections"][MENUS], record["loaded_at"])

    def _open_snapshot(self, collection: str, loaded_at: datetime | None) -> "MenuSnapshot":
        return MenuSnapshot(self._database[collection], self._revisions, loaded_at)


class MenuSnapshot:
    """The menus of one revision: one document per date; `loaded_at` is None before the first load."""

    def __init__(self, collection: MongoCollection, revisions: RevisionMonitor, loaded_at: datetime | None) -> None:
        self.loaded_at = loaded_at
        self._collection = collection
        self._revisions = revisions
        self._cached_adjacent_dates = lru_cache(_CACHED_DATES)(self._find_adjacent_dates)

    def find(self, date: Collection[str], **fields: Collection[int] | None) -> list[MenuItemRow]:
        """Return a row per menu item of the dates, sorted by date, meal, location and serving order.

        `fields` are meal, location, category and recipe: each a collection of alternatives, or None for no filter.
        """
        filters = {field: set(values) for field, values in fields.items() if values is not None}
        in_pipeline = {field: sorted(values) for field, values in filters.items() if len(values) <= _MAX_FILTER_VALUES}
        in_python = {field: values for field, values in filters.items() if field not in in_pipeline}
        with self._revisions.session() as session:
            pipeline = _pipeline(sorted(date), in_pipeline)
            documents = list(self._collection.aggregate(pipeline, session=session, batchSize=_BATCH_SIZE))
        return [
            menu_row(document["_id"], item)
            for document in documents
            for item in document["items"]
            if all(item[field] in values for field, values in in_python.items())
        ]

    def adjacent_dates(self, date: str) -> tuple[str | None, str | None]:
        """Return the nearest loaded dates before and after a date, closed days included."""
        return self._cached_adjacent_dates(date)

    def _find_adjacent_dates(self, date: str) -> tuple[str | None, str | None]:
        with self._revisions.session() as session:
            before = self._collection.find_one({"_id": {"$lt": date}}, ["_id"], sort=[("_id", -1)], session=session)
            after = self._collection.find_one({"_id": {"$gt": date}}, ["_id"], sort=[("_id", 1)], session=session)
        return before and before["_id"], after and after["_id"]

    def dates_from(self, date: str) -> list[str]:
        """Return the loaded dates from a date on, closed days included."""
        with self._revisions.session() as session:
            documents = self._collection.find({"_id": {"$gte": date}}, ["_id"], session=session)
            return [document["_id"] for document in documents.sort("_id")]

    def is_open(self, date: str) -> bool | None:
        """Return whether anything is served on a date; None if the date is not loaded."""
        with self._revisions.session() as session:
            document = self._collection.find_one({"_id": date}, {"items": {"$slice": 1}}, session=session)
        return document and bool(document["items"])


class Stores:
    """The stores of a database."""

    def __init__(self, database: Database, revisions: RevisionMonitor) -> None:
        self.buildings = BuildingStore(database, revisions)
        self.categories = NamedEntityStore(database, revisions, CATEGORIES)
        self.locations = NamedEntityStore(database, revisions, LOCATIONS)
        self.recipes = RecipeStore(database, revisions)
        self.menus = MenuStore(database, revisions)


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
    facts: Document = document.get("facts", {})
    nutrients: Document = facts.get("nutrients", {})
    return {
        "id": document["_id"],
        "name": document["name"],
        "serving_size": facts.get("serving_size"),
        "calories": facts.get("calories"),
        "calories_from_fat": facts.get("calories_from_fat"),
        "nutrients": {name: nutrients.get(name) for name in Nutrients._fields},
        "ingredients": facts.get("ingredients"),
        "allergens": facts.get("allergens"),
        "labels": facts.get("labels"),
        "as_of": facts.get("as_of"),
    }


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
