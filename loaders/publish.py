"""The only code that writes: a plan becomes the live data set, never half of it."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from pymongo.collection import Collection
from pymongo.database import Database
from pymongo.errors import DuplicateKeyError

from campus_api.database import BUILDINGS, CATEGORIES, DATASETS, IMPORTS, LOCATIONS, MENUS, RECIPES
from loaders.plan import Document, Plan, collection_of

Source = dict[str, str]

_BATCH = 1000
_OVERTAKEN = "another load of {} was published in the meantime"


class Overtaken(Exception):
    """Another load of the same data set was published in the meantime; nothing of this one became a revision."""


def publish(database: Database, plan: Plan, sources: Sequence[Source], bad_records: int = 0) -> int:
    """Write what `plan` changes and return the new revision; Overtaken when another load came first.

    A crash at any moment leaves every reader with the old or the new state of the buildings and of each date, and
    the next load of the same export finishes it.
    """
    _check_still_first(database, plan)
    record = {
        "dataset": plan.dataset,
        "revision": plan.revision,
        "started_at": _now(),
        "sources": list(sources),
        "collections": {name: difference.counts for name, difference in plan.differences.items()},
        "bad_records": bad_records,
        "state": "started",
    }
    import_id = database[IMPORTS].insert_one(record).inserted_id
    if plan.dataset == "buildings":
        _write_buildings(database, plan)
    else:
        _write_dining(database, plan)
    _make_live(database, plan, sources)
    unfinished = {"dataset": plan.dataset, "state": "started", "_id": {"$ne": import_id}}
    database[IMPORTS].update_many(unfinished, {"$set": {"state": "interrupted"}})
    database[IMPORTS].update_one({"_id": import_id}, {"$set": {"state": "published", "finished_at": _now()}})
    return plan.revision


def _check_still_first(database: Database, plan: Plan) -> None:
    live = database[DATASETS].find_one({"_id": plan.dataset})
    if (live or {}).get("revision") != (plan.live or {}).get("revision"):
        raise Overtaken(_OVERTAKEN.format(plan.dataset))


def _write_buildings(database: Database, plan: Plan) -> None:
    _drop_unneeded(database, plan.revision - 1)
    _insert(database[collection_of(plan.revision)], plan.documents)


def _write_dining(database: Database, plan: Plan) -> None:
    # Names before menus: a menu never refers to a name that is not there.
    for collection in (CATEGORIES, LOCATIONS, RECIPES, MENUS):
        difference = plan.differences[collection]
        _insert(database[collection], difference.added)
        for document in difference.changed:
            database[collection].replace_one({"_id": document["_id"]}, document)


def _insert(collection: Collection, documents: Sequence[Document]) -> None:
    for start in range(0, len(documents), _BATCH):
        collection.insert_many(documents[start : start + _BATCH])


def _make_live(database: Database, plan: Plan, sources: Sequence[Source]) -> None:
    """Move the data set to the plan's revision by one update, if it still stands where the plan was made."""
    new: dict[str, Any] = {"revision": plan.revision, "loaded_at": _now(), "sources": list(sources)}
    if plan.dataset == "buildings":
        new |= {"collection": collection_of(plan.revision), "counts": {"buildings": len(plan.documents)}}
    else:
        names = (CATEGORIES, LOCATIONS, RECIPES, MENUS)
        new["counts"] = {name: database[name].count_documents({}) for name in names}
    before = {"_id": plan.dataset, "revision": plan.revision - 1}
    try:
        database[DATASETS].update_one(before, {"$set": new}, upsert=True)
    except DuplicateKeyError:
        raise Overtaken(_OVERTAKEN.format(plan.dataset)) from None


def _drop_unneeded(database: Database, live: int) -> None:
    """Drop the buildings of all revisions but the live one and the one before, also what a dead load left.

    This comes before a load and not after it: a reader may hold on to a revision for a second after its time.
    """
    needed = {collection_of(live), collection_of(live - 1)}
    revisions = re.compile(BUILDINGS.format(revision="[0-9]+"))
    for name in database.list_collection_names():
        if revisions.fullmatch(name) and name not in needed:
            database.drop_collection(name)


def _now() -> datetime:
    return datetime.now(UTC)
