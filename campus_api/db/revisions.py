"""The live revision of each data set and the availability of MongoDB, polled once a second."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from datetime import date
from time import monotonic, time

from bson import Timestamp
from pymongo.client_session import ClientSession
from pymongo.database import Database

from campus_api.db.connection import MENUS, RECIPES, causal_session, read_database_id, read_datasets
from campus_api.db.errors import DatabaseUnavailable, NewerLayout, QueryFailed, translate_errors
from campus_api.db.snapshot import Document, Snapshot, StaleRevision
from campus_api.db.stores import RecipeStore

# Superseded revisions are dropped ten seconds after their successors became live.
_MAX_SNAPSHOT_AGE_SECONDS = 5

log = logging.getLogger(__name__)


class RevisionMonitor:
    """The live revisions of "buildings" and "dining", and whether MongoDB is available.

    `latest` is the snapshot of the last successful poll, without data sets before the first. `error` is why the last
    poll failed, or the connection of a query since then, else None. `last_success` is the POSIX time of the last
    successful poll, 0 before the first.
    """

    def __init__(
        self, database: Database, on_close: Callable[[], None] = lambda: None, *, poll_seconds: float = 1.0
    ) -> None:
        self.database = database
        self.latest = Snapshot(database, self._session, {})
        self.error: DatabaseUnavailable | None = None
        self.last_success = 0.0
        self._on_close = on_close
        self._poll_seconds = poll_seconds
        # By time.monotonic(), None before the first successful poll.
        self._polled_at: float | None = None
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        self._closed = False

    @property
    def is_down(self) -> bool:
        """Return whether the last poll failed, or a connection since then."""
        return self.error is not None

    @property
    def is_known(self) -> bool:
        """Return whether any poll has succeeded."""
        return self._polled_at is not None

    def snapshot(self) -> Snapshot:
        """Return the live revisions; poll first if a process that was paused or just started has not done so lately."""
        if self._is_outdated:
            with self._lock:
                # Unless another thread, for which this one waited, has.
                if self._is_outdated:
                    self._poll()
        return self.latest

    @property
    def age(self) -> float:
        """Return the seconds since the live revisions were last read, 0 before the first time."""
        return 0 if self._polled_at is None else monotonic() - self._polled_at

    def poll(self) -> None:
        """Read the documents of the data sets now."""
        # Serialized, so that an older result never replaces a newer one.
        with self._lock:
            self._poll()

    def start_polling(self, on_poll: Callable[[], None]) -> None:
        """Poll now, then every `poll_seconds` in the background, and call `on_poll` after each background poll.

        Raise NewerLayout if the first poll finds data of a newer version: waiting would not help.
        """
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
    def _is_outdated(self) -> bool:
        return not self.is_down and (not self.is_known or self.age > _MAX_SNAPSHOT_AGE_SECONDS)

    @contextmanager
    def _session(self, after: Timestamp | None) -> Iterator[ClientSession | None]:
        """Open a causally consistent session; fail fast while MongoDB is down.

        After a failed connection, it is down until the next poll. A query that fails or exceeds its time limit may be a
        special one.
        """
        if self.is_down:
            raise DatabaseUnavailable("the last attempt to reach MongoDB failed")
        try:
            # Without a cluster time no session is needed.
            with causal_session(self.database, after) if after else translate_errors() as session:
                yield session
        except StaleRevision:
            self.poll()
            raise
        except QueryFailed:
            raise
        except DatabaseUnavailable as error:
            self._set_down(error)
            # The polling thread does not wake itself: a warm-up that fails would be repeated without a pause.
            if threading.current_thread() is not self._thread:
                self._wake.set()
            raise

    def _poll(self) -> None:
        try:
            with causal_session(self.database, self.latest.cluster_time) as session:
                self.latest = self._read(session)
            self._polled_at, self.last_success = monotonic(), time()
        except Exception as error:
            if isinstance(error, NewerLayout) and not self._thread:
                raise
            self._set_down(error)
        else:
            if self.is_down:
                log.warning("MongoDB is available again")
            self.error = None

    def _set_down(self, error: Exception) -> None:
        """Set the error of a poll or a connection; log it if MongoDB was up before, with a traceback if it is a bug."""
        reason = f"{type(error).__name__}: {error}"
        outage = error if isinstance(error, DatabaseUnavailable) else DatabaseUnavailable(reason)
        if not self.is_down:
            log.error("MongoDB is not available: %s", outage, exc_info=None if outage is error else error)
        self.error = outage

    def _read(self, session: ClientSession | None) -> Snapshot:
        """Return the latest snapshot if no load has replaced it, else one of the live revisions."""
        datasets = read_datasets(self.database, session)
        if self.is_known and not self.latest.missing and datasets == self.latest.datasets:
            # The cluster time of the load suffices: all members have replicated it by now, or will soon.
            return self.latest
        cluster_time = session.operation_time if session else None
        identity = read_database_id(self.database, session)
        live = Snapshot(self.database, lambda _: nullcontext(session), datasets, database_id=identity)
        # A request that needs them reads them again.
        with suppress(QueryFailed, StaleRevision):
            RecipeStore(live, RECIPES).vocabulary()
        missing = dict(live.find_missing())
        dates = [] if MENUS in missing else live.find_all(MENUS, ["_id"], _date)
        return replace(live, open_session=self._session, dates=dates, missing=missing, cluster_time=cluster_time)

    def _run(self, on_poll: Callable[[], None]) -> None:
        while not self._closed:
            try:
                self.poll()
                on_poll()
            except Exception:
                # Without this thread, new revisions would never be noticed.
                log.exception("Warming up the cache failed")
            # Also after an error, so that an immediate failure does not loop without a pause.
            self._wake.wait(self._poll_seconds)
            self._wake.clear()


def _date(menu: Document) -> str:
    """Return the date of a menu; ValueError if it is none."""
    return date.fromisoformat(menu["_id"]).isoformat()
