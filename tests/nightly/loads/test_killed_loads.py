"""Loads that are killed or paused leave complete states."""

import signal
import time

import pytest

from tests.processes.commands import wait_for
from tests.processes.synthetic_data import Buildings, Menus, revision, states

BUILDINGS, MENUS = Buildings(3000), Menus(60, 60)
data_sets = pytest.mark.parametrize("data", [BUILDINGS, MENUS], ids=["buildings", "menus"])

# Stages of a load that are visible in the database.
STAGES = {
    "the load is recorded": lambda data, database: len(states(database, data.dataset)) == 2,
    "the first document is written": lambda data, database: data.written(database) > 0,
    "all documents are written": lambda data, database: data.written(database) == data.documents,
    "the revision is live": lambda data, database: revision(database, data.dataset) == 2,
}


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait()


@data_sets
@pytest.mark.parametrize("stage", STAGES)
def test_a_killed_load_leaves_a_complete_state_and_can_be_repeated(load, mongod_database, data, stage):
    data.publish(mongod_database, "old")
    killed = load(data.dataset, "new", data.export("new"))
    wait_for(lambda: STAGES[stage](data, mongod_database), pause=0.001)
    kill(killed)
    left, was_published = data.live(mongod_database), revision(mongod_database, data.dataset) == 2

    repeated = load(data.dataset, "new", data.export("new"))

    assert repeated.wait() == 0, repeated.output()
    assert left in (data.expected("old"), data.expected("new"))
    assert data.live(mongod_database) == data.expected("new")
    assert was_published or states(mongod_database, data.dataset) == ["published", "interrupted", "published"]
    assert "started" not in states(mongod_database, data.dataset)


@data_sets
def test_a_load_may_be_killed_repeatedly(load, mongod_database, data):
    data.publish(mongod_database, "old")
    left = []
    for delay in (0, 0.05, 0.1):
        before = len(states(mongod_database, data.dataset))
        killed = load(data.dataset, "new", data.export("new"))
        wait_for(lambda before=before: len(states(mongod_database, data.dataset)) > before, pause=0.001)
        time.sleep(delay)
        kill(killed)
        left.append(data.live(mongod_database))

    repeated = load(data.dataset, "new", data.export("new"))

    assert repeated.wait() == 0, repeated.output()
    assert [state for state in left if state not in (data.expected("old"), data.expected("new"))] == []
    assert data.live(mongod_database) == data.expected("new")


@data_sets
def test_a_load_paused_during_another_is_compared_again(load, mongod_database, data):
    data.publish(mongod_database, "old")
    slow = load(data.dataset, "slow", data.export("slow"))
    wait_for(lambda: len(states(mongod_database, data.dataset)) == 2, pause=0.001)
    slow.send_signal(signal.SIGSTOP)
    # In this process, so that the pause is far shorter than the timeout of the slow load.
    data.publish(mongod_database, "fast")
    between = data.live(mongod_database)
    slow.send_signal(signal.SIGCONT)

    assert slow.wait() == 0, slow.output()
    assert between in (data.expected("fast"), data.expected("slow"))
    assert data.live(mongod_database) in (data.expected("slow"), data.expected("fast"))
    assert revision(mongod_database, data.dataset) == 3
