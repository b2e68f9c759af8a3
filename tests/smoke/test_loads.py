"""`campus-load`, while the service runs, and when it is killed."""

import signal

import pytest

from tests.processes.commands import PRODUCTION, wait_for, wait_for_process
from tests.processes.servers import get_json
from tests.processes.synthetic_data import STAGES, Buildings, Menus, states

MENUS = Menus(30, 60)


def names(server, path):
    return {item["name"] for item in get_json(server, path)}


def test_a_load_becomes_visible_in_a_running_service(serve, load, mongod_database, mongod_uri):
    data_sets = [Buildings(3), Menus(2, 3)]
    for data in data_sets:
        data.publish(mongod_database, "old")
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_uri)
    before = [names(server, data.path) for data in data_sets]

    loads = [load(data.dataset, data.dataset, data.export("new")) for data in data_sets]

    assert ([process.wait() for process in loads], before) == ([0, 0], [{"old"}, {"old"}])
    for data in data_sets:
        wait_for(lambda data=data: names(server, data.path) == {"new"})


@pytest.mark.parametrize("stage", STAGES)
def test_a_killed_load_leaves_a_complete_state_and_can_be_repeated(load, mongod_database, stage):
    MENUS.publish(mongod_database, "old")
    killed = load("dining", "new", MENUS.export("new"))
    wait_for_process(killed, lambda: STAGES[stage](MENUS, mongod_database), pause=0.001)
    killed.kill()
    killed.wait()
    left = MENUS.live(mongod_database)

    repeated = load("dining", "new", MENUS.export("new"))

    assert repeated.wait() == 0, repeated.output()
    assert left in (MENUS.expected("old"), MENUS.expected("new"))
    assert MENUS.live(mongod_database) == MENUS.expected("new")
    assert "started" not in states(mongod_database, "dining")


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_a_load_that_writes_is_interrupted(load, mongod_database, signal_number):
    client = mongod_database.client
    # Its first write waits until it is interrupted.
    client.admin.command("fsync", lock=True)
    try:
        process = load("buildings", "new", Buildings(1).export("new"))
        wait_for_process(process, lambda: blocked_operations(client))
        process.send_signal(signal_number)
        status = process.wait()
    finally:
        client.admin.command("fsyncUnlock")

    assert (status, process.output()) == (130, "campus-load: interrupted: run the load again\n")


def blocked_operations(client):
    return client.admin.command("currentOp", waitingForLock=True, appName="campus-api")["inprog"]
