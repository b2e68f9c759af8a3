"""The only code that writes: a plan becomes the live data set, never half of it."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pymongo
from bson import ObjectId
from pymongo.collection import Collection
from pymongo.database import Database
from pymongo.errors import DuplicateKeyError

from campus_api.database import BUILDINGS, DATASETS, IMPORTS, REPLACED, index_trigrams
from loaders.publishing import journal
from loaders.publishing.batches import BATCH, BATCHES, batches
from loaders.publishing.diff import Document
from loaders.publishing.journal import SUCCEEDED, Confirm, Source
from loaders.publishing.plan import DINING, Plan

_OVERTAKEN = "another load of {} was published in the meantime"
_LOADING = "buildings_of_import_{}"
# No reader holds on to a revision for longer after its time.
_READERS_NEED_SECONDS = 10
# An index may take as long as any operation and, for each building, some times as long as it usually does.
_OPERATION_SECONDS, _INDEX_SECONDS = 30, 0.001


class Overtaken(Exception):
    """Another load of the same data set was published in the meantime; nothing of this one became a revision."""


def publish(
    database: Database,
    plan: Plan,
    sources: Sequence[Source],
    bad_records: int = 0,
    confirm: Confirm = lambda: None,
) -> int:
    """Write what `plan` changes and return the new revision; Overtaken when another load came first.

    A crash at any moment leaves every reader with the old or the new state of the buildings and of each date, and
    the next load finishes it. `confirm` is called before every write and raises when this load must not go on.
    """
    _check_still_first(database, plan)
    journal.settle(database, plan)
    entry = journal.record(database, plan, sources, bad_records, "started")
    journal.write_changes(database, plan)
    if plan.dataset == "buildings":
        _write_buildings(database, plan, entry, confirm)
    else:
        journal.keep_replaced(database, plan, confirm)
        _write_dining(database, plan, confirm)
    confirm()
    _make_live(database, plan, sources, entry)
    journal.finish(database, entry)
    _forget(database, plan)
    return plan.revision


def repair(database: Database, plan: Plan, confirm: Confirm) -> None:
    """Bring what a load that died has changed back to what is live, where a plan changes nothing else."""
    if plan.dataset == "dining":
        _write_dining(database, plan, confirm)
        database[REPLACED].delete_many({"revision": plan.revision})
    journal.settle(database, plan)


def _check_still_first(database: Database, plan: Plan) -> None:
    live = database[DATASETS].find_one({"_id": plan.dataset})
    if (live or {}).get("revision") != plan.live_revision:
        raise Overtaken(_OVERTAKEN.format(plan.dataset))


def _write_buildings(database: Database, plan: Plan, entry: ObjectId, confirm: Confirm) -> None:
    _drop_unneeded(database, plan.live_revision)
    # Written under a name that no other load can have, in case this one is overtaken without noticing.
    loading = database[_LOADING.format(entry)]
    wanted = plan.wanted["buildings"]
    # What stands in for MongoDB in memory takes no encoded documents.
    for batch in batches(wanted.encoded if isinstance(database, Database) else wanted.documents):
        confirm()
        loading.insert_many(batch)
    confirm()
    # After the documents: an index that grows with them takes longer.
    with pymongo.timeout(_OPERATION_SECONDS + len(wanted) * _INDEX_SECONDS):
        index_trigrams(loading)
    confirm()
    loading.rename(collection_of(plan.revision))


def _write_dining(database: Database, plan: Plan, confirm: Confirm) -> None:
    # Names go before menus, which never refer to a name that is not there; what is removed goes the other way.
    for name in DINING:
        for batch in _documents(plan, name, "added"):
            confirm()
            database[name].insert_many(batch)
        for batch in _documents(plan, name, "changed"):
            _replace(database[name], batch, plan, confirm)
    for name in reversed(DINING):
        removed = [change.id for change in plan.writes[name].changes if change.what == "removed"]
        confirm()
        database[name].delete_many({"_id": {"$in": removed}})


def _replace(collection: Collection, documents: list[Document], plan: Plan, confirm: Confirm) -> None:
    ids = [document["_id"] for document in documents]
    # A load that has slept since it was confirmed finds what another one has written, and leaves it alone.
    found = {stored["_id"]: stored for stored in collection.find({"_id": {"$in": ids}}, ["digest", "name"])}
    for document in documents:
        confirm()
        before = found.get(document["_id"])
        if before is None or not collection.replace_one(before, document).matched_count:
            raise Overtaken(_OVERTAKEN.format(plan.dataset))


def _documents(plan: Plan, name: str, what: str) -> Iterator[list[Document]]:
    changes = plan.writes[name].changes
    documents = (plan.wanted[name][change.id] for change in changes if change.what == what)
    return batches(documents, BATCHES.get(name, BATCH))


def _make_live(database: Database, plan: Plan, sources: Sequence[Source], entry: ObjectId) -> None:
    """Move the data set to the plan's revision by one update, if it still stands where the plan was made."""
    new: dict[str, Any] = {"revision": plan.revision, "loaded_at": _now(), "sources": list(sources), "import": entry}
    if plan.dataset == "buildings":
        new |= _about_buildings(database[collection_of(plan.revision)], plan)
    else:
        new["counts"] = {name: database[name].count_documents({}) for name in DINING}
    before = {"_id": plan.dataset, "revision": plan.revision - 1}
    try:
        database[DATASETS].update_one(before, {"$set": new}, upsert=True)
    except DuplicateKeyError:
        raise Overtaken(_OVERTAKEN.format(plan.dataset)) from None


def _about_buildings(buildings: Collection, plan: Plan) -> dict[str, Any]:
    """Return what the record of the data set says of buildings, for searches too."""
    wanted = plan.wanted["buildings"]
    # Those that an older version has loaded have no trigrams when they come back.
    indexed = buildings.name if buildings.find_one({"search.trigrams": None}) is None else None
    about = {"collection": buildings.name, "indexed": indexed, "common_trigrams": wanted.common_trigrams}
    return {**about, "counts": {"buildings": len(wanted)}}


def collection_of(revision: int) -> str:
    """Return the name of the collection that holds the buildings of a revision."""
    return BUILDINGS.format(revision=revision)


def _forget(database: Database, plan: Plan) -> None:
    """Drop what nobody needs any more now that the plan is live."""
    if plan.dataset == "dining":
        database[REPLACED].delete_many({"revision": {"$lt": plan.revision}})
    else:
        _drop_unneeded(database, plan.revision)


def _drop_unneeded(database: Database, live: int | None) -> None:
    """Drop the buildings of all revisions but the live one, the one before, and those that readers may hold on to."""
    needed = {collection_of(revision) for revision in (live, (live or 0) - 1, *_just_replaced(database)) if live}
    dead = re.compile(f"{BUILDINGS.format(revision='[0-9]+')}|{_LOADING.format('[0-9a-f]+')}")
    for name in database.list_collection_names():
        if dead.fullmatch(name) and name not in needed:
            database.drop_collection(name)


def _just_replaced(database: Database) -> list[int]:
    recent = {"$gt": _now() - timedelta(seconds=_READERS_NEED_SECONDS)}
    loads = database[IMPORTS].find({"dataset": "buildings", "finished_at": recent, "state": {"$in": SUCCEEDED}})
    return [load["revision"] - 1 for load in loads]


def _now() -> datetime:
    return datetime.now(UTC)
