"""One snapshot of the live revisions: everything that a response is rendered from."""

import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import Any, TypeVar

from bson import Timestamp
from pymongo.client_session import ClientSession
from pymongo.collection import Collection
from pymongo.database import Database
from pymongo.errors import OperationFailure

from campus_api.db.connection import COLLECTIONS, collection_exists
from campus_api.db.errors import DatabaseUnavailable, QueryFailed, QueryTimeout, translate_errors
from campus_api.domain.allergens.vocabulary import DietVocabulary
from campus_api.domain.models import MEALS, DatasetDocument

Document = Mapping[str, Any]
Fields = Sequence[str] | Document
T = TypeVar("T")
Decode = Callable[[Document], T]

# All documents in one batch of up to 16 MB: a later batch fails if the member that holds the cursor is lost.
_BATCH_SIZE = 1_000_000
# QueryPlanKilled: the collection was dropped between two batches.
_DROPPED = 175
_DATASETS = {collection: dataset for dataset, collections in COLLECTIONS.items() for collection in collections}


class StaleRevision(DatabaseUnavailable):
    """A collection of a live revision does not exist: the revision was dropped, or is being restored."""


@dataclass(frozen=True)
class Snapshot:
    """The live revisions of one moment: data sets, dates and collections that belong together.

    `datasets` are the documents of those that were loaded, by name, first read at the operation time `cluster_time`,
    None for a standalone MongoDB. `dates` are those with menus, in order, closed days included. `missing` has a
    sentence for each collection that did not exist, as after the restore of an incomplete backup. `database_id` is the
    UUID of the database, "" if it has none. `open_session` opens a session that reads at least what was live at that
    time, and raises DatabaseUnavailable while MongoDB is down.
    """

    database: Database
    open_session: Callable[[Timestamp | None], AbstractContextManager[ClientSession | None]]
    datasets: Mapping[str, DatasetDocument]
    dates: Sequence[str] = ()
    missing: Mapping[str, str] = field(default_factory=dict)
    cluster_time: Timestamp | None = None
    database_id: str = ""
    _memo: dict[tuple[str, str], Future] = field(default_factory=dict, compare=False, repr=False)

    def memoize(self, name: str, read: Callable[[], T], date: str = "") -> T:
        """Return what `read` returns or raises, which one thread calls and the others wait for.

        An error is not stored, and of each name only the last date is.
        """
        future = self._memo.get((name, date))
        if future is None:
            own: Future[T] = Future()
            future = self._memo.setdefault((name, date), own)
            if future is own:
                self._resolve(own, (name, date), read)
        return future.result()

    def _resolve(self, future: Future[T], key: tuple[str, str], read: Callable[[], T]) -> None:
        for other in [each for each in [*self._memo] if each[0] == key[0] and each != key]:
            self._memo.pop(other, None)
        try:
            future.set_result(read())
        except BaseException as error:
            self._memo.pop(key, None)
            future.set_exception(error)

    @property
    def vocabulary(self) -> DietVocabulary | None:
        """Return the labels and allergens of recipes, None if they could not be read yet."""
        future = self._memo.get(("vocabulary", ""))
        return future.result() if future and future.done() and not future.exception() else None

    def names(self, collection: str) -> dict[int, str]:
        """Return the names of all locations, categories or recipes by id, sorted by id; read once."""

        def read() -> dict[int, str]:
            return dict(self.find_all(collection, ["name"], itemgetter("_id", "name")))

        return self.memoize(f"names of {collection}", read)

    def newest(self, *datasets: str) -> DatasetDocument | None:
        """Return the document of the data set that was loaded last, None before the first load of any."""
        loaded = [self.datasets[dataset] for dataset in datasets if dataset in self.datasets]
        return max(loaded, key=itemgetter("loaded_at"), default=None)

    def revisions(self, *datasets: str) -> str:
        """Return the revisions of data sets with the times of their loads, as text."""
        return "; ".join([self._revisions[dataset] for dataset in datasets])

    @cached_property
    def _revisions(self) -> dict[str, str]:
        loaded = {name: f"{each['revision']} {each['loaded_at'].isoformat()}" for name, each in self.datasets.items()}
        return {dataset: f"{dataset} {loaded.get(dataset, 0)}" for dataset in COLLECTIONS}

    @property
    def meals(self) -> dict[int, str]:
        """Return the names of meals by id."""
        rows = self.datasets["dining"].get("meals", ()) if "dining" in self.datasets else ()
        return {row["id"]: row["name"] for row in rows if row["name"]} | MEALS

    def find(self, name: str, query: Document, fields: Fields, row: Decode[T], **options: Any) -> Iterator[T]:
        """Yield `row` of each matching document of a collection, such as "menus", none before its first load.

        Raise StaleRevision if it does not exist, QueryTimeout if the query exceeds `mongo.timeout_ms`, QueryFailed for
        a damaged document, of which `row` raises an error.
        """
        return self._read(name, row, "find", query, projection=fields, batch_size=_BATCH_SIZE, **options)

    def find_all(self, name: str, fields: Fields, row: Decode[T]) -> list[T]:
        """Return `row` of every document of a collection, sorted by id; the errors are those of `find`."""
        return list(self.find(name, {}, fields, row, sort=[("_id", 1)]))

    def find_missing(self) -> Iterator[tuple[str, str]]:
        """Yield each collection that does not exist, with a sentence; an error if MongoDB refuses to read one."""
        for name in _DATASETS:
            try:
                # A slow one is a matter of the requests that read it.
                with suppress(QueryTimeout), translate_errors():
                    list(self.find(name, {}, ["_id"], itemgetter("_id"), limit=1))
            except StaleRevision as error:
                yield name, str(error)

    def aggregate(self, name: str, pipeline: Sequence[Document], row: Decode[T]) -> Iterator[T]:
        """Yield `row` of each document of an aggregation; the errors are those of `find`."""
        return self._read(name, row, "aggregate", pipeline, batchSize=_BATCH_SIZE)

    def _read(self, name: str, row: Decode[T], method: str, query: Any, **options: Any) -> Iterator[T]:
        """Yield `row` of each document that a method of a collection reads; QueryFailed names the collection."""
        try:
            with self.open_session(self.cluster_time) as session:
                collection = self._collection(name)
                if collection is not None:
                    documents = getattr(collection, method)(query, session=session, **options)
                    # The history may be empty, or missing in a backup.
                    if name in _DATASETS:
                        documents = _existing(documents, collection, session)
                    for document in documents:
                        yield _decoded(document, row)
        except QueryFailed as error:
            raise type(error)(f"{name}: {error}") from error

    def _collection(self, name: str) -> Collection | None:
        """Return the live collection, None before its first load, or the history; StaleRevision if it did not exist."""
        # It may be created between a query, which matches nothing, and the check whether it exists.
        if name in self.missing:
            raise StaleRevision(self.missing[name])
        if name not in _DATASETS:
            return self.database[name]
        document = self.datasets.get(_DATASETS[name])
        return self.database[document["collections"][name]] if document else None


def _decoded(document: Document, row: Decode[T]) -> T:
    """Return the row of a document; QueryFailed for a damaged one, whose KeyError would be a 404 in a look-up."""
    try:
        return row(document)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise QueryFailed(f"the document {reprlib.repr(document)} is damaged: {reason}") from error


def _existing(documents: Iterable[T], collection: Collection, session: ClientSession | None) -> Iterator[T]:
    """Yield the documents that a query returns; StaleRevision if there are none because no collection exists."""
    is_empty = True
    try:
        for document in documents:
            is_empty = False
            yield document
    except OperationFailure as error:
        if error.code == _DROPPED:
            raise StaleRevision(f"the collection {collection.name} was dropped") from error
        raise
    if is_empty and not collection_exists(collection, session):
        raise StaleRevision(f"the collection {collection.name} of a live revision does not exist")
