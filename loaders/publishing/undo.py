"""The plan that makes the previous revision of a data set live again."""

from collections.abc import Sequence

from pymongo.collection import Collection
from pymongo.database import Database

from campus_api.db.connection import LOCATIONS, MENUS
from campus_api.domain.models import DatasetDocument
from loaders.publishing.diff import CollectionDiff, Id, batch_size, batches, fetch_by_id, meal_changes
from loaders.publishing.dining_plan import location_names
from loaders.publishing.plan import Plan

# Large members of documents that have a digest, which is enough to compare these.
_OF_DOCUMENTS_WITH_DIGEST = {"items": False, "facts": False, "polygons": False}


class NothingToUndo(Exception):
    """The data set has no previous revision to publish again; the message says why."""


def plan_undo(database: Database, dataset: str) -> Plan:
    """Compare the previous revision with the live one; NothingToUndo if there is none."""
    plan = Plan.for_dataset(database, dataset)
    current = _undoable(database, plan)
    plan.restores = current["previous"]
    plan.sources = current["previous"]["sources"]
    for name in plan.differences:
        _compare_collection(database, plan, current, name)
    return plan


def _undoable(database: Database, plan: Plan) -> DatasetDocument:
    """Return the live data set; NothingToUndo if its previous revision cannot be restored."""
    dataset, live = plan.dataset, plan.current
    if live is None or "previous" not in live:
        raise NothingToUndo(f"no load of {dataset} has replaced anything")
    if "reverts" in live:
        raise NothingToUndo(f"the last load of {dataset} was undone already: revision {live['reverts']}")
    if not set(live["previous"]["collections"].values()) <= set(database.list_collection_names()):
        raise NothingToUndo(f"the collections of {dataset} before revision {live['revision']} were dropped")
    return live


def _compare_collection(database: Database, plan: Plan, current: DatasetDocument, name: str) -> None:
    live, previous = (database[each["collections"][name]] for each in (current, current["previous"]))
    diff = plan.differences[name]
    for ids in batches(_changed_ids(live, previous, diff), batch_size(name)):
        old, new = fetch_by_id(live, ids), fetch_by_id(previous, ids)
        for id_ in ids:
            diff.compare(id_, old.get(id_), new.get(id_))
        if name == MENUS:
            names = location_names(database[current["collections"][LOCATIONS]])
            for date, document in old.items():
                after = new.get(date, {}).get("items", [])
                plan.meal_changes += meal_changes(document["_id"], document["items"], after, names)


def _changed_ids(live: Collection, previous: Collection, diff: CollectionDiff) -> Sequence[Id]:
    """Count the documents that are equal in both, and return the ids of the others."""
    old, new = _fingerprints(live), _fingerprints(previous)
    changed = sorted(id_ for id_ in old.keys() | new.keys() if old.get(id_) != new.get(id_))
    diff.unchanged = len(old.keys() | new.keys()) - len(changed)
    return changed


def _fingerprints(collection: Collection) -> dict[Id, object]:
    """Return the digest of each document by id, and all members of those that have no digest."""
    documents = collection.find({}, _OF_DOCUMENTS_WITH_DIGEST)
    return {document["_id"]: document.get("digest") or document for document in documents}
