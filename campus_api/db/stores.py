"""Every query that answers a request: plain dicts out, sorted; None when there is none."""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from typing import Any

from pymongo.collection import Collection as MongoCollection
from pymongo.database import Database

from campus_api.db import search
from campus_api.db.connection import BUILDINGS, CATEGORIES, COLLECTIONS, LOCATIONS, MENUS, RECIPES, Record
from campus_api.db.revisions import RevisionMonitor

Row = dict[str, Any]

# Before the first load: collections that do not exist are empty.
_NEVER_LOADED = {"revision": 0, "collections": {name: f"{name}_0" for name in COLLECTIONS["dining"]}}

# MongoDB's $filter compares with the values one by one: beyond this many a set is faster.
_VALUES_IN_A_FILTER = 100
# All documents of an answer come in one batch, up to 16 MB: of several, the next is lost with the member that gave one.
_ALL = 1_000_000

_CACHED_DATES = 1000

_BUILDING_FIELDS = ["name", "address", "city", "image", "point", "polygons"]


class BuildingStore:
    """The buildings of the live revision."""

    def __init__(self, database: Database, revisions: RevisionMonitor) -> None:
        """Take the database and the record of what is live in it."""
        self._database = database
        self._revisions = revisions

    def get(self, id_: int) -> Row | None:
        """Return the building with this id."""
        live = self._revisions.record("buildings")
        return next(self._find(live, {"_id": id_}), None) if live else None

    def containing(
        self,
        name: Sequence[str] = (),
        address: Sequence[str] = (),
        *,
        encode: Callable[[Row], Any] = lambda row: row,
    ) -> list[Any]:
        """Return the buildings whose name and address contain one of the given texts each, by id.

        Letter case and accents do not matter; no texts for a field ask nothing of it. More than 1,000 different
        texts for a field match nothing. Each building is passed through `encode` as it is read: as Python objects
        a large result would take ten times the memory of its JSON.
        """
        live = self._revisions.record("buildings")
        if live is None:
            return []
        queries = search.queries(name, address, live)
        found = {row["id"]: encode(row) for query in queries for row in self._find(live, query)}
        return [found[id_] for id_ in sorted(found)]

    def _find(self, live: Row, query: Row) -> Iterator[Row]:
        # Not sorted: MongoDB might then rather go through all ids than use the index of a search.
        with self._revisions.session() as session:
            collection = self._database[live["collections"][BUILDINGS]]
            documents = collection.find(query, _BUILDING_FIELDS, batch_size=_ALL, session=session)
            yield from map(_building, documents)


class NameStore:
    """The categories, the locations or the recipes."""

    def __init__(self, database: Database, revisions: RevisionMonitor, name: str) -> None:
        """Take the database, the record of what is live in it, and the name of the collection."""
        self._database = database
        self._revisions = revisions
        self._name = name

    def get(self, id_: int) -> Row | None:
        """Return the id and name of one."""
        with self._revisions.session() as session:
            document = self._collection.find_one({"_id": id_}, ["name"], session=session)
        return document and _named(document)

    def find(self) -> list[Row]:
        """Return the id and name of all, by id."""
        with self._revisions.session() as session:
            documents = self._collection.find({}, ["name"], batch_size=_ALL, session=session).sort("_id")
            return [_named(document) for document in documents]

    @property
    def _collection(self) -> MongoCollection:
        return self._database[_live_dining(self._revisions)["collections"][self._name]]


class MenuStore:
    """The menus of the live revision."""

    def __init__(self, database: Database, revisions: RevisionMonitor) -> None:
        """Take the database and the record of what is live in it."""
        self._database = database
        self._revisions = revisions
        # One object per revision, for the dates that it caches.
        self._open = lru_cache(maxsize=1)(self._open_revision)

    def snapshot(self) -> "MenuSnapshot":
        """Return the menus of the revision that is live now, for all queries of a request."""
        record = _live_dining(self._revisions)
        return self._open(record["collections"][MENUS], record["revision"])

    def _open_revision(self, collection: str, _revision: int) -> "MenuSnapshot":
        return MenuSnapshot(self._database[collection], self._revisions)


