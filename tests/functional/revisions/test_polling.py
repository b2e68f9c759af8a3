"""The monitor of the live revisions: its polls, their errors, and its thread."""

import sys
import threading
from threading import Event, Thread
from zoneinfo import ZoneInfo

import pytest
from pymongo import MongoClient
from pymongo.errors import AutoReconnect, OperationFailure

from campus_api.db.connection import connect
from campus_api.db.errors import DatabaseUnavailable, QueryFailed
from campus_api.db.revisions import RevisionMonitor
from campus_api.db.stores import Stores
from tests.factories import serving
from tests.loaders.interruptions import BeforeCommand
from tests.processes.commands import DEADLINE, wait_for
from tests.publishing import publish_dining
from tests.rejection import raise_in, raised


class BrokenDatabase:
    """A database that raises an error for every collection."""

    client = None

    def __init__(self, error):
        self._error = error

    def __getitem__(self, name):
        raise self._error


class HeldDatabase:
    """A database whose collections are read when it is released; `names` are theirs."""

    client = None

    def __init__(self, database):
        self.released, self.names, self._database = Event(), [], database

    def __getitem__(self, name):
        self.names.append(name)
        self.released.wait(DEADLINE)
        return self._database[name]


@pytest.fixture
def start_monitor(mongod_database):
    """Start a monitor of an empty database that polls once, and then only when it is woken."""
    monitors = []

    def start(on_poll, poll_seconds=3600):
        monitors.append(RevisionMonitor(mongod_database, poll_seconds=poll_seconds))
        monitors[-1].start_polling(on_poll)
        return monitors[-1]

    yield start
    for monitor in monitors:
        monitor.close()


def test_an_error_of_a_poll_is_an_outage_without_queries_that_is_logged_once(caplog):
    for error, reason, is_unexpected in (
        (RuntimeError("out of threads"), "RuntimeError: out of threads", True),
        # AtlasError.
        (OperationFailure("bad auth", 8000), "MongoDB refuses this: bad auth", False),
    ):
        caplog.clear()
        monitor = RevisionMonitor(BrokenDatabase(error))

        for _ in range(2):
            monitor.poll()

        assert (str(monitor.error), monitor.is_known) == (reason, False), error
        assert [bool(record.exc_info) for record in caplog.records] == [is_unexpected], error
        outage = raised(DatabaseUnavailable, Stores(monitor.snapshot(), ZoneInfo("UTC")).recipes.find)
        assert str(outage) == "the last attempt to reach MongoDB failed", error


def test_after_a_failed_connection_alone_queries_fail_fast_until_the_next_poll(mongod_database, caplog):
    monitor = RevisionMonitor(mongod_database)
    monitor.poll()
    for error, is_outage in ((OperationFailure("not authorized", 13), False), (AutoReconnect("closed"), True)):
        caplog.clear()

        assert raised(DatabaseUnavailable, raise_in, monitor.latest.open_session(None), error), error
        is_down = monitor.is_down
        monitor.poll()

        assert (is_down, monitor.is_down) == (is_outage, False), error
        messages = ["MongoDB is not available: closed", "MongoDB is available again"] if is_outage else []
        assert [record.message for record in caplog.records] == messages, error


def test_requests_after_a_pause_wait_for_one_poll_also_if_it_fails():
    snapshot = RevisionMonitor.snapshot.__code__
    in_memory = connect({"mongo.uri": "mongomock://"}).database
    for database in map(HeldDatabase, (BrokenDatabase(AutoReconnect("closed")), in_memory)):
        monitor = RevisionMonitor(database)
        threads = [Thread(target=monitor.snapshot) for _ in range(4)]
        for thread in threads:
            thread.start()
        wait_for(lambda: [frame.f_code for frame in sys._current_frames().values()].count(snapshot) == 3)

        database.released.set()

        for thread in threads:
            thread.join()
        assert database.names.count("datasets") == 1, (monitor.error, database.names)


def test_a_failed_connection_triggers_a_poll(start_monitor):
    polls = []
    monitor = start_monitor(lambda: polls.append(1))
    wait_for(lambda: len(polls) == 1)

    assert raised(DatabaseUnavailable, raise_in, monitor.latest.open_session(None), AutoReconnect("connection closed"))

    wait_for(lambda: len(polls) == 2)


def test_a_query_that_fails_in_the_warm_up_waits_for_the_next_poll_which_closing_ends(start_monitor):
    failures, started = [], Event()

    def fail():
        assert started.wait(DEADLINE)
        for error in (OperationFailure("unknown operator", 2), AutoReconnect("closed")):
            outage = raised(DatabaseUnavailable, raise_in, monitor.latest.open_session(None), error)
            failures.append((type(outage), monitor._wake.is_set()))

    monitor = start_monitor(fail)
    started.set()
    wait_for(lambda: len(failures) == 2)

    # The thread ends while it waits for the next poll.
    monitor.close()

    assert failures == [(QueryFailed, False), (DatabaseUnavailable, False)]
    assert [thread for thread in threading.enumerate() if thread.name == "revisions"] == []


def test_an_exception_of_the_warm_up_is_logged_and_does_not_end_polling(start_monitor, caplog):
    calls = []

    def fail():
        calls.append(1)
        raise ZeroDivisionError

    start_monitor(fail, poll_seconds=0.01)

    wait_for(lambda: len(calls) > 2)
    assert {record.message for record in caplog.records} == {"Warming up the cache failed"}


class HeldReply(BeforeCommand):
    """Holds back the first reply to `find` until it is released."""

    def __init__(self):
        self.arrived, self.released = Event(), Event()

    def succeeded(self, event):
        if event.command_name == "find" and not self.arrived.is_set():
            self.arrived.set()
            self.released.wait(DEADLINE)


def test_an_older_poll_does_not_replace_the_result_of_a_newer_one(mongod_uri, mongod_database):
    reply = HeldReply()
    with MongoClient(mongod_uri, tz_aware=True, event_listeners=[reply]) as client:
        monitor = RevisionMonitor(client.get_default_database())
        polls = [Thread(target=monitor.poll) for _ in range(2)]
        polls[0].start()
        assert reply.arrived.wait(DEADLINE)
        published = publish_dining(mongod_database, [serving(2)])
        polls[1].start()
        # Without the lock, it ends before the first one.
        wait_for(lambda: monitor._lock.locked() or not polls[1].is_alive())
        reply.released.set()
        for poll in polls:
            poll.join()

    assert monitor.latest.datasets["dining"]["revision"] == published
