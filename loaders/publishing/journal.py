"""What is kept of loads besides the data: their history, what they changed, and for an undo what they replaced."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from bson import ObjectId
from pymongo.database import Database

from campus_api.database import CHANGES, IMPORTS, MENUS, REPLACED
from loaders.publishing.batches import BATCH, BATCHES, batches, by_id
from loaders.publishing.diff import Change, Document
from loaders.publishing.plan import DINING, Plan

Source = dict[str, str]
Confirm = Callable[[], None]

# The states of loads that made a revision.
SUCCEEDED = ["published", "undone"]

_CHANGES_IN_A_DOCUMENT = 200


def record(
    database: Database,
    plan: Plan,
    sources: Sequence[Source],
    bad_records: int,
    state: str,
    reasons: Sequence[str] = (),
) -> ObjectId:
    """Add a load to the history: one that "started", or one that ended as "unchanged" or as "refused" for reasons."""
    started = state == "started"
    entry = {
        "dataset": plan.dataset,
        "revision": plan.revision if started else plan.live_revision,
        "started_at": datetime.now(UTC),
        "sources": list(sources),
        "collections": {name: difference.counts for name, difference in plan.differences.items()},
        "bad_records": bad_records,
        "state": state,
    }
    optional = {"reasons": list(reasons), "undoes": plan.undoes, "finished_at": None if started else datetime.now(UTC)}
    entry |= {key: value for key, value in optional.items() if value}
    return database[IMPORTS].insert_one(entry).inserted_id


def settle(database: Database, plan: Plan) -> None:
    """Say how the loads that died have ended: whose revision is live was published, the others were interrupted."""
    for entry in database[IMPORTS].find({"dataset": plan.dataset, "state": "started"}, ["_id"]):
        if entry["_id"] == (plan.live or {}).get("import"):
            finish(database, entry["_id"])
        else:
            database[IMPORTS].update_one(entry, {"$set": {"state": "interrupted"}})


def finish(database: Database, import_id: ObjectId) -> None:
    """Say of a load whose revision is live that it was published, and which one it took back."""
    done = {"$set": {"state": "published", "finished_at": datetime.now(UTC)}}
    entry = database[IMPORTS].find_one_and_update({"_id": import_id}, done)
    if "undoes" in entry:
        undone = {"dataset": entry["dataset"], "revision": entry["undoes"], "state": "published"}
        database[IMPORTS].update_one(undone, {"$set": {"state": "undone"}})


def keep_replaced(database: Database, plan: Plan, confirm: Confirm) -> None:
    """Put aside, for an undo, what the load will replace; what a load that died put aside is older and stays."""
    there = {document["_id"] for document in database[REPLACED].find({"revision": plan.revision}, ["_id"])}
    for name in DINING:
        for batch in batches(plan.writes[name].changes, BATCHES.get(name, BATCH)):
            old = by_id(database[name], [change.id for change in batch])
            entries = [_replaced(plan, name, change, old) for change in batch]
            confirm()
            if new := [entry for entry in entries if entry["_id"] not in there]:
                database[REPLACED].insert_many(new)


def _replaced(plan: Plan, name: str, change: Change, old: dict[Any, Document]) -> Document:
    key = f"{plan.revision}/{name}/{change.id}"
    document = old.get(change.id)
    return {"_id": key, "revision": plan.revision, "collection": name, "id": change.id, "document": document}


def write_changes(database: Database, plan: Plan) -> None:
    """Write down, for people who ask later, each document that the load changes."""
    which = {"dataset": plan.dataset, "revision": plan.revision}
    database[CHANGES].delete_many(which)
    for batch in batches(_changes(plan)):
        database[CHANGES].insert_many([{**which, **document} for document in batch])


def _changes(plan: Plan) -> Iterator[Document]:
    for name, difference in plan.differences.items():
        for batch in batches(difference.changes, _CHANGES_IN_A_DOCUMENT):
            yield {"collection": name, "changes": [dict(vars(change)) for change in batch]}
    for batch in batches(plan.meals, _CHANGES_IN_A_DOCUMENT):
        yield {"collection": MENUS, "meals": [dict(vars(meal)) for meal in batch]}
