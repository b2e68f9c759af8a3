"""Outages of MongoDB under traffic: cached responses are served stale, and the service recovers."""

import json
import time
from itertools import count, cycle
from math import inf
from statistics import median
from types import SimpleNamespace

import pytest
from pymongo import MongoClient

from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import TODAY, row, serving
from tests.nightly.traffic import traffic
from tests.processes.commands import IMPATIENT, ROOT, fetch, spawning, wait_for
from tests.processes.mongod import TOMORROW, Mongod, with_data
from tests.processes.servers import health, start_warm_server

PRODUCTION = ROOT / "production.ini"
# Cached before the outage: all by the warm-up, but the building by an earlier request.
CACHED = ["/map/buildings", "/dining/recipes", "/dining/locations", "/dining/menus", "/map/buildings/1"]
WARMED_UP = [*CACHED[:4], "/dining/categories", f"/dining/menus?date={TODAY}", f"/dining/menus?date={TOMORROW}"]
# Seconds; the timeout is mongo.timeout_ms of IMPATIENT.
TIMEOUT = 1
OUTAGE_DURATION = 6

OUTAGES = {"paused": (Mongod.pause, Mongod.resume), "killed": (Mongod.kill, Mongod.start)}
KINDS = ["killed", "paused"]
each_kind = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture
def server(spawn, mongod_with_data):
    return start_warm_server(spawn, mongod_with_data)


@pytest.fixture(scope="module", params=KINDS)
def outage(request, tmp_path_factory):
    """An outage under traffic: the responses to cached and uncached requests before, during and after it."""
    begin, finish = OUTAGES[request.param]
    folder = tmp_path_factory.mktemp("outage")
    with with_data(folder) as mongod, spawning(folder) as spawn:
        uncached_paths = [(f"/map/buildings/{number}{id_:06}" for id_ in count()) for number in (1, 2, 3)]
        with traffic(start_warm_server(spawn, mongod).url, cycle(CACHED), cycle(CACHED), *uncached_paths) as clients:
            wait_for(lambda: all(client.responses for client in clients))
            begin(mongod)
            wait_for(lambda: all(is_stale(client.responses[-1]) for client in clients[:2]))
            detected = time.monotonic()
            time.sleep(OUTAGE_DURATION)
            ended = time.monotonic()
            finish(mongod)
            wait_for(lambda: all(is_fresh(client.responses[-1]) for client in clients))
            recovered = time.monotonic()
            wait_for(lambda: all(client.responses[-1].sent_at > recovered for client in clients))
    cached, uncached = (
        [response for client in group for response in client.responses] for group in (clients[:2], clients[2:])
    )
    return SimpleNamespace(cached=cached, uncached=uncached, detected=detected, ended=ended, recovered=recovered)


def is_stale(response):
    return (
        response.status == 200
        and response.headers["Cache-Status"] == "campus; fwd=stale"
        and response.headers["Age"] is not None
    )


def is_fresh(response):
    return response.status in (200, 404) and response.headers["Cache-Status"] is response.headers["Age"] is None


def between(responses, start, end):
    selected = [
        response for response in responses if start <= response.sent_at and response.sent_at + response.seconds <= end
    ]
    assert selected
    return selected


def test_no_request_blocks_until_the_end_of_an_outage(outage):
    assert max(response.seconds for response in outage.cached + outage.uncached) < OUTAGE_DURATION


def test_in_an_outage_cached_responses_are_still_served(outage):
    assert {response.status for response in outage.cached} == {200}


def test_in_an_outage_cached_responses_are_marked_stale_with_their_age(outage):
    responses = between(outage.cached, outage.detected, outage.ended)

    assert all(is_stale(response) for response in responses)
    # Bounds of the last successful poll, according to the age of each response.
    earliest = max(response.sent_at - int(response.headers["Age"]) - 1 for response in responses)
    latest = min(response.sent_at + response.seconds - int(response.headers["Age"]) for response in responses)
    assert earliest < latest < outage.detected