class MenuSnapshot:
    """The menus of one revision: one document per date."""

    def __init__(self, collection: MongoCollection, revisions: RevisionMonitor) -> None:
        """Take the collection of the revision; nothing is read yet."""
        self._collection = collection
        self._revisions = revisions
        self._adjacent_dates = lru_cache(_CACHED_DATES)(self._read_adjacent_dates)

    def find(self, date: Collection[str], **fields: Collection[int] | None) -> list[Row]:
        """Return a row per menu item of the dates, by date, meal, location and serving order.

        `fields` are meal, location, category and recipe: each a collection of alternatives, or None for all.
        """
        wanted = {field: set(values) for field, values in fields.items() if values is not None}
        few = {field: sorted(values) for field, values in wanted.items() if len(values) <= _VALUES_IN_A_FILTER}
        many = {field: values for field, values in wanted.items() if field not in few}
        with self._revisions.session() as session:
            pipeline = _pipeline(sorted(date), few)
            documents = list(self._collection.aggregate(pipeline, session=session, batchSize=_ALL))
        return [
            {
                "date": document["_id"],
                "meal": item["meal"],
                "location": item["location"],
                "category": item["category"],
                "recipe": item["recipe"],
                "id": item["recipe"],
                "name": item["name"],
            }
            for document in documents
            for item in document["items"]
            if not many or all(item[field] in values for field, values in many.items())
        ]

    def adjacent_dates(self, date: str) -> tuple[str | None, str | None]:
        """Return the nearest loaded dates before and after a date, closed days included."""
        return self._adjacent_dates(date)

    def _read_adjacent_dates(self, date: str) -> tuple[str | None, str | None]:
        ways = (("$lt", -1), ("$gt", 1))
        with self._revisions.session() as session:
            found = [
                self._collection.find_one({"_id": {side: date}}, ["_id"], sort=[("_id", way)], session=session)
                for side, way in ways
            ]
        before, after = (document and document["_id"] for document in found)
        return before, after

    def is_open(self, date: str) -> bool | None:
        """Return whether anything is served on a date; None if it is not loaded."""
        with self._revisions.session() as session:
            document = self._collection.find_one({"_id": date}, {"items": {"$slice": 1}}, session=session)
        return document and bool(document["items"])


class Stores:
    """All stores of one database."""

    def __init__(self, database: Database, revisions: RevisionMonitor) -> None:
        """Open the stores; nothing is read yet."""
        self.buildings = BuildingStore(database, revisions)
        self.categories = NameStore(database, revisions, CATEGORIES)
        self.locations = NameStore(database, revisions, LOCATIONS)
        self.recipes = NameStore(database, revisions, RECIPES)
        self.menus = MenuStore(database, revisions)


def _live_dining(revisions: RevisionMonitor) -> Record:
    return revisions.record("dining") or _NEVER_LOADED


def _pipeline(dates: list[str], filters: dict[str, list[int]]) -> list[Row]:
    pipeline: list[Row] = [{"$match": {"_id": {"$in": dates}}}, {"$sort": {"_id": 1}}]
    if filters:
        conditions = [{"$in": [f"$$item.{field}", values]} for field, values in filters.items()]
        items = {"$filter": {"input": "$items", "as": "item", "cond": {"$and": conditions}}}
        pipeline.append({"$project": {"items": items}})
    return pipeline


def _building(document: Row) -> Row:
    return {
        "id": document["_id"],
        "name": document["name"],
        "address": document["address"],
        "city": document["city"],
        "image": document["image"],
        "geometry": {"point": document["point"], "polygons": document["polygons"]},
    }


def _named(document: Row) -> Row:
    return {"id": document["_id"], "name": document["name"]}
