"""A load becomes visible in several processes, under traffic, without a restart or purge."""

import time
from itertools import groupby, repeat

import pytest

from tests.nightly.traffic import traffic
from tests.processes.commands import ROOT, wait_for
from tests.processes.synthetic_data import Buildings, Menus

data_sets = pytest.mark.parametrize("data", [Buildings(300), Menus(2, 300)], ids=["buildings", "menus"])


def name_member(name):
    return f'"name":"{name}"'.encode()


@data_sets
def test_a_load_becomes_visible_in_every_process_and_stays_visible(load, serve, mongod_database, mongod_uri, data):
    data.publish(mongod_database, "old")
    servers = [serve(ROOT / "production.ini", CAMPUS_MONGO_URI=mongod_uri) for _ in range(2)]

    with traffic(servers[0].url, repeat(data.path)) as first, traffic(servers[1].url, repeat(data.path)) as second:
        clients = [*first, *second]
        wait_for(lambda: all(client.responses for client in clients))
        loading = load(data.dataset, "new", data.export("new"))
        wait_for(lambda: all(name_member("new") in client.responses[-1].body for client in clients))
        time.sleep(1)

    assert loading.wait() == 0
    for client in clients:
        states = [
            (response.status, name_member("old") in response.body, name_member("new") in response.body)
            for response in client.responses
        ]
        assert [state for state, _ in groupby(states)] == [(200, True, False), (200, False, True)]
