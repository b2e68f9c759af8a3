"""MongoDB is killed and started again: cached responses are served stale, and nothing needs a restart."""

from tests.factories import TOMORROW
from tests.processes.commands import fetch, wait_for
from tests.processes.mongod import mongod_of, processes_using
from tests.processes.servers import health, start_warm_server

STALE = "campus; fwd=stale"
# Cached by the warm-up, but the building by an earlier request.
CACHED = ["/map/buildings", "/map/buildings/1", "/dining/recipes", "/dining/menus", f"/dining/menus?date={TOMORROW}"]


def test_in_an_outage_cached_responses_are_served_stale_and_others_are_a_503(spawn, mongod_with_data):
    server = start_warm_server(spawn, mongod_with_data)
    before = [fetch(server.url + path) for path in CACHED]

    mongod_with_data.kill()
    wait_for(lambda: health(server)["database"] == "down")
    during = [fetch(server.url + path) for path in CACHED]
    uncached = fetch(f"{server.url}/map/buildings/2")
    mongod_with_data.start()

    stale = [(200, STALE, each.body) for each in before]
    assert [(each.status, each.headers["Cache-Status"], each.body) for each in during] == stale
    assert [path for path, each in zip(CACHED, during, strict=True) if not each.headers["Age"]] == []
    assert (uncached.status, uncached.headers["Retry-After"]) == (503, "5")
    assert uncached.headers["Content-Type"] == "application/problem+json"
    recovered = wait_for(lambda: (response := fetch(f"{server.url}/map/buildings/2")).status == 200 and response)
    assert recovered.headers["Cache-Status"] is None
    assert {fetch(server.url + path).headers["Cache-Status"] for path in CACHED} == {None}


def test_no_process_outlives_a_killed_server_with_an_embedded_database(serve, ini, tmp_path):
    server = serve(ini())
    assert mongod_of(tmp_path / "mongo")

    server.kill()
    server.wait()

    wait_for(lambda: not processes_using(tmp_path / "mongo"))