def test_in_an_outage_uncached_requests_fail_fast_with_503(outage):
    responses = between(outage.uncached, outage.detected, outage.ended)

    assert {response.status for response in responses} == {503}
    assert {response.headers["Content-Type"] for response in responses} == {"application/problem+json"}
    assert {response.headers["Retry-After"] for response in responses} == {"5"}
    # Requests that were not rejected immediately would have waited for the timeout.
    assert median(response.seconds for response in responses) < TIMEOUT


def test_after_an_outage_every_response_is_fresh(outage):
    assert all(is_fresh(response) for response in between(outage.cached + outage.uncached, outage.recovered, inf))


@each_kind
def test_in_an_outage_lists_and_current_menus_are_served_without_earlier_requests(mongod_with_data, server, kind):
    OUTAGES[kind][0](mongod_with_data)

    responses = wait_for(lambda: [fetch(server.url + path) for path in WARMED_UP])

    assert [response.status for response in responses] == [200] * len(WARMED_UP)
    assert json.loads(responses[-1].body) == [row(2, "Soup", date=TOMORROW)]


def test_in_an_outage_stale_menus_retain_their_headers(mongod_with_data, server):
    url = f"{server.url}/dining/menus?date={TODAY}&meal=2"
    before = fetch(url)

    mongod_with_data.kill()

    after = wait_for(lambda: (response := fetch(url)).headers["Cache-Status"] and response)
    headers = [(response.headers["Link"], response.headers["X-Campus-Empty"]) for response in (before, after)]
    assert headers == [(f'<?date={TOMORROW}&meal=2>; rel="next"', "no-match")] * 2


def test_a_load_warms_up_the_cache_again(mongod_with_data, server):
    longer = "Stew in place of soup"
    before = health(server)["cache"]["bytes"]
    with MongoClient(mongod_with_data.uri(), tz_aware=True) as client:
        database = client.get_default_database()
        publish(database, plan_dining(database, [serving(2, longer, date=TOMORROW)]), [])
    wait_for(lambda: health(server)["cache"]["bytes"] > before)

    mongod_with_data.kill()

    tomorrow = fetch(f"{server.url}/dining/menus?date={TOMORROW}")
    assert json.loads(tomorrow.body) == [row(2, longer, date=TOMORROW)]


def test_in_an_outage_responses_from_before_the_last_load_are_marked_superseded(mongod_with_data, server):
    url = f"{server.url}/dining/menus?date={TOMORROW}&meal=2"
    before = fetch(url)
    with MongoClient(mongod_with_data.uri(), tz_aware=True) as client:
        database = client.get_default_database()
        publish(database, plan_dining(database, [serving(2, "Stew", date=TOMORROW, meal=2)]), [])
    published = time.monotonic()
    wait_for(lambda: health(server)["datasets"]["dining"]["revision"] == 2)

    mongod_with_data.kill()
    wait_for(lambda: health(server)["database"] == "down")
    time.sleep(2)

    after = fetch(url)
    assert (after.status, after.body) == (200, before.body)
    assert after.headers["Cache-Status"] == "campus; fwd=stale; detail=superseded"
    assert 2 <= int(after.headers["Age"]) <= time.monotonic() - published + 1


@each_kind
def test_the_service_starts_without_a_database_and_recovers(mongod_with_data, serve, kind):
    begin, finish = OUTAGES[kind]
    begin(mongod_with_data)
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_with_data.uri(), **IMPATIENT)
    unavailable = fetch(f"{server.url}/dining/recipes")

    finish(mongod_with_data)

    assert (unavailable.status, unavailable.headers["Content-Type"]) == (503, "application/problem+json")
    assert unavailable.headers["Retry-After"]
    recovered = wait_for(lambda: (response := fetch(f"{server.url}/dining/recipes")).status == 200 and response)
    assert is_fresh(recovered)
