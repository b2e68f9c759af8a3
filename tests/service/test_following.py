"""Several processes follow one load, under traffic, with no restart and no purge."""

import time
from itertools import repeat

import pytest

from tests.service.conftest import ROOT, wait_for
from tests.service.named import Buildings, Menus, revision
from tests.service.traffic import traffic

pytestmark = pytest.mark.slow

data_sets = pytest.mark.parametrize("data", [Buildings(300), Menus(2, 300)], ids=["buildings", "menus"])
MOST_SECONDS = 2


def says(name):
    return f'"name":"{name}"'.encode()


@data_sets
def test_two_processes_follow_one_load_within_two_seconds(load, serve, mongod_database, mongod_uri, data):
    data.publish(mongod_database, "old")
    servers = [serve(ROOT / "production.ini", CAMPUS_MONGO_URI=mongod_uri) for _ in range(2)]

    with traffic(servers[0].url, repeat(data.path)) as first, traffic(servers[1].url, repeat(data.path)) as second:
        clients = [*first, *second]
        wait_for(lambda: all(client.answers for client in clients))
        loading = load(data.dataset, "new", data.export("new"))
        wait_for(lambda: revision(mongod_database, data.dataset) == 2, seconds=60, pause=0.005)
        published_at = time.monotonic()
        time.sleep(MOST_SECONDS + 1)

    assert loading.wait() == 0
    for client in clients:
        late = [answer for answer in client.answers if answer.asked_at > published_at + MOST_SECONDS]
        assert says("old") in client.answers[0].body
        assert late
        assert {(answer.status, says("new") in answer.body, says("old") in answer.body) for answer in late} == {
            (200, True, False)
        }
