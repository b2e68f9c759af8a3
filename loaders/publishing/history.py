"""The history of loads: when, by which files, what they changed and how they ended."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from bson import ObjectId
from pymongo.database import Database

from campus_api.db.connection import LOAD_CHANGES, LOADS, LOADS_WITH_CHANGES, MENUS, PUBLISHED_STATES, read_dataset
from campus_api.domain.models import DatasetDocument
from loaders.documents.encode import Document
from loaders.publishing.diff import Change, MealChange, batches
from loaders.publishing.plan import Plan

_CHANGES_PER_DOCUMENT = 200
_DOCUMENTS_PER_BATCH = 20
_MAX_WARNINGS = 1000


class UnknownRevision(Exception):
    """No load made this revision, or its changes are no longer stored; the message names it."""


def start(database: Database, plan: Plan, revision: int) -> ObjectId:
    """Record a load that is about to publish a revision and all its changes; return the id of the load."""
    if plan.current:
        close_started(database, plan.current)
    entry = _entry(plan, revision) | {"state": "started"}
    if plan.reverts:
        entry["reverts"] = plan.reverts
    # Of the last collection, that of buildings or of dates.
    if ids := [change.id for change in [*plan.differences.values()][-1].changes]:
        entry["changed_ids"] = {"first": min(ids), "last": max(ids)}
    database[LOADS].create_index([("dataset", 1), ("revision", -1)])
    database[LOAD_CHANGES].create_index("load")
    load_id = database[LOADS].insert_one(entry).inserted_id
    for batch in batches(_changes(plan), _DOCUMENTS_PER_BATCH):
        database[LOAD_CHANGES].insert_many([{"load": load_id, **document} for document in batch])
    return load_id


def record_unpublished(database: Database, plan: Plan, state: str, reasons: Sequence[str]) -> None:
    """Record a load that ended as "unchanged", or as "refused" or "invalid" for these reasons."""
    if plan.current:
        close_started(database, plan.current)
    entry = _entry(plan, plan.current_revision) | {"state": state, "finished_at": datetime.now(UTC)}
    if reasons:
        entry["reasons"] = list(reasons)
    database[LOADS].insert_one(entry)


def close_started(database: Database, live: DatasetDocument) -> None:
    """Mark the load of the live revision as published; all others up to that revision were interrupted."""
    started = {"dataset": live["_id"], "state": "started", "revision": {"$lte": live["revision"]}}
    for entry in database[LOADS].find(started):
        if entry["_id"] == live["load"]:
            published = {"state": "published", "loaded_at": live["loaded_at"], "finished_at": datetime.now(UTC)}
            database[LOADS].update_one({"_id": entry["_id"]}, {"$set": published})
            if "reverts" in entry:
                reverted = {"dataset": entry["dataset"], "revision": entry["reverts"], "state": "published"}
                database[LOADS].update_one(reverted, {"$set": {"state": "undone"}})
            _delete_old_changes(database, entry["dataset"])
        else:
            database[LOAD_CHANGES].delete_many({"load": entry["_id"]})
            database[LOADS].update_one({"_id": entry["_id"]}, {"$set": {"state": "interrupted"}})


def discard(database: Database, load_id: ObjectId) -> None:
    """Delete a load that another one came before: it has changed nothing."""
    database[LOAD_CHANGES].delete_many({"load": load_id})
    database[LOADS].delete_one({"_id": load_id})


def list_loads(database: Database, datasets: Sequence[str]) -> list[dict[str, Any]]:
    """Return the loads of the data sets, oldest first."""
    documents = {name: read_dataset(database, name) for name in datasets}
    query = {"dataset": {"$in": list(datasets)}}
    entries = list(database[LOADS].find(query, {"warning_messages": False}, sort=[("started_at", 1), ("_id", 1)]))
    for entry in entries:
        if entry["state"] == "started":
            entry["state"] = _state(entry, documents[entry["dataset"]])
    return entries


def encode_warnings(messages: Iterable[str]) -> dict[str, list[str]]:
    """Return what the entry of a load has of its first 1,000 warnings."""
    return {"warning_messages": [*islice(messages, _MAX_WARNINGS)]}


def warnings_before(database: Database, dataset: str) -> frozenset[str]:
    """Return the messages of the warnings of the last load, undos excepted."""
    recorded = {"dataset": dataset, "warning_messages": {"$exists": True}}
    entry = database[LOADS].find_one(recorded, sort=[("started_at", -1), ("_id", -1)])
    return frozenset(entry["warning_messages"] if entry else ())


def read_changes(database: Database, dataset: str, revision: int) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Return the load that made a revision, and its changes by collection; UnknownRevision if there is none.

    Those of dates are `MealChange`, all others `Change`.
    """
    live = read_dataset(database, dataset)
    entry = None
    if live and revision <= live["revision"]:
        made = {"$or": [{"state": {"$in": PUBLISHED_STATES}}, {"_id": live.get("load")}]}
        entry = database[LOADS].find_one({"dataset": dataset, "revision": revision, **made})
    if entry is None:
        raise UnknownRevision(f"there is no revision {revision} of {dataset}")
    if revision < _first_with_changes(database, dataset):
        last = f"only those of the last {LOADS_WITH_CHANGES} loads of a data set are"
        raise UnknownRevision(f"the changes of revision {revision} of {dataset} are no longer stored: {last}")
    changes: dict[str, list[Any]] = {name: [] for name in entry["collections"]}
    for document in database[LOAD_CHANGES].find({"load": entry["_id"]}).sort("_id"):
        changes[document["collection"]] += _parse_changes(document)
    return entry, changes


