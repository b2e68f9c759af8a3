"""A load that is killed, or that sleeps through its time, leaves whole states; running it again repairs them."""

import signal
import time
from contextlib import ExitStack
from datetime import UTC, datetime

import pytest

from loaders.publishing.batches import BATCH, BATCHES
from tests.service.named import Buildings, Menus, revision, states
from tests.service.processes import wait_for

pytestmark = pytest.mark.slow

BUILDINGS, MENUS = Buildings(3000), Menus(60, 60)
# More than one command writes, so that a load can fall asleep in between.
SEVERAL = {Buildings: Buildings(2 * BATCH + 1), Menus: Menus(2 * BATCHES["menus"] + 1, 10)}
data_sets = pytest.mark.parametrize("data", [BUILDINGS, MENUS], ids=["buildings", "menus"])

# What can be seen of a load from outside.
MOMENTS = {
    "the import is on record": lambda data, database: len(states(database, data.dataset)) == 2,
    "the first document is written": lambda data, database: data.written(database) > 0,
    "all is written": lambda data, database: data.written(database) == data.documents,
    "the data set moves": lambda data, database: revision(database, data.dataset) == 2,
}


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait()


def is_locked(database):
    return database.locks.find_one({"until": {"$gt": datetime.now(UTC)}})


def fall_asleep(sleeping, load, database, data):
    """Start a load and let it sleep, from the first documents that it wrote until the end of `sleeping`."""
    data.publish(database, "old")
    process = load(data.dataset, f"new {data.dataset}", data.export("new"))
    sleeping.callback(process.send_signal, signal.SIGCONT)
    wait_for(lambda: len(states(database, data.dataset)) == 2, pause=0.001)
    wait_for(lambda: step(process) or data.written(database), pause=0)
    assert 0 < data.written(database) < data.documents
    return process


def step(process):
    """Let a process run for a moment, and sleep again: however slow this machine is, it does not get far unseen."""
    process.send_signal(signal.SIGCONT)
    time.sleep(0.001)
    process.send_signal(signal.SIGSTOP)


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
    assert set(left) <= {*data.whole("old"), *data.whole("new")}
    assert data.live(mongod_database) == data.whole("new")
    assert was_live or states(mongod_database, data.dataset) == ["published", "interrupted", "published"]
    assert "started" not in states(mongod_database, data.dataset)


@data_sets
def test_a_load_may_be_killed_again_and_again(load, mongod_database, data):
    data.publish(mongod_database, "old")
    left = []
    for delay in (0, 0.05, 0.1):
        killed = load(data.dataset, "new", data.export("new"))
        wait_for(lambda: is_locked(mongod_database), pause=0.001)
        time.sleep(delay)
        kill(killed)
        left += data.live(mongod_database)

    again = load(data.dataset, "new", data.export("new"))

    assert again.wait() == 0, again.said()
    assert set(left) <= {*data.whole("old"), *data.whole("new")}
    assert data.live(mongod_database) == data.whole("new")
    assert "started" not in states(mongod_database, data.dataset)


def test_a_load_that_sleeps_keeps_its_lock_and_goes_on(load, mongod_database):
    with ExitStack() as sleeping:
        slow = fall_asleep(sleeping, load, mongod_database, SEVERAL[Menus])
        other = load("dining", "other", MENUS.export("other"), "--wait", "0")
        status = other.wait()

    assert (slow.wait(), status) == (0, 1)
    assert f"another load of dining is running (process {slow.pid}): run the load again" in other.said()
    assert SEVERAL[Menus].live(mongod_database) == SEVERAL[Menus].whole("new")


def test_loads_of_another_machine_that_slept_do_not_damage_what_others_published(load, mongod_database):
    slow_data, fast_data = SEVERAL.values(), (Buildings(10), SEVERAL[Menus])
    with ExitStack() as sleeping:
        slow = [fall_asleep(sleeping, load, mongod_database, data) for data in slow_data]
        mongod_database.locks.update_many({}, {"$set": {"machine": "another"}})
        fast = [
            load(data.dataset, f"other {data.dataset}", data.export("other"), "--accept-shrink") for data in fast_data
        ]
        # These wait until the locks of the others have run out.
        statuses = [process.wait() for process in fast]

    assert [process.wait() for process in slow] == [1, 1]
    assert statuses == [0, 0]
    assert [data.live(mongod_database) for data in fast_data] == [data.whole("other") for data in fast_data]
