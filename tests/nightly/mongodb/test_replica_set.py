"""Loads while members of a replica set are killed."""

from itertools import count

import pytest
from pymongo import MongoClient

from tests.processes.commands import wait_for_process
from tests.processes.synthetic_data import STAGES, Buildings, Menus

names = (f"test_{number}" for number in count())


@pytest.fixture
def mongod_uri(replica_set):
    """The URI of an empty database in a healthy replica set."""
    replica_set.heal()
    return replica_set.uri(next(names))


@pytest.fixture
def database(mongod_uri):
    with MongoClient(mongod_uri, tz_aware=True) as client:
        yield client.get_default_database()


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("data", [Buildings(3000), Menus(60, 60)], ids=["buildings", "menus"])
def test_a_load_survives_a_failover_or_can_be_repeated(load, replica_set, database, data, stage):
    data.publish(database, "old")
    primary = replica_set.primary()
    loading = load(data.dataset, "new", data.export("new"))
    wait_for_process(loading, lambda: STAGES[stage](data, database), pause=0.001)

    primary.kill()

    assert loading.wait() in (0, 4), loading.output()
    assert "Traceback" not in loading.output()
    assert loading.returncode == 0 or load(data.dataset, "new", data.export("new")).wait() == 0
    assert data.live(database) == data.expected("new")


def test_a_load_that_loses_the_majority_exits_with_4_and_can_be_repeated(load, replica_set, database):
    data = Menus(60, 60)
    data.publish(database, "old")
    secondaries = replica_set.secondaries()
    for member in secondaries:
        member.stop_replication()
    # Its first write waits for the majority.
    loading = load(data.dataset, "new", data.export("new"))
    wait_for_process(loading, lambda: STAGES["the load is recorded"](data, database))

    for member in secondaries:
        member.kill()

    assert loading.wait() == 4, loading.output()
    assert loading.output().startswith("campus-load: the database is not available: ")
    assert len(loading.output().splitlines()) == 1
    replica_set.heal()
    assert load(data.dataset, "new", data.export("new")).wait() == 0
    assert data.live(database) == data.expected("new")
