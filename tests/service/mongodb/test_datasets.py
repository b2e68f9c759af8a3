"""What the background reading of data sets knows, while its MongoDB comes, goes and comes back."""

import time
from itertools import pairwise
from threading import Event

import pytest

from campus_api.db import revisions
from campus_api.db.connection import DatabaseUnavailable, connect, connect_to_read
from campus_api.db.revisions import Datasets
from loaders.publishing.plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import serving
from tests.service.mongod import Mongod
from tests.service.processes import wait_for


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    mongod = Mongod(tmp_path_factory.mktemp("m"))
    loading = connect({"mongo.uri": mongod.uri()})
    publish(loading.database, plan_dining(loading.database, [serving()]), [])
    # On the disk before somebody kills it.
    loading.database.client.admin.command("fsync")
    loading.close()
    yield mongod
    mongod.kill()


@pytest.fixture
def mongod(running):
    """A mongod with data, which a test may kill and start."""
    if not running.runs:
        running.start()
    return running


@pytest.fixture
def read(mongod):
    """The data sets of that mongod, not read yet."""
    connection = connect_to_read({"mongo.uri": mongod.uri(), "mongo.timeout_ms": 500})
    read = Datasets(connection.database, connection.close)
    yield read
    read.close()


def test_what_was_never_read_is_unavailable_at_once_while_mongodb_is_down(mongod, read):
    mongod.kill()
    read.read()
    mongod.start()

    # It would answer by now.
    with pytest.raises(DatabaseUnavailable):
        read.live("dining")

    assert (read.is_known, read.is_down) == (False, True)


def test_what_was_read_stays_known_while_mongodb_is_down(mongod, read):
    read.read()
    version, age = read.version("dining"), read.age

    mongod.kill()
    read.read()

    assert (read.is_known, read.is_down, read.version("dining")) == (True, True, version)
    assert read.age > age


def test_no_query_is_tried_while_mongodb_is_known_to_be_down(mongod, read):
    mongod.kill()
    read.read()
    mongod.start()

    with pytest.raises(DatabaseUnavailable), read.asking():
        pytest.fail("a query was tried")


def test_mongodb_is_up_again_once_it_answers(mongod, read, caplog):
    mongod.kill()
    read.read()
    mongod.start()

    read.read()

    assert (read.is_down, read.live("dining")["revision"]) == (False, 1)
    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "MongoDB is not available",
        "MongoDB is available again",
    ]


def test_an_outage_is_logged_once(mongod, read, caplog):
    mongod.kill()

    read.read()
    read.read()

    assert len(caplog.records) == 1


def test_a_query_that_fails_wakes_the_probe(mongod, read, monkeypatch):
    monkeypatch.setattr(revisions, "_SECONDS", 60)
    prepared = Event()
    read.watch(then=prepared.set)
    assert prepared.wait(10)
    mongod.kill()

    with pytest.raises(DatabaseUnavailable), read.asking() as session:
        read.database.datasets.find_one({}, session=session)

    wait_for(lambda: read.is_down)


def test_a_defect_is_logged_and_does_not_end_the_reading(read, monkeypatch, caplog):
    monkeypatch.setattr(revisions, "_SECONDS", 0.01)
    calls = []

    def fail():
        calls.append(1)
        raise ZeroDivisionError

    read.watch(then=fail)

    wait_for(lambda: len(calls) > 2)
    assert {record.message for record in caplog.records} == {"The reading of data sets failed"}


def test_mongodb_is_asked_once_a_second(read):
    times = []

    read.watch(then=lambda: times.append(time.monotonic()))

    wait_for(lambda: len(times) > 5)
    # The shortest time between two is the one that a busy machine disturbed least.
    assert 1 <= min(later - earlier for earlier, later in pairwise(times)) < 2


def test_closing_ends_the_reading_at_once(read, monkeypatch):
    monkeypatch.setattr(revisions, "_SECONDS", 60)
    calls = []
    read.watch(then=lambda: calls.append(1))
    wait_for(lambda: calls)
    closed_at = time.monotonic()

    read.close()

    assert time.monotonic() - closed_at < 60
    assert (len(calls), read._thread.is_alive()) == (1, False)
