"""The live revision of each data set and the availability of MongoDB, polled once a second."""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import monotonic

from bson import Timestamp
from pymongo.client_session import ClientSession
from pymongo.database import Database

from campus_api.db.connection import MENUS, DatabaseUnavailable, causal_session, read_records, translate_errors
from campus_api.domain.models import DatasetRecord

NAMES = ("buildings", "dining")

# How long a query waits for the next poll after another one has failed.
STATUS_WAIT_SECONDS = 0.05

_POLL_SECONDS = 1.0

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _State:
    """The result of the last successful poll.

    `replaced_at` is when each former version that this process has seen was replaced by a load. `cluster_time` is the
    operation time at which these records were first read; None for a standalone MongoDB.
    """

    records: dict[str, DatasetRecord]
    versions: dict[str, str]
    date_range: tuple[str, str] | None
    polled_at: float
    cluster_time: Timestamp | None
    replaced_at: dict[str, datetime]


class RevisionMonitor:
    """The live revisions of "buildings" and "dining", and whether MongoDB is available.

    `is_down` is whether the last poll failed. `live_versions` maps data sets to versions; it is empty while MongoDB is
    down and before the first poll.
    """

    def __init__(self, database: Database, on_close: Callable[[], None] = lambda: None) -> None:
        self.database = database
        self._on_close = on_close
        self._state: _State | None = None
        self.is_down = False
        self.live_versions: Mapping[str, str] = {}
        self._lock = threading.Lock()
        self._wake = threading.Event()
        # Cleared by a failed query until the next poll.
        self._status_known = threading.Event()
        self._status_known.set()
        self._thread: threading.Thread | None = None
        self._closed = False

    def record(self, name: str) -> DatasetRecord | None:
        """Return the record of a data set, or None before its first load.

        Raise DatabaseUnavailable if no poll has succeeded yet.
        """
        return self._known_state.records.get(name)

    def version(self, name: str) -> str:
        """Return a string that changes with each load of a data set."""
        return self._known_state.versions[name]

    @property
    def date_range(self) -> tuple[str, str] | None:
        """Return the first and the last date with menus."""
        return self._known_state.date_range

    @property
    def is_known(self) -> bool:
        """Return whether any poll has succeeded."""
        return self._state is not None

    def age(self, version: str) -> float:
        """Return the seconds since a version was last known to be live: since a load replaced it, or the last poll."""
        state = self._known_state
        since_poll = monotonic() - state.polled_at
        if version not in state.replaced_at:
            return since_poll
        return max((datetime.now(UTC) - state.replaced_at[version]).total_seconds(), since_poll)

    @contextmanager
    def session(self) -> Iterator[ClientSession | None]:
        """Open a causally consistent session; fail fast while MongoDB is known to be down.

        Any member of a replica set then reads at least the revisions that are live here. After a failed query, others
        wait for the next poll, but only for STATUS_WAIT_SECONDS, because they occupy threads.
        """
        if self.is_down or not self._status_known.wait(STATUS_WAIT_SECONDS):
            raise DatabaseUnavailable("the last attempt to reach it failed")
        after = self._cluster_time
        try:
            # Without a cluster time no session is needed.
            with causal_session(self.database, after) if after else translate_errors() as session:
                yield session
        except DatabaseUnavailable:
            self._status_known.clear()
            self._wake.set()
            raise

    def poll(self) -> None:
        """Read the records of the live revisions now."""
        # Serialized, so that an older result never replaces a newer one.
        with self._lock:
            try:
                with causal_session(self.database, self._cluster_time) as session:
                    state = self._read_state(session)
            except DatabaseUnavailable as error:
                if not self.is_down:
                    log.error("MongoDB is not available: %s", error)
                self.is_down, self.live_versions = True, {}
            else:
                if self.is_down:
                    log.warning("MongoDB is available again")
                self._state, self.is_down, self.live_versions = state, False, state.versions
            finally:
                self._status_known.set()

    def start_polling(self, on_poll: Callable[[], None]) -> None:
        """Poll now, then once a second in the background, and call `on_poll` after each background poll."""
        self.poll()
        self._thread = threading.Thread(target=self._run, args=(on_poll,), name="revisions", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop polling and close the connection."""
        self._closed = True
        self._wake.set()
        if self._thread:
            self._thread.join()
        self._on_close()

    @property
    def _known_state(self) -> _State:
        if self._state is None and not self.is_down:
            self.poll()
        if self._state is None:
            raise DatabaseUnavailable("it has not responded yet")
        return self._state

    @property
    def _cluster_time(self) -> Timestamp | None:
        return self._state.cluster_time if self._state else None

    def _read_state(self, session: ClientSession | None) -> _State:
        state = self._state
        records = read_records(self.database, session)
        if state and records == state.records:
            # The cluster time of the load suffices: all members have replicated it by now, or will soon.
            return replace(state, polled_at=monotonic())
        cluster_time = session.operation_time if session else None
        date_range = self._read_date_range(records["dining"], session) if "dining" in records else None
        versions = {name: _version(name, records.get(name)) for name in NAMES}
        return _State(records, versions, date_range, monotonic(), cluster_time, _replaced_at(state, records, versions))

    def _read_date_range(self, record: DatasetRecord, session: ClientSession | None) -> tuple[str, str] | None:
        menus = self.database[record["collections"][MENUS]]
        first, last = (menus.find_one({}, ["_id"], sort=[("_id", order)], session=session) for order in (1, -1))
        return (first["_id"], last["_id"]) if first and last else None

    def _run(self, on_poll: Callable[[], None]) -> None:
        while not self._closed:
            try:
                self.poll()
                on_poll()
            except Exception:
                # The next poll may succeed; without this thread, new revisions would never be noticed.
                log.exception("Polling the live revisions failed")
            # Also after an error, so that an immediate failure does not loop without a pause.
            self._wake.wait(_POLL_SECONDS)
            self._wake.clear()


def _version(name: str, record: DatasetRecord | None) -> str:
    return f"{name} {record['revision']} {record['loaded_at'].isoformat()}" if record else f"{name} 0"


def _replaced_at(
    state: _State | None, records: Mapping[str, DatasetRecord], versions: Mapping[str, str]
) -> dict[str, datetime]:
    if state is None:
        return {}
    replaced = [name for name in records if versions[name] != state.versions[name]]
    return state.replaced_at | {state.versions[name]: records[name]["loaded_at"] for name in replaced}
