"""What became of loads, and what they changed: read from what publishing has kept."""

from datetime import UTC
from typing import Any

from pymongo.database import Database

from campus_api.database import CHANGES, DATASETS, IMPORTS, MENUS
from loaders.publishing.diff import Change, MealChange
from loaders.publishing.journal import SUCCEEDED
from loaders.publishing.lock import is_held


class UnknownRevision(Exception):
    """A revision that no load has made; the message names it."""


def imports(database: Database, datasets: list[str]) -> list[dict[str, Any]]:
    """Return the loads of the data sets, oldest first; one that began and did not end is running or interrupted."""
    live = {document["_id"]: document.get("import") for document in database[DATASETS].find()}
    running = {dataset for dataset in datasets if is_held(database, dataset)}
    found = list(database[IMPORTS].find({"dataset": {"$in": datasets}}).sort([("started_at", 1), ("_id", 1)]))
    for entry in found:
        entry |= {key: entry[key].replace(tzinfo=UTC) for key in ("started_at", "finished_at") if key in entry}
    # Of several loads that have not ended only the last one can be running.
    for entry in reversed(found):
        if entry["state"] == "started":
            entry["state"] = _state(entry, live, running)
            running.discard(entry["dataset"])
    return found


def differences(database: Database, dataset: str, revision: int) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Return the load that made a revision, and by collection the documents that it changed.

    What changes of dates that were there before is a `MealChange`, all else a `Change`. UnknownRevision when there is
    none.
    """
    live = database[DATASETS].find_one({"_id": dataset}) or {}
    made = {"$or": [{"state": {"$in": SUCCEEDED}}, {"_id": live.get("import")}]}
    entry = None
    if revision <= live.get("revision", 0):
        entry = database[IMPORTS].find_one({"dataset": dataset, "revision": revision, **made})
    if entry is None:
        raise UnknownRevision(f"{dataset} have no revision {revision}")
    found: dict[str, list[Any]] = {name: [] for name in entry["collections"]}
    for document in database[CHANGES].find({"dataset": dataset, "revision": revision}).sort("_id"):
        changes = [Change(**change) for change in document.get("changes", [])]
        # What changes of a date stands in its meals.
        found[document["collection"]] += [c for c in changes if document["collection"] != MENUS or c.what != "changed"]
        found[document["collection"]] += [MealChange(**meal) for meal in document.get("meals", [])]
    return entry, found


def _state(entry: dict[str, Any], live: dict[str, Any], running: set[str]) -> str:
    if entry["_id"] == live.get(entry["dataset"]):
        return "published"
    return "running" if entry["dataset"] in running else "interrupted"
