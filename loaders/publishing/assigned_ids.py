"""The integers assigned to the text ids of providers: stored before a building with a new one is published.

They are never changed or deleted, so an id stays that of its building when a load is undone, and when the building is
missing in an export and comes back.
"""

from collections.abc import Collection, Iterator, Mapping
from uuid import uuid4

from pymongo.database import Database
from pymongo.errors import BulkWriteError

from campus_api.db.connection import BUILDING_IDS, DINING_IDS, IDENTITY, read_dataset
from loaders.documents.encode import Document
from loaders.publishing.diff import batches, fetch_by_id

_DUPLICATE_KEY = 11000
_TABLES = {"buildings": BUILDING_IDS, "dining": DINING_IDS}


class AssignedIdsConflict(Exception):
    """Other texts have the integers: another load has assigned them in the meantime, or a dump of other data has them.

    The load has published nothing.
    """

    def __init__(self) -> None:
        super().__init__("another load has assigned ids in the meantime, or those of a dump differ")


def read_assigned_ids(database: Database, dataset: str = "buildings") -> dict[str, int]:
    """Return the integer of each text id."""
    return {row["_id"]: int(row["id"]) for row in database[_TABLES[dataset]].find()}


def has_native_ids(database: Database, dataset: str, assigned: Collection[int]) -> bool:
    """Return whether live documents have integers that were not assigned, but come from their provider."""
    document = read_dataset(database, dataset)
    collections = document["collections"].values() if document else ()
    others = {"_id": {"$nin": [*assigned], "$type": "number"}}
    return any(database[name].find_one(others, ["_id"]) for name in collections)


def store_database_id(database: Database, restored: str) -> None:
    """Store the UUID of a dump, or a new one, unless the database has one: it is never replaced."""
    identity = {"uuid": restored or str(uuid4())}
    database[IDENTITY].update_one({"_id": "database"}, {"$setOnInsert": identity}, upsert=True)


def store_assigned_ids(database: Database, ids: Mapping[str, int], dataset: str = "buildings") -> None:
    """Store new ids, unless they are stored already; AssignedIdsConflict if a text or an integer has another one."""
    if not ids:
        return
    stored = read_assigned_ids(database, dataset)
    texts = {id_: text for text, id_ in stored.items()}
    if any(stored.get(text, id_) != id_ or texts.get(id_, text) != text for text, id_ in ids.items()):
        raise AssignedIdsConflict
    table = database[_TABLES[dataset]]
    table.create_index("id", unique=True)
    documents: Iterator[Document] = ({"_id": text, "id": id_} for text, id_ in ids.items())
    for batch in batches(documents):
        try:
            table.insert_many(batch, ordered=False)
        except BulkWriteError as error:
            if {each["code"] for each in error.details["writeErrors"]} != {_DUPLICATE_KEY}:
                raise
            rows = {row["_id"]: row for row in batch}
            if fetch_by_id(table, rows) != rows:
                raise AssignedIdsConflict from None
