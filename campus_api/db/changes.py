"""What the last loads changed in what is served, as the loaders record it."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import chain, islice

from campus_api.db.connection import COLLECTIONS, LOAD_CHANGES, LOADS, LOADS_WITH_CHANGES, PUBLISHED_STATES
from campus_api.db.snapshot import Document, Snapshot
from campus_api.domain.feeds import Load
from campus_api.domain.models import ChangeRow

Since = int | datetime

# What the documents of a collection are.
_TYPES = {
    "buildings": "building",
    "categories": "category",
    "locations": "location",
    "recipes": "recipe",
    "menus": "menu",
}
# By the changed field; of several, the first.
_KINDS = {"name": "renamed", "geometry": "moved"}
_ADVICE = "load all data, then request the changes after that"


class ForgottenChanges(Exception):
    """The changes after this moment are no longer stored, or it is a revision of another database."""


class ChangeStore:
    """The changes up to the live revisions of a snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def loads(self, datasets: Sequence[str] | None, since: Since | None = None) -> list[Load]:
        """Return the loads after a revision or a time, newest first, of all data sets if None; or ForgottenChanges."""
        names = datasets or list(COLLECTIONS)
        if isinstance(since, int) and self._is_unknown(names, since):
            raise ForgottenChanges(f"This database has not had the revision {since}: {_ADVICE}")
        after = chain.from_iterable(self._after(dataset, since) for dataset in names)
        return sorted(after, key=lambda load: load.loaded_at, reverse=True)

    def find(
        self, datasets: Sequence[str] | None, since: Since | None, start: int, count: int
    ) -> tuple[list[ChangeRow], bool]:
        """Return `count` changes from the number `start` on, newest load first, and whether there are more."""
        rows = chain.from_iterable(map(self._rows, self.loads(datasets, since)))
        page = list(islice(rows, start, start + count + 1))
        # A link to no rows would have the same link again.
        return page[:count], len(page) > count > 0

    def _after(self, dataset: str, since: Since | None) -> list[Load]:
        loads = self._loads(dataset)
        if since is None:
            return loads
        oldest = loads[-1] if len(loads) == LOADS_WITH_CHANGES else None
        # Nothing precedes the first revision.
        if oldest and oldest.revision > 1 and _is_after(oldest, since, gap=1):
            first = f"revision {oldest.revision} on, of {_timestamp(oldest)}"
            raise ForgottenChanges(f"The changes of {dataset} are stored from {first}: {_ADVICE}")
        return [load for load in loads if _is_after(load, since)]

    def _is_unknown(self, datasets: Sequence[str], revision: int) -> bool:
        """Return whether a revision is later than the live ones, and than those that other processes may serve."""
        loaded = self._snapshot.datasets
        live = [loaded[name]["revision"] for name in datasets if name in loaded]
        if not live or revision <= max(live):
            return False
        query = {"dataset": {"$in": datasets}, "revision": {"$gte": revision}}
        return not list(self._snapshot.find(LOADS, query, ["_id"], dict, limit=1))

    def _loads(self, dataset: str) -> list[Load]:
        # Without a document, MongoDB says whether that is an outage.
        document: Document = self._snapshot.datasets.get(dataset) or {"revision": 0}
        live = document.get("load")
        query = {
            "dataset": dataset,
            "revision": {"$lte": document["revision"]},
            "$or": [{"state": {"$in": PUBLISHED_STATES}}, {"_id": live}],
        }
        fields = ["dataset", "revision", "loaded_at", "started_at", "collections", "changed_ids"]

        def load(entry: Document) -> Load:
            # A load that has not recorded when it was live was loaded after it started.
            moment = entry.get("loaded_at", entry["started_at"])
            if entry["_id"] == live:
                moment = document["loaded_at"]
            counts = entry["collections"]
            changed_ids = entry.get("changed_ids", {})
            return Load(entry["_id"], dataset, entry["revision"], moment, counts, changed_ids)

        newest = {"sort": [("revision", -1)], "limit": LOADS_WITH_CHANGES}
        return list(self._snapshot.find(LOADS, query, fields, load, **newest))

    def _rows(self, load: Load) -> Iterator[ChangeRow]:
        row = partial(ChangeRow, _timestamp(load), load.dataset, load.revision)
        query, fields = {"load": load.id}, {"load": 0}
        documents = self._snapshot.find(LOAD_CHANGES, query, fields, dict, sort=[("_id", 1)])
        is_empty = True
        served = set()
        for document in documents:
            is_empty = False
            type_ = _TYPES[document["collection"]]
            for change in document.get("changes", ()):
                yield from _changed(row, type_, change)
            for meal in document.get("meals", ()):
                if (meal["date"], meal["location"]) not in served:
                    served.add((meal["date"], meal["location"]))
                    yield row("changed", "menu", meal["location"], meal["name"], date=meal["date"])
        if is_empty:
            # The first load of buildings records nothing: all of them are new.
            yield row("added", _TYPES[COLLECTIONS[load.dataset][0]])


def _timestamp(load: Load) -> str:
    return load.loaded_at.isoformat(timespec="milliseconds")


def _is_after(load: Load, since: Since, gap: int = 0) -> bool:
    return load.loaded_at > since if isinstance(since, datetime) else load.revision > since + gap


def _changed(row: Callable[..., ChangeRow], type_: str, change: Document) -> Iterator[ChangeRow]:
    """Yield the row of a changed document, none if it is a date whose locations have rows, or only `as_of` differs."""
    kind, fields = change["action"], change["fields"]
    if type_ == "menu":
        if kind != "changed":
            yield row(kind, type_, date=change["id"])
    elif fields.keys() != {"as_of"}:
        kind = next((kind for name, kind in _KINDS.items() if name in fields), kind)
        before, _ = fields.get("name", (None, None))
        yield row(kind, type_, change["id"], change["name"], before, fields=sorted(fields))
