"""Loads while members of a replica set are killed."""

import pytest

from tests.processes.commands import wait_for_process
from tests.processes.synthetic_data import STAGES, Buildings, Menus


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("data", [Buildings(3000), Menus(60, 60)], ids=["buildings", "menus"])
def test_a_load_survives_a_failover_or_can_be_repeated(load, replica_set, mongod_database, data, stage):
    data.publish(mongod_database, "old")
    primary = replica_set.primary()
    loading = load(data.dataset, "new", data.export("new"))
    wait_for_process(loading, lambda: STAGES[stage](data, mongod_database), pause=0.001)

    primary.kill()

    assert loading.wait() in (0, 4), loading.output()
    assert "Traceback" not in loading.output()
    assert loading.returncode == 0 or load(data.dataset, "new", data.export("new")).wait() == 0
    assert data.live(mongod_database) == data.expected("new")


def test_a_load_that_loses_the_majority_exits_with_4_and_can_be_repeated(load, replica_set, mongod_database):
    data = Menus(60, 60)
    data.publish(mongod_database, "old")
    secondaries = replica_set.secondaries()
    for member in secondaries:
        member.stop_replication()
    # Its first write waits for the majority.
    loading = load(data.dataset, "new", data.export("new"))
    wait_for_process(loading, lambda: STAGES["the load is recorded"](data, mongod_database))

    for member in secondaries:
        member.kill()

    assert loading.wait() == 4, loading.output()
    assert loading.output().startswith("campus-load: the database is not available: ")
    assert len(loading.output().splitlines()) == 1
    replica_set.heal()
    assert load(data.dataset, "new", data.export("new")).wait() == 0
    assert data.live(mongod_database) == data.expected("new")
