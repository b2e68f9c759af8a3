"""A primary that is killed costs no read, and a member that lags behind gives nothing older than what is live."""

import time
from itertools import count, cycle

import pytest
from pymongo import MongoClient

from campus_api.db.connection import connect_read_only
from campus_api.db.revisions import RevisionMonitor
from tests.service.named import Buildings, Menus
from tests.service.processes import IMPATIENT, ROOT, fetch, wait_for
from tests.service.traffic import traffic

pytestmark = pytest.mark.slow

BUILDINGS, MENUS = Buildings(300), Menus(28, 50)
names = (f"test_{number}" for number in count())


@pytest.fixture
def mongod_uri(replica_set):
    """The address of a database with old buildings and menus in the replica set, all of whose members run."""
    replica_set.heal()
    uri = replica_set.uri(next(names))
    with MongoClient(uri, w="majority", tz_aware=True) as client:
        for data in (BUILDINGS, MENUS):
            data.publish(client.get_default_database(), "old")
    return uri


@pytest.fixture
def server(serve, mongod_uri):
    """The service; it keeps no answer, so that every one is read from MongoDB."""
    server = serve(ROOT / "production.ini", CAMPUS_MONGO_URI=mongod_uri, CAMPUS_CACHE_MEMORY_MB="0", **IMPATIENT)
    wait_for(lambda: fetch(f"{server.url}{BUILDINGS.path}/1").status == 200)
    return server


def buildings():
    return (f"/map/buildings/{id_}" for id_ in cycle(range(1, BUILDINGS.number + 1)))


def menus():
    return (f"{MENUS.path[:-2]}{day:02}" for day in cycle(range(1, MENUS.dates + 1)))


def test_a_killed_primary_costs_no_failed_read(server, replica_set):
    with traffic(server.url, buildings(), menus(), cycle([BUILDINGS.path]), cycle(["/dining/recipes"])) as clients:
        time.sleep(1)
        replica_set.primary().kill()
        killed_at = time.monotonic()
        wait_for(replica_set.primary)
        elected_at = time.monotonic()
        time.sleep(3)

    answers = [answer for client in clients for answer in client.answers]
    assert all(any(killed_at < answer.asked_at < elected_at for answer in client.answers) for client in clients)
    assert {(answer.status, b"old" in answer.body) for answer in answers} == {(200, True)}
    assert {answer.headers["Cache-Status"] for answer in answers} == {None}


@pytest.fixture
def lagging(replica_set, mongod_uri):
    """A secondary that takes in nothing more."""
    member = replica_set.secondary()
    member.lag()
    yield member
    member.kill()


def test_a_member_that_lags_behind_gives_nothing_older_than_what_is_live(server, replica_set, mongod_uri, lagging):
    with MongoClient(mongod_uri, w="majority", tz_aware=True) as client:
        for data in (BUILDINGS, MENUS):
            data.publish(client.get_default_database(), "new")
    lists = [f"{server.url}/dining/recipes", f"{server.url}/map/buildings"]
    wait_for(lambda: all(b"new" in fetch(each).body for each in lists))

    # Without a second vote there is no new primary: both that are left are asked, the one that lags too.
    with traffic(server.url, buildings(), menus(), cycle([BUILDINGS.path]), cycle(["/dining/recipes"])) as clients:
        replica_set.primary().kill()
        time.sleep(6)

    answers = [answer for client in clients for answer in client.answers]
    given = {(answer.status, b"new" in answer.body) for answer in answers}
    assert {(200, True)} <= given <= {(200, True), (503, False)}


def test_members_are_waited_for_up_to_the_load_and_no_further(mongod_uri):
    connection = connect_read_only({"mongo.uri": mongod_uri, "mongo.timeout_ms": 1000})
    revisions = RevisionMonitor(connection.database, connection.close)
    # Before the driver has found the primary, another member may answer.
    wait_for(lambda: revisions.poll() or revisions.record(MENUS.dataset))
    load_time = revisions._cluster_time
    with MongoClient(mongod_uri, w="majority", tz_aware=True) as client:
        client.get_default_database().others.insert_one({})

    revisions.poll()

    assert load_time
    assert revisions._cluster_time == load_time
    revisions.close()
