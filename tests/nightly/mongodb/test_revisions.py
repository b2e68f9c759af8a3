"""The revision monitor, while its MongoDB stops and starts."""

import threading
from datetime import UTC, datetime, timedelta
from threading import Event, Thread

import pytest
from pymongo import MongoClient
from pymongo.monitoring import CommandListener

from campus_api.db.connection import connect_read_only
from campus_api.db.errors import DatabaseUnavailable, QueryFailed
from campus_api.db.revisions import RevisionMonitor
from campus_api.db.stores import Stores
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import serving
from tests.processes import mongod as mongods
from tests.processes.commands import DEADLINE, wait_for


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with mongods.with_data(tmp_path_factory.mktemp("m")) as mongod:
        yield mongod


@pytest.fixture
def mongod(running):
    """A mongod with data, which a test may kill and start."""
    if not running.is_running:
        running.start()
    return running


@pytest.fixture
def start_monitor(mongod):
    """Return a function that returns a monitor of that mongod that has not polled yet."""
    monitors = []

    def start(**options):
        connection = connect_read_only({"mongo.uri": mongod.uri(), "mongo.timeout_ms": 500})
        monitors.append(RevisionMonitor(connection.database, connection.close, **options))
        return monitors[-1]

    yield start
    for monitor in monitors:
        monitor.close()


@pytest.fixture
def monitor(start_monitor):
    return start_monitor()


def poll_until_up(monitor):
    """Poll until MongoDB responds; on a busy machine, the first polls may exceed the timeout."""
    wait_for(lambda: monitor.poll() or not monitor.is_down)


def test_nothing_is_known_and_no_query_attempted_while_no_poll_has_succeeded(mongod, monitor):
    mongod.kill()
    monitor.poll()
    mongod.start()

    with pytest.raises(DatabaseUnavailable, match="the last attempt"):
        Stores(monitor.snapshot()).recipes.find()

    assert (monitor.is_known, monitor.is_down) == (False, True)


def test_in_an_outage_versions_stay_known_with_their_age_since_the_last_poll(mongod, monitor):
    with mongod.database() as database:
        hour_ago = datetime.now(UTC) - timedelta(hours=1)
        database.datasets.update_one({"_id": "dining"}, {"$set": {"loaded_at": hour_ago}})
        database.client.admin.command("fsync")
    poll_until_up(monitor)
    version = monitor.latest.version("dining")
    age = monitor.age(version)

    mongod.kill()
    monitor.poll()

    assert (monitor.is_known, monitor.is_down, monitor.latest.version("dining")) == (True, True, version)
    assert 0 <= age < monitor.age(version) < 3600


def test_an_outage_is_logged_once_and_its_end_noticed_by_the_next_poll(mongod, monitor, caplog):
    mongod.kill()
    monitor.poll()
    monitor.poll()
    mongod.start()

    poll_until_up(monitor)

    assert (monitor.is_down, monitor.latest.record("dining")["revision"]) == (False, 1)
    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "MongoDB is not available",
        "MongoDB is available again",
    ]


def test_a_failed_query_triggers_a_poll(mongod, start_monitor):
    monitor = start_monitor(poll_seconds=3600)
    polled = Event()
    monitor.start_polling(polled.set)
    assert polled.wait(DEADLINE)
    mongod.kill()

    with pytest.raises(DatabaseUnavailable):
        Stores(monitor.latest).recipes.find()

    wait_for(lambda: monitor.is_down)


def test_a_query_that_fails_in_the_warm_up_waits_for_the_next_poll(start_monitor):
    monitor = start_monitor(poll_seconds=3600)
    calls = []

    def fail():
        calls.append(1)
        with pytest.raises(QueryFailed):
            list(monitor.latest.find("menus", {"$unknown": 1}, ["_id"], dict))

    monitor.start_polling(fail)

    wait_for(lambda: calls)
    # The thread ends while it waits for the next poll.
    monitor.close()
    assert len(calls) == 1


def test_an_exception_is_logged_and_does_not_end_polling(start_monitor, caplog):
    monitor = start_monitor(poll_seconds=0.01)
    calls = []

    def fail():
        calls.append(1)
        raise ZeroDivisionError

    monitor.start_polling(fail)

    wait_for(lambda: len(calls) > 2)
    assert {record.message for record in caplog.records} == {"Warming up the cache failed"}


def test_closing_ends_polling_at_once(start_monitor):
    monitor = start_monitor(poll_seconds=3600)
    calls = []
    monitor.start_polling(lambda: calls.append(1))
    wait_for(lambda: calls)

    monitor.close()

    assert (len(calls), [thread for thread in threading.enumerate() if thread.name == "revisions"]) == (1, [])


class HeldReply(CommandListener):
    """Holds back the first reply to `find` until it is released."""

    def __init__(self):
        self.arrived, self.released = Event(), Event()

    def started(self, event):
        pass

    def failed(self, event):
        pass

    def succeeded(self, event):
        if event.command_name == "find" and not self.arrived.is_set():
            self.arrived.set()
            self.released.wait(DEADLINE)


def test_an_older_poll_does_not_replace_the_result_of_a_newer_one(mongod):
    reply = HeldReply()
    with (
        MongoClient(mongod.uri(), tz_aware=True) as loading,
        MongoClient(mongod.uri(), tz_aware=True, event_listeners=[reply]) as client,
    ):
        revisions = RevisionMonitor(client.get_default_database())
        polls = [Thread(target=revisions.poll) for _ in range(2)]
        polls[0].start()
        assert reply.arrived.wait(DEADLINE)
        database = loading.get_default_database()
        published = publish(database, plan_dining(database, [serving(2)]), [])
        polls[1].start()
        # It would end if it did not wait for the first one.
        polls[1].join(timeout=1)
        reply.released.set()
        for poll in polls:
            poll.join()

    assert revisions.latest.record("dining")["revision"] == published
