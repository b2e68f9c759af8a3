"""Several processes follow one load, under traffic, with no restart and no purge."""

import time
from itertools import groupby, repeat

import pytest

from tests.service.named import Buildings, Menus
from tests.service.processes import ROOT, wait_for
from tests.service.traffic import traffic

pytestmark = pytest.mark.slow

data_sets = pytest.mark.parametrize("data", [Buildings(300), Menus(2, 300)], ids=["buildings", "menus"])


def says(name):
    return f'"name":"{name}"'.encode()


@data_sets
def test_two_processes_follow_one_load_and_never_go_back(load, serve, mongod_database, mongod_uri, data):
    data.publish(mongod_database, "old")
    servers = [serve(ROOT / "production.ini", CAMPUS_MONGO_URI=mongod_uri) for _ in range(2)]

    with traffic(servers[0].url, repeat(data.path)) as first, traffic(servers[1].url, repeat(data.path)) as second:
        clients = [*first, *second]
        wait_for(lambda: all(client.answers for client in clients))
        loading = load(data.dataset, "new", data.export("new"))
        wait_for(lambda: all(says("new") in client.answers[-1].body for client in clients))
        time.sleep(1)

    assert loading.wait() == 0
    for client in clients:
        states = [(answer.status, says("old") in answer.body, says("new") in answer.body) for answer in client.answers]
        assert [state for state, _ in groupby(states)] == [(200, True, False), (200, False, True)]
