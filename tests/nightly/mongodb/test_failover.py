"""Failover: a killed primary fails no read, and a lagging secondary never serves stale data."""

from itertools import cycle

import pytest

from campus_api.db.connection import connect_read_only
from campus_api.db.revisions import RevisionMonitor
from tests.nightly.traffic import traffic, wait_for_more
from tests.processes.commands import IMPATIENT, PRODUCTION, fetch, wait_for
from tests.processes.synthetic_data import Buildings, Menus

BUILDINGS, MENUS = Buildings(300), Menus(28, 50)


def publish(database, name):
    for data in (BUILDINGS, MENUS):
        data.publish(database, name)


@pytest.fixture
def server(serve, mongod_uri, mongod_database):
    """The service with old data and without a cache, so that every response is read from MongoDB."""
    publish(mongod_database, "old")
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_uri, CAMPUS_CACHE_MEMORY_MB="0", **IMPATIENT)
    wait_for(lambda: fetch(f"{server.url}{BUILDINGS.path}/1").status == 200)
    return server


def reading(server):
    """Run clients that read one building, one date, and lists."""
    ids = (f"/map/buildings/{id_}" for id_ in cycle(range(1, BUILDINGS.number + 1)))
    dates = (f"{MENUS.path[:-2]}{day:02}" for day in cycle(range(1, MENUS.dates + 1)))
    return traffic(server.url, ids, dates, cycle([BUILDINGS.path]), cycle(["/dining/recipes"]))


def test_a_killed_primary_fails_no_read(server, replica_set):
    with reading(server) as clients:
        wait_for_more(clients)
        replica_set.primary().kill()
        # An election takes longer than the timeout of a read.
        wait_for_more(clients)
        wait_for(replica_set.primary)
        wait_for_more(clients, 20)

    responses = [response for client in clients for response in client]
    assert {(response.status, b"old" in response.body) for response in responses} == {(200, True)}
    assert {response.headers["Cache-Status"] for response in responses} == {None}


@pytest.fixture
def lagging(replica_set, server):
    """A secondary whose replication is blocked."""
    member = replica_set.secondaries()[0]
    member.stop_replication()
    yield member
    member.kill()


def test_a_lagging_secondary_never_serves_stale_data(server, replica_set, mongod_database, lagging):
    publish(mongod_database, "new")
    lists = [f"{server.url}/dining/recipes", f"{server.url}/map/buildings"]
    wait_for(lambda: all(b"new" in fetch(each).body for each in lists))

    # Without a majority there is no new primary: reads go to both remaining members.
    with reading(server) as clients:
        replica_set.primary().kill()
        wait_for_more(clients, 20)

    states = {(response.status, b"new" in response.body) for client in clients for response in client}
    assert {(200, True)} <= states <= {(200, True), (503, False)}


def test_reads_wait_for_the_cluster_time_of_the_load_only(mongod_uri, mongod_database):
    publish(mongod_database, "old")
    connection = connect_read_only({"mongo.uri": mongod_uri, "mongo.timeout_ms": 1000})
    revisions = RevisionMonitor(connection.database, connection.close)
    # Until the driver has discovered the primary, another member may respond.
    wait_for(lambda: revisions.poll() or revisions.latest.datasets.get(MENUS.dataset))
    load_time = revisions.latest.cluster_time
    mongod_database.others.insert_one({})

    revisions.poll()

    assert load_time
    assert revisions.latest.cluster_time == load_time
    revisions.close()
