"""One load of a data set at a time: a lock that a dead holder cannot keep."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

from pymongo.collection import Collection
from pymongo.database import Database
from pymongo.errors import DuplicateKeyError, PyMongoError

from campus_api.database import LOCKS

# A holder renews its lock in time. That of a process of this machine is free once the process has ended; that of
# another machine when its time is over, so their clocks must not differ by more than that.
_VALID_SECONDS = 20
_RENEWAL_SECONDS = 5
_PAUSE_SECONDS = 0.2
# Of the fields of /proc/<pid>/stat after the name: when a process started, and the states of those that have ended.
_STARTED, _ENDED = 19, ("Z", "X")

Lock = dict[str, Any]


class Locked(Exception):
    """The right to load is or may be another's; the message says whose."""


class Held:
    """A lock that was got, and may be lost when this process stands still for too long."""

    def __init__(self, locks: Collection, dataset: str) -> None:
        """Take the collection of the locks and the data set to load."""
        self._locks, self._dataset, self._holder = locks, dataset, uuid4().hex
        self._valid_until = time.monotonic() + _VALID_SECONDS
        self._done = threading.Event()

    def confirm(self) -> None:
        """Raise Locked unless nobody else can have got the lock."""
        if time.monotonic() > self._valid_until - _RENEWAL_SECONDS:
            raise Locked(f"this load of {self._dataset} stood still for too long, another may have begun")

    def acquire(self, patience: float) -> None:
        """Wait for the lock for at most so many seconds."""
        deadline = time.monotonic() + patience
        while not self._try():
            if time.monotonic() >= deadline:
                other = self._locks.find_one({"_id": self._dataset}) or {}
                raise Locked(f"another load of {self._dataset} is running{_whose(other)}")
            time.sleep(_PAUSE_SECONDS)

    def _try(self) -> bool:
        found = self._locks.find_one({"_id": self._dataset})
        if found and not _is_free(found):
            return False
        # Whoever else sees that it is free finds another holder then, or cannot insert.
        mine = {"_id": self._dataset, "holder": (found or {}).get("holder")}
        began = time.monotonic()
        try:
            self._locks.update_one(mine, {"$set": {"holder": self._holder, "until": _until(), **_this()}}, upsert=True)
        except DuplicateKeyError:
            return False
        self._valid_until = began + _VALID_SECONDS
        return True

    def renew(self) -> None:
        """Go on renewing the lock until it is released."""
        while not self._done.wait(_RENEWAL_SECONDS):
            began = time.monotonic()
            # A renewal that fails is tried again while the lock is still valid; the load meets the same failure.
            with suppress(PyMongoError):
                mine = {"_id": self._dataset, "holder": self._holder}
                if self._locks.update_one(mine, {"$set": {"until": _until()}}).matched_count:
                    self._valid_until = began + _VALID_SECONDS

    def stop_renewal(self) -> None:
        """Renew the lock no more."""
        self._done.set()

    def release(self) -> None:
        """Leave the lock to others, if it was not lost."""
        self.stop_renewal()
        self._locks.delete_one({"_id": self._dataset, "holder": self._holder})


@contextmanager
def locked(database: Database, dataset: str, patience: float) -> Iterator[Held]:
    """Hold the right to load a data set; Locked when another load keeps it for over `patience` seconds."""
    held = Held(database[LOCKS], dataset)
    held.acquire(patience)
    renewal = threading.Thread(target=held.renew, daemon=True)
    renewal.start()
    try:
        yield held
    except PyMongoError:
        # Who cannot reach the database cannot free the lock either, and should not wait for it once more.
        held.stop_renewal()
        raise
    except BaseException:
        held.release()
        raise
    held.release()


def is_held(database: Database, dataset: str) -> bool:
    """Tell whether a load of the data set is running."""
    found = database[LOCKS].find_one({"_id": dataset})
    return found is not None and not _is_free(found)


def _is_free(lock: Lock) -> bool:
    if lock.get("machine") is not None and lock["machine"] == _this()["machine"]:
        return _has_ended(lock["process"], lock["started"])
    return lock["until"].replace(tzinfo=UTC) < datetime.now(UTC)


def _this() -> Lock:
    """Name this process so that no other has its name; without a machine where that cannot be told."""
    pid = os.getpid()
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        # Process numbers mean the same only within one space of them, such as a container.
        return {
            "machine": f"{boot} {os.readlink('/proc/self/ns/pid')}",
            "process": pid,
            "started": _stat(pid)[_STARTED],
        }
    return {"machine": None, "process": pid, "started": None}


def _has_ended(pid: int, started: str) -> bool:
    """Tell whether the process of this machine that had this number and started then is no more."""
    try:
        fields = _stat(pid)
    except OSError:
        # A machine may hide the processes of other people, but not that they are there.
        return not _exists(pid)
    return fields[0] in _ENDED or fields[_STARTED] != started


def _stat(pid: int) -> list[str]:
    text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    return text.rpartition(") ")[2].split()


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _whose(lock: Lock) -> str:
    return f" (process {lock['process']})" if lock.get("machine") == _this()["machine"] and lock else ""


def _until() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=_VALID_SECONDS)
