"""A load that is killed leaves whole states, and the next one publishes; one that sleeps for long comes too late."""

import signal
import time

import pytest

from tests.service.named import Buildings, Menus, revision, states
from tests.service.processes import wait_for

pytestmark = pytest.mark.slow

BUILDINGS, MENUS = Buildings(3000), Menus(60, 60)
data_sets = pytest.mark.parametrize("data", [BUILDINGS, MENUS], ids=["buildings", "menus"])

# What can be seen of a load from outside.
MOMENTS = {
    "the load is on record": lambda data, database: len(states(database, data.dataset)) == 2,
    "the first document is written": lambda data, database: data.written(database) > 0,
    "all is written": lambda data, database: data.written(database) == data.documents,
    "the data set moves": lambda data, database: revision(database, data.dataset) == 2,
}


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait()


@data_sets
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_killed_load_leaves_whole_states_and_runs_again(load, mongod_database, data, moment):
    data.publish(mongod_database, "old")
    killed = load(data.dataset, "new", data.export("new"))
    wait_for(lambda: MOMENTS[moment](data, mongod_database), pause=0.001)
    kill(killed)
    left, was_live = data.live(mongod_database), revision(mongod_database, data.dataset) == 2

    again = load(data.dataset, "new", data.export("new"))

    assert again.wait() == 0, again.said()
    assert left in (data.whole("old"), data.whole("new"))
    assert data.live(mongod_database) == data.whole("new")
    assert was_live or states(mongod_database, data.dataset) == ["published", "interrupted", "published"]
    assert "started" not in states(mongod_database, data.dataset)


@data_sets
def test_a_load_may_be_killed_again_and_again(load, mongod_database, data):
    data.publish(mongod_database, "old")
    left = []
    for delay in (0, 0.05, 0.1):
        before = len(states(mongod_database, data.dataset))
        killed = load(data.dataset, "new", data.export("new"))
        wait_for(lambda before=before: len(states(mongod_database, data.dataset)) > before, pause=0.001)
        time.sleep(delay)
        kill(killed)
        left.append(data.live(mongod_database))

    again = load(data.dataset, "new", data.export("new"))

    assert again.wait() == 0, again.said()
    assert [state for state in left if state not in (data.whole("old"), data.whole("new"))] == []
    assert data.live(mongod_database) == data.whole("new")


@data_sets
def test_a_load_that_sleeps_while_another_is_published_compares_again(load, mongod_database, data):
    data.publish(mongod_database, "old")
    slow = load(data.dataset, "slow", data.export("slow"))
    wait_for(lambda: len(states(mongod_database, data.dataset)) == 2, pause=0.001)
    slow.send_signal(signal.SIGSTOP)
    fast = load(data.dataset, "fast", data.export("fast"))
    status = fast.wait()
    between = data.live(mongod_database)
    slow.send_signal(signal.SIGCONT)

    assert (status, slow.wait()) == (0, 0), fast.said() + slow.said()
    assert between in (data.whole("fast"), data.whole("slow"))
    assert data.live(mongod_database) in (data.whole("slow"), data.whole("fast"))
    assert revision(mongod_database, data.dataset) == 3
