"""Which revision of each data set is live and whether MongoDB answers: asked in the background once a second."""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import monotonic

from bson import Timestamp
from pymongo.client_session import ClientSession
from pymongo.database import Database

from campus_api.db.connection import MENUS, DatabaseUnavailable, Record, available, read_records, reading

NAMES = ("buildings", "dining")

_SECONDS = 1.0
# Time for a MongoDB that is well to say so.
_DOUBT_SECONDS = 0.05

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _State:
    """What MongoDB said when it was asked last: the records by name, the dates of menus, and when that was.

    `since` is the moment of MongoDB, where it has such, at which these records were there.
    """

    records: dict[str, Record]
    versions: dict[str, str]
    dates: tuple[str, str] | None
    read_at: float
    since: Timestamp | None


class Datasets:
    """The live data sets, "buildings" and "dining"; None until a first load.

    `is_down` tells whether MongoDB did not answer when it was asked last; `fresh` has the version of each data set, and
    nothing while MongoDB is down or was not asked yet.
    """

    def __init__(self, database: Database, end: Callable[[], None] = lambda: None) -> None:
        """Take the database, and what ends the use of it; nothing is read before the first question."""
        self.database = database
        self._end = end
        self._state: _State | None = None
        self.is_down = False
        self.fresh: Mapping[str, str] = {}
        self._lock = threading.Lock()
        self._wake = threading.Event()
        # Not set from a query that failed until the next reading, which tells why.
        self._certain = threading.Event()
        self._certain.set()
        self._thread: threading.Thread | None = None
        self._ends = False

    def live(self, name: str) -> Record | None:
        """Return the record of the data set `name`; None when it was never loaded, DatabaseUnavailable when unknown."""
        return self._known.records.get(name)

    def version(self, name: str) -> str:
        """Return a text that changes with each load of the data set `name`."""
        return self._known.versions[name]

    @property
    def dates(self) -> tuple[str, str] | None:
        """Return the first and the last date that has menus."""
        return self._known.dates

    @property
    def is_known(self) -> bool:
        """Tell whether MongoDB has answered at all."""
        return self._state is not None

    @property
    def age(self) -> float:
        """Return how many seconds ago MongoDB answered last."""
        return monotonic() - self._known.read_at

    @contextmanager
    def asking(self) -> Iterator[ClientSession | None]:
        """Return the session to ask MongoDB in: DatabaseUnavailable, at once while it is known to be down.

        Once a query has failed others wait for the next reading, but not for long: they are the ones that hold threads.
        Whichever member of a replica set answers, it has the data sets that are live here, or does not answer.
        """
        if self.is_down or not self._certain.wait(_DOUBT_SECONDS):
            raise DatabaseUnavailable("it did not answer when it was asked last")
        try:
            # Without a moment to wait for no session is needed.
            with reading(self.database, self._since) if self._since else available() as session:
                yield session
        except DatabaseUnavailable:
            self._certain.clear()
            self._wake.set()
            raise

    def read(self) -> None:
        """Ask MongoDB now."""
        # One after the other: what is read first must not be taken for the news.
        with self._lock:
            try:
                with reading(self.database, self._since) as session:
                    state = self._read(session)
            except DatabaseUnavailable as error:
                if not self.is_down:
                    log.error("MongoDB is not available: %s", error)
                self.is_down, self.fresh = True, {}
            else:
                if self.is_down:
                    log.warning("MongoDB is available again")
                self._state, self.is_down, self.fresh = state, False, state.versions
            finally:
                self._certain.set()

    def watch(self, then: Callable[[], None]) -> None:
        """Ask MongoDB now and then once a second in the background, and call `then` after each answer."""
        self.read()
        self._thread = threading.Thread(target=self._watch, args=(then,), name="datasets", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ask no more, and end the use of the database."""
        self._ends = True
        self._wake.set()
        if self._thread:
            self._thread.join()
        self._end()

    @property
    def _known(self) -> _State:
        if self._state is None and not self.is_down:
            self.read()
        if self._state is None:
            raise DatabaseUnavailable("it has not answered yet")
        return self._state

    @property
    def _since(self) -> Timestamp | None:
        return self._state and self._state.since

    def _read(self, session: ClientSession | None) -> _State:
        state = self._state
        records = read_records(self.database, session)
        if state and records == state.records:
            # Its moment stays that of the load: all members have come so far, though one may lag when it is needed.
            return replace(state, read_at=monotonic())
        since = session and session.operation_time
        dates = self._dates(records["dining"], session) if "dining" in records else None
        versions = {name: _version(records.get(name)) for name in NAMES}
        return _State(records, versions, dates, monotonic(), since)

    def _dates(self, record: Record, session: ClientSession | None) -> tuple[str, str] | None:
        menus = self.database[record["collections"][MENUS]]
        first, last = (menus.find_one({}, ["_id"], sort=[("_id", way)], session=session) for way in (1, -1))
        return (first["_id"], last["_id"]) if first and last else None

    def _watch(self, then: Callable[[], None]) -> None:
        while not self._ends:
            try:
                self.read()
                then()
            except Exception:
                # Whatever it is, the next second may be better: without this thread the service would go blind.
                log.exception("The reading of data sets failed")
            # Also after an error: what fails at once must not fail all the time.
            self._wake.wait(_SECONDS)
            self._wake.clear()


def _version(record: Record | None) -> str:
    return f"{record['revision']} {record['loaded_at'].isoformat()}" if record else "0"