def _entry(plan: Plan, revision: int | None) -> dict[str, Any]:
    return {
        "dataset": plan.dataset,
        "revision": revision,
        "started_at": datetime.now(UTC),
        "sources": list(plan.sources),
        "collections": {name: diff.counts for name, diff in plan.differences.items()},
        "errors": plan.error_count,
        **plan.warnings,
    }


def _delete_old_changes(database: Database, dataset: str) -> None:
    """Delete the changes of all but the last loads of a data set; a later load deletes those that a crash leaves."""
    stored = {"_id": {"$in": database[LOAD_CHANGES].distinct("load")}}
    before = {"dataset": dataset, "revision": {"$lt": _first_with_changes(database, dataset)}}
    old = database[LOADS].distinct("_id", {**stored, **before})
    database[LOAD_CHANGES].delete_many({"load": {"$in": old}})


def _first_with_changes(database: Database, dataset: str) -> int:
    """Return the first of the last revisions, whose changes are stored."""
    made = {"dataset": dataset, "state": {"$in": PUBLISHED_STATES}}
    last = database[LOADS].find(made, ["revision"], sort=[("revision", -1)], limit=LOADS_WITH_CHANGES)
    return min((entry["revision"] for entry in last), default=0)


def _changes(plan: Plan) -> Iterator[Document]:
    for name, diff in plan.differences.items():
        for batch in batches(diff.changes, _CHANGES_PER_DOCUMENT):
            yield {"collection": name, "changes": [dict(vars(change)) for change in batch]}
    for meals in batches(plan.meal_changes, _CHANGES_PER_DOCUMENT):
        yield {"collection": MENUS, "meals": [dict(vars(meal)) for meal in meals]}


def _parse_changes(document: Document) -> list[Any]:
    changes = [Change(**change) for change in document.get("changes", [])]
    if document["collection"] == MENUS:
        # The meals say what changed in a date.
        changes = [change for change in changes if change.action != "changed"]
    return changes + [MealChange(**meal) for meal in document.get("meals", [])]


def _state(entry: dict[str, Any], live: DatasetDocument | None) -> str:
    """Return the state of a load that has not been closed; one that may still be running stays "started"."""
    if live and entry["_id"] == live["load"]:
        return "published"
    return "interrupted" if live and entry["revision"] <= live["revision"] else "started"
