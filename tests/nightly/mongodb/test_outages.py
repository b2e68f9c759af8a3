"""Outages of MongoDB under traffic: cached responses are served stale, others fail, and the service recovers."""

from itertools import count, cycle

import pytest

from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import TODAY, serving
from tests.nightly.traffic import traffic, wait_for_more
from tests.processes.commands import fetch, wait_for
from tests.processes.mongod import TOMORROW, Mongod
from tests.processes.servers import health, start_warm_server

# Cached before the outage: all by the warm-up, but the building by an earlier request.
CACHED = ["/map/buildings", "/dining/recipes", "/dining/locations", "/dining/menus", "/map/buildings/1"]
OUTAGES = {"killed": (Mongod.kill, Mongod.start), "paused": (Mongod.pause, Mongod.resume)}


@pytest.fixture
def server(spawn, mongod_with_data):
    return start_warm_server(spawn, mongod_with_data)


def is_stale(response):
    headers = response.headers
    return response.status == 200 and headers["Cache-Status"] == "campus; fwd=stale" and int(headers["Age"]) >= 0


def is_fresh(response):
    return response.status in (200, 404) and response.headers["Cache-Status"] is response.headers["Age"] is None


@pytest.mark.parametrize("kind", OUTAGES)
def test_in_an_outage_no_request_waits_for_its_end(mongod_with_data, server, kind):
    begin, finish = OUTAGES[kind]
    uncached_paths = [(f"/map/buildings/{number}{id_:06}" for id_ in count()) for number in (1, 2, 3)]
    with traffic(server.url, cycle(CACHED), cycle(CACHED), *uncached_paths) as clients:
        wait_for_more(clients)
        begin(mongod_with_data)
        wait_for(lambda: all(is_stale(responses[-1]) for responses in clients[:2]))
        wait_for_more(clients)
        began = [len(responses) for responses in clients]
        wait_for_more(clients, 20)
        ended = [len(responses) for responses in clients]
        finish(mongod_with_data)
        wait_for(lambda: all(is_fresh(responses[-1]) for responses in clients))
        recovered = [len(responses) for responses in clients]
        wait_for_more(clients)

    during = [responses[start:end] for responses, start, end in zip(clients, began, ended, strict=True)]
    cached, uncached = sum(during[:2], []), sum(during[2:], [])
    assert {response.status for responses in clients[:2] for response in responses} == {200}
    assert [response for response in cached if not is_stale(response)] == []
    assert {(each.status, each.headers["Content-Type"], each.headers["Retry-After"]) for each in uncached} == {
        (503, "application/problem+json", "5")
    }
    after = [response for responses, start in zip(clients, recovered, strict=True) for response in responses[start:]]
    assert [response for response in after if not is_fresh(response)] == []


def test_in_an_outage_stale_menus_retain_their_headers(mongod_with_data, server):
    url = f"{server.url}/dining/menus?date={TODAY}&meal=2"
    before = fetch(url)

    mongod_with_data.kill()

    after = wait_for(lambda: (response := fetch(url)).headers["Cache-Status"] and response)
    headers = [(response.headers["Link"], response.headers["X-Campus-Empty"]) for response in (before, after)]
    assert headers == [(f'<?date={TOMORROW}&meal=2>; rel="next"', "no-match")] * 2


def test_in_an_outage_responses_from_before_the_last_load_are_marked_superseded(mongod_with_data, server):
    url = f"{server.url}/dining/menus?date={TOMORROW}&meal=2"
    before = fetch(url)
    with mongod_with_data.database() as database:
        publish(database, plan_dining(database, [serving(2, "Stew", date=TOMORROW, meal=2)]), [])
    wait_for(lambda: health(server)["datasets"]["dining"]["revision"] == 2)

    mongod_with_data.kill()
    wait_for(lambda: health(server)["database"] == "down")

    after = fetch(url)
    assert (after.status, after.body) == (200, before.body)
    assert after.headers["Cache-Status"] == "campus; fwd=stale; detail=superseded"
    wait_for(lambda: int(fetch(url).headers["Age"]) > 0)
