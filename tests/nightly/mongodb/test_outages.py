"""A MongoDB that is paused under traffic: cached responses are served stale, others fail, and no request waits."""

from itertools import count, cycle

from tests.nightly.traffic import traffic, wait_for_more
from tests.processes.commands import wait_for
from tests.processes.servers import start_warm_server

# Cached before the outage: all by the warm-up, but the building by an earlier request.
CACHED = ["/map/buildings", "/dining/recipes", "/dining/locations", "/dining/menus", "/map/buildings/1"]


def is_stale(response):
    headers = response.headers
    return response.status == 200 and headers["Cache-Status"] == "campus; fwd=stale" and int(headers["Age"]) >= 0


def is_fresh(response):
    return response.status in (200, 404) and response.headers["Cache-Status"] is response.headers["Age"] is None


def test_in_an_outage_no_request_waits_for_its_end(spawn, mongod_with_data):
    server = start_warm_server(spawn, mongod_with_data)
    uncached_paths = [(f"/map/buildings/{number}{id_:06}" for id_ in count()) for number in (1, 2, 3)]
    with traffic(server.url, cycle(CACHED), cycle(CACHED), *uncached_paths) as clients:
        wait_for_more(clients)
        mongod_with_data.pause()
        wait_for(lambda: all(is_stale(responses[-1]) for responses in clients[:2]))
        wait_for_more(clients)
        began = [len(responses) for responses in clients]
        wait_for_more(clients, 20)
        during = [responses[start:] for responses, start in zip(clients, began, strict=True)]
        mongod_with_data.resume()
        wait_for(lambda: all(is_fresh(responses[-1]) for responses in clients))

    cached, uncached = sum(during[:2], []), sum(during[2:], [])
    assert {response.status for responses in clients[:2] for response in responses} == {200}
    assert [response for response in cached if not is_stale(response)] == []
    assert {(each.status, each.headers["Retry-After"]) for each in uncached} == {(503, "5")}
