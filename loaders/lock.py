"""One load of a data set at a time: a lock that a dead holder cannot keep."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from pymongo.collection import Collection
from pymongo.database import Database
from pymongo.errors import DuplicateKeyError, PyMongoError

from campus_api.database import LOCKS

# A holder renews its lock in time; the lock of one that died is free when its time is over. The clocks of
# machines that load into the same database must not differ by more than that.
_VALID_SECONDS = 20
_RENEWAL_SECONDS = 5
_PAUSE_SECONDS = 0.2


class Locked(Exception):
    """Another load of the same data set is running, for longer than we would wait."""


@contextmanager
def locked(database: Database, dataset: str, patience: float) -> Iterator[None]:
    """Hold the right to load a data set; Locked when another load keeps it for over `patience` seconds."""
    locks, holder, done = database[LOCKS], uuid4().hex, threading.Event()
    _acquire(locks, dataset, holder, patience)
    renewal = threading.Thread(target=_renew, args=(locks, dataset, holder, done), daemon=True)
    renewal.start()
    try:
        yield
    finally:
        done.set()
        renewal.join()
        locks.delete_one({"_id": dataset, "holder": holder})


def _acquire(locks: Collection, dataset: str, holder: str, patience: float) -> None:
    deadline = time.monotonic() + patience
    while True:
        free = {"_id": dataset, "until": {"$lt": datetime.now(UTC)}}
        try:
            locks.update_one(free, {"$set": {"holder": holder, "until": _until()}}, upsert=True)
            return
        except DuplicateKeyError:
            if time.monotonic() >= deadline:
                raise Locked(f"another load of {dataset} is running") from None
        time.sleep(_PAUSE_SECONDS)


def _renew(locks: Collection, dataset: str, holder: str, done: threading.Event) -> None:
    while not done.wait(_RENEWAL_SECONDS):
        # A renewal that fails is tried again while the lock is still valid; the load meets the same failure.
        with suppress(PyMongoError):
            locks.update_one({"_id": dataset, "holder": holder}, {"$set": {"until": _until()}})


def _until() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=_VALID_SECONDS)
