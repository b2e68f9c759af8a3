"""Loads of a URL whose content has not changed since the last one (304)."""

import hashlib
from importlib.metadata import version
from typing import Any

from pymongo.database import Database

from campus_api.db.connection import LOADS, read_record
from loaders.publishing import history
from loaders.publishing.load import LoadResult
from loaders.publishing.plan import empty_plan
from loaders.publishing.publish import ConcurrentLoadError
from loaders.result import ReadResult


def settings_digest(*settings: object) -> str:
    """Return the SHA-256 of a profile, options and the version of the loaders: equal if they read a file alike."""
    return hashlib.sha256(repr((version("campus-api"), settings)).encode()).hexdigest()


def find_load(database: Database, dataset: str, url: str, settings: str) -> dict[str, Any] | None:
    """Return the last load of only this URL with these settings, if what it read is live as a whole."""
    record = read_record(database, dataset)
    if record is None:
        return None
    source = {"$elemMatch": {"url": url, "settings": settings}}
    live = {"dataset": dataset, "revision": record["revision"], "state": {"$in": ["published", "unchanged"]}}
    query = {**live, "errors": 0, "sources": {"$size": 1, **source}}
    return database[LOADS].find_one(query, sort=[("_id", -1)])


def record_not_modified(database: Database, dataset: str, url: str, settings: str) -> LoadResult:
    """Record that a load would be unchanged; ConcurrentLoadError if another load was published in the meantime."""
    plan = empty_plan(database, dataset)
    last_load = find_load(database, dataset, url, settings)
    if last_load is None:
        raise ConcurrentLoadError(dataset)
    for name, counts in last_load["collections"].items():
        plan.differences[name].unchanged = counts["added"] + counts["changed"] + counts["unchanged"]
    history.record_unpublished(database, plan, last_load["sources"], 0, "unchanged")
    return LoadResult(dataset, "unchanged", ReadResult(sources=last_load["sources"]), plan.current_revision, plan)
