"""Publish a plan: write the collections of a new revision, then make it live by one compare-and-swap."""

import re
from datetime import timedelta
from typing import Any

from bson import ObjectId
from pymongo import ReturnDocument
from pymongo.collection import Collection
from pymongo.database import Database
from pymongo.errors import DuplicateKeyError, OperationFailure

from campus_api.db.connection import COLLECTIONS, DATASETS, LAYOUT, MENUS
from campus_api.domain.models import MEALS, DatasetDocument, MealRow, RevisionContent
from loaders.documents.encode import Document
from loaders.publishing import history
from loaders.publishing.assigned_ids import store_database_id
from loaders.publishing.diff import batch_size, batches
from loaders.publishing.plan import Plan
from loaders.result import ProgressCallback, no_progress

# A reader notices a new revision within two seconds; until then it reads the collections of the one before.
_GRACE_PERIOD = timedelta(seconds=10)
_NAMESPACE_NOT_FOUND, _NAMESPACE_EXISTS = 26, 48


class ConcurrentLoadError(Exception):
    """Another load of the data set was published since the plan was made; this one has changed nothing."""

    def __init__(self, dataset: str) -> None:
        super().__init__(f"another load of {dataset} was published in the meantime")


def publish(
    database: Database,
    plan: Plan,
    track: ProgressCallback = no_progress,
    *,
    loses_items: bool = False,
) -> int:
    """Publish a plan and return the new revision; ConcurrentLoadError if another load came first.

    Readers see all of the revision or nothing. After a crash they see the revision before; a later load drops the
    collections that a crash or a conflict left. `loses_items` is whether the guard of lost menu items was overridden.
    """
    store_database_id(database, plan.database_id)
    revision = _next_revision(database, plan)
    load_id = history.start(database, plan, revision)
    try:
        content = plan.restores or _write(database, plan, revision, load_id, track)
        document = _dataset_document(plan, revision, load_id, content)
        if MENUS in content["collections"]:
            document["meals"] = _meals(database[content["collections"][MENUS]])
        _add_losses(document, plan, loses_items)
        live = _activate(database, plan, document)
    except ConcurrentLoadError:
        history.discard(database, load_id)
        raise
    history.close_started(database, live)
    _drop_unreferenced(database, plan.current, live)
    return revision


def _next_revision(database: Database, plan: Plan) -> int:
    """Return the next number, skipping those of collections that a killed load left after it had renamed them."""
    return max([plan.current_revision or 0, *_revisions(database, plan.dataset).values()]) + 1


def _revisions(database: Database, dataset: str, staging: str = "") -> dict[str, int]:
    """Return the revisions of the collections of a data set by name; `staging` is a pattern for the end of a name."""
    pattern = re.compile(f"({'|'.join(COLLECTIONS[dataset])})_([0-9]+){staging}")
    matches = map(pattern.fullmatch, database.list_collection_names())
    return {match[0]: int(match[2]) for match in matches if match}


def _write(
    database: Database, plan: Plan, revision: int, load_id: ObjectId, track: ProgressCallback
) -> RevisionContent:
    names = {name: f"{name}_{revision}" for name in COLLECTIONS[plan.dataset]}
    staging = {name: database[f"{collection}_{load_id}"] for name, collection in names.items()}
    for name, collection in staging.items():
        _write_staging(database, plan, name, collection, track)
    for name, collection in staging.items():
        if not try_rename(collection, names[name]):
            raise ConcurrentLoadError(plan.dataset)
    counts = {name: database[live].count_documents({}) for name, live in names.items()}
    return {"collections": names, "counts": counts}


def _meals(menus: Collection) -> list[MealRow]:
    """Return the meals that are served, each with its name, which is that of most rows above dinner."""
    name, rows = {"meal": "$meals.meal", "name": "$meals.name"}, {"$sum": "$meals.rows"}
    groups = menus.aggregate([{"$unwind": "$meals"}, {"$group": {"_id": name, "rows": rows}}])
    most = sorted(groups, key=lambda group: (group["rows"], group["_id"]["name"]))
    names = {group["_id"]["meal"]: group["_id"]["name"] for group in most} | MEALS
    return [{"id": meal, "name": names.get(meal)} for meal in sorted(menus.distinct("items.meal"))]


def _write_staging(database: Database, plan: Plan, name: str, staging: Collection, track: ProgressCallback) -> None:
    if copied := plan.live_to_copy(name):
        live, changed = copied
        database[live].aggregate([{"$match": {"_id": {"$nin": changed}}}, {"$out": staging.name}])
    else:
        database.create_collection(staging.name)
    for batch in batches(track(plan.documents(name)), batch_size(name)):
        staging.insert_many(batch)


def try_rename(collection: Collection, name: str) -> bool:
    """Rename a collection; return False if it no longer exists or the name is taken."""
    try:
        collection.rename(name)
    except OperationFailure as error:
        if error.code in (_NAMESPACE_NOT_FOUND, _NAMESPACE_EXISTS):
            return False
        raise
    return True


def _dataset_document(plan: Plan, revision: int, load_id: ObjectId, content: RevisionContent) -> Document:
    """Return the document of a data set with a revision, without the time at which it becomes live."""
    document: Document = {
        "_id": plan.dataset,
        "layout": LAYOUT,
        "revision": revision,
        "sources": list(plan.sources),
        "load": load_id,
        "collections": content["collections"],
        "counts": content["counts"],
    }
    if plan.current:
        document["previous"] = {name: value for name, value in plan.current.items() if name != "previous"}
    if plan.reverts:
        document["reverts"] = plan.reverts
    return document


def _add_losses(document: Document, plan: Plan, loses_items: bool) -> None:
    """Record that this revision loses menu items, or else which one before it was the last that did."""
    replaced = plan.restores or plan.current
    if loses_items:
        document["lost_items"] = {"revision": document["revision"], "since": min(plan.dates, default="")}
    elif replaced and "lost_items" in replaced:
        document["lost_items"] = replaced["lost_items"]


def _activate(database: Database, plan: Plan, document: Document) -> DatasetDocument:
    """Make a revision live if the data set is still at the revision of the plan (compare-and-swap).

    Return it with the time of that: of two loads, the one that is live first has the earlier time.
    """
    update: dict[str, Any] = {"$set": document, "$currentDate": {"loaded_at": True}}
    if obsolete := {*(plan.current or ())} - {*document, "loaded_at"}:
        update["$unset"] = dict.fromkeys(obsolete, "")
    query = {"_id": plan.dataset, "revision": plan.current_revision}
    after = ReturnDocument.AFTER
    try:
        live = database[DATASETS].find_one_and_update(query, update, upsert=plan.current is None, return_document=after)
    except DuplicateKeyError:
        live = None
    if live is None:
        raise ConcurrentLoadError(plan.dataset)
    return live


def _drop_unreferenced(database: Database, replaced: DatasetDocument | None, live: DatasetDocument) -> None:
    """Drop the collections of older revisions but the previous one, and those that killed loads have left.

    Loads that may still become live write higher revisions. Nothing is dropped that became obsolete only now: readers
    may still use it, and the next load drops it.
    """
    if replaced and live["loaded_at"] - replaced["loaded_at"] < _GRACE_PERIOD:
        return
    needed = {*live["collections"].values(), *live.get("previous", live)["collections"].values()}
    revisions = _revisions(database, live["_id"], staging="(_[0-9a-f]{24})?")
    names = {name for name, revision in revisions.items() if revision <= live["revision"]}
    for name in names - needed:
        database.drop_collection(name)
