"""What the last load replaced, as a plan that brings it back."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from bson.raw_bson import DEFAULT_RAW_BSON_OPTIONS, RawBSONDocument
from pymongo.database import Database

from campus_api.database import DATASETS, IMPORTS, REPLACED
from campus_api.folding import packed
from loaders.publishing.diff import Document
from loaders.publishing.journal import SUCCEEDED
from loaders.publishing.plan import DINING, Plan, compare_buildings, compare_dining
from loaders.publishing.publish import collection_of


class NothingToUndo(Exception):
    """There is no last load whose replaced data is still kept; the message says why."""


class _Kept:
    """The documents of a collection, to go through again and again."""

    def __init__(self, database: Database, name: str) -> None:
        self._collection = database[name]

    @property
    def digests(self) -> Iterator[tuple[int, bytes]]:
        return ((document["_id"], document["digest"]) for document in self._collection.find({}, ["digest"]))

    @property
    def encoded(self) -> Iterator[RawBSONDocument]:
        return iter(self._collection.with_options(DEFAULT_RAW_BSON_OPTIONS).find().sort("_id"))

    @property
    def documents(self) -> Iterator[Document]:
        return iter(self._collection.find().sort("_id"))

    @property
    def common_trigrams(self) -> list[str]:
        searches = (document["search"] for document in self._collection.find({}, ["search.trigrams"]))
        # Those that an older version has loaded have none.
        return packed(Counter(trigram for search in searches for trigram in search.get("trigrams", ())))

    def __len__(self) -> int:
        return self._collection.count_documents({})


def plan_undo(database: Database, dataset: str) -> tuple[Plan, list[dict[str, str]]]:
    """Return the plan that brings back what the last load replaced, and the sources that this came from."""
    live = database[DATASETS].find_one({"_id": dataset})
    if live is None or live["revision"] == 1:
        raise NothingToUndo(f"no load of {dataset} has replaced anything")
    last = database[IMPORTS].find_one({"_id": live.get("import")}) or {}
    if "undoes" in last:
        raise NothingToUndo(f"the last load of {dataset} was undone already: revision {last['undoes']}")
    plan = _buildings(database, live) if dataset == "buildings" else _dining(database, live)
    plan.undoes = live["revision"]
    return plan, _sources_before(database, dataset, live["revision"])


def _buildings(database: Database, live: dict[str, Any]) -> Plan:
    kept = collection_of(live["revision"] - 1)
    if kept not in database.list_collection_names():
        raise NothingToUndo(f"the buildings before revision {live['revision']} are not there any more")
    return compare_buildings(database, _Kept(database, kept))


def _dining(database: Database, live: dict[str, Any]) -> Plan:
    wanted: dict[str, Any] = {name: {} for name in DINING}
    for entry in database[REPLACED].find({"revision": live["revision"]}):
        wanted[entry["collection"]][entry["id"]] = entry["document"]
    if not any(wanted.values()):
        raise NothingToUndo(f"what revision {live['revision']} of dining replaced is not there any more")
    return compare_dining(database, wanted)


def _sources_before(database: Database, dataset: str, revision: int) -> list[dict[str, str]]:
    query = {"dataset": dataset, "revision": revision - 1, "state": {"$in": SUCCEEDED}}
    before = database[IMPORTS].find_one(query)
    return before["sources"] if before else []
