"""The nginx configuration in deploy/, in front of a fake service."""

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count

import pytest

from tests.loaders.web_server import serve
from tests.processes import nginx
from tests.processes.commands import wait_for
from tests.processes.nginx import fetch

numbers = count()


@pytest.fixture(scope="module")
def shared_upstream():
    with serve() as server:
        yield nginx.Upstream(server)


@pytest.fixture
def upstream(shared_upstream):
    """The fake service with its default response."""
    shared_upstream.reset()
    return shared_upstream


@pytest.fixture(scope="module")
def site(shared_upstream, tmp_path_factory):
    """One nginx for all tests; each test requests unique paths."""
    with nginx.running(tmp_path_factory.mktemp("nginx"), shared_upstream.address) as site:
        yield site


@pytest.fixture
def path():
    return f"/{next(numbers)}"


def test_errors_of_nginx_are_problem_documents(site):
    for method, path, headers, status in [
        ("GET", "/a%00b", {}, 400),
        ("GET", "/..", {}, 400),
        ("OPTIONS", "*", {}, 400),
        ("GET", "/__problem", {}, 404),
        ("TRACE", "/", {}, 405),
        ("POST", "/", {"Content_Length": "100000"}, 413),
        ("GET", "/" + "a" * 66_000, {}, 414),
        ("GET", "/", {"A": "a" * 66_000}, 431),
        ("GET", "/", {"Transfer_Encoding": "a"}, 501),
    ]:
        response = fetch(site, path, method, **headers)

        assert (response.status, json.loads(response.body)["status"]) == (status, status), method
        assert response.headers.get_all("Content-Type") == ["application/problem+json"], status
        assert response.headers.get_all("Access-Control-Allow-Origin") == ["*"], status
        assert response.headers.get_all("X-Content-Type-Options") == ["nosniff"], status
        assert response.headers["Allow"] == ("GET, HEAD, OPTIONS" if status == 405 else None), status


def test_an_id_that_is_not_well_formed_is_replaced(upstream, site, path):
    for request_id in ("", "a b", "x" * 65, "é"):
        response = fetch(site, f"{path}?{len(request_id)}", X_Request_Id=request_id)

        assert len(response.headers["X-Request-Id"]) == 32, request_id
        [headers] = upstream.requests[f"{path}?{len(request_id)}"]
        assert headers["X-Request-Id"] == response.headers["X-Request-Id"], request_id


def test_two_encodings_of_a_response_are_cached_for_any_accept_encoding(upstream, site, path):
    gzipped = [fetch(site, path, Accept_Encoding=accepted) for accepted in ("gzip", "br, gzip;q=0.5", "gzip, zstd")]
    plain = [fetch(site, path, Accept_Encoding=accepted) for accepted in ("identity", "gzip;q=0, br", "gzip;q=0.0")]

    assert {(each.headers["Content-Encoding"], gzip.decompress(each.body)) for each in gzipped} == {("gzip", b"[]")}
    assert {(each.headers["Content-Encoding"], each.body) for each in plain} == {(None, b"[]")}
    assert [headers["Accept-Encoding"] for headers in upstream.requests[path]] == ["gzip", None]


def expiring(**directives):
    """Return headers of a response that is fresh for a second; the keywords are seconds for which it may be stale."""
    limits = {"stale-while-revalidate": 0, "stale-if-error": 0}
    limits |= {name.replace("_", "-"): seconds for name, seconds in directives.items()}
    values = ["public", "max-age=1", *(f"{name}={seconds}" for name, seconds in limits.items())]
    return {"Cache-Control": ", ".join(values), "ETag": '"1"'}


def fetch_expired(site, path):
    """Repeat a request until its response is not fresh, and return the response."""
    return wait_for(lambda: (response := fetch(site, path)).headers["X-Cache"] != "HIT" and response)


def test_concurrent_requests_are_coalesced(upstream, site, path):
    upstream.unblocked.clear()
    with ThreadPoolExecutor(10) as clients:
        statuses = clients.map(lambda _: fetch(site, path).status, range(10))
        wait_for(lambda: upstream.requests[path])
        upstream.unblocked.set()

    assert list(statuses) == [200] * 10
    assert len(upstream.requests[path]) == 1


def test_a_stale_response_is_served_while_it_is_revalidated_with_its_etag(upstream, site, path):
    upstream.headers |= expiring(stale_while_revalidate=60)
    fetch(site, path)
    upstream.body, upstream.headers["ETag"] = b"[2]", '"2"'
    upstream.unblocked.clear()

    response = fetch_expired(site, path)

    assert (response.body, response.headers["X-Cache"]) == (b"[]", "STALE")
    upstream.unblocked.set()
    wait_for(lambda: fetch(site, path).body == b"[2]")
    assert [headers["If-None-Match"] for headers in upstream.requests[path]][:2] == [None, '"1"']


def test_a_stale_response_is_served_in_place_of_an_error_unless_it_is_yesterdays_menu(tmp_path):
    paths = ["/dining/menus", "/dining/menus.ics", "/dining/dishes.csv", "/dining//hours/?meal=1"]
    ended, valid = ([path + suffix for path in paths] for suffix in ("", "?_"))
    other = "/map/buildings"

    def results(site, *paths):
        responses = [fetch_expired(site, path) for path in paths]
        return {(response.status, response.headers["X-Cache"]) for response in responses}

    with ExitStack() as listening:
        upstream = nginx.Upstream(listening.enter_context(serve()))
        with nginx.running(tmp_path, upstream.address) as site:
            for seconds, requested in ((0, ended), (60, [*valid, other])):
                upstream.headers |= expiring(stale_if_error=seconds)
                assert {fetch(site, path).status for path in requested} == {200}, seconds
            upstream.status, upstream.headers = 503, {"Cache-Control": "no-store"}
            assert (results(site, *ended), results(site, other)) == ({(503, "EXPIRED")}, {(200, "STALE")})
            listening.close()

            assert (results(site, *ended), results(site, *valid, other)) == ({(503, None)}, {(200, "STALE")})


def test_yesterdays_menus_are_revalidated_and_have_the_headers_of_their_last_response(upstream, site):
    path = f"/dining/menus?_={next(numbers)}"
    upstream.headers |= expiring()
    first = fetch(site, path)
    upstream.body, upstream.headers["ETag"] = b"[2]", '"2"'
    upstream.headers["Cache-Control"] = "public, max-age=20, stale-while-revalidate=0, stale-if-error=0"

    expired = fetch_expired(site, path)
    # A second later.
    wait_for(lambda: fetch(site, "/__problem").headers["Date"] != expired.headers["Date"])
    cached = fetch(site, path)

    assert (first.body, expired.body) == (b"[]", b"[2]")
    assert [each.headers["X-Cache"] for each in (expired, cached)] == ["EXPIRED", "HIT"]
    assert {each.headers["Cache-Control"] for each in (expired, cached)} == {upstream.headers["Cache-Control"]}
    assert first.headers["Date"] != expired.headers["Date"] == cached.headers["Date"]


def test_a_response_is_not_marked_stale_after_an_outage(upstream, site, path):
    upstream.headers |= {"Cache-Status": "campus; fwd=stale", "Age": "7"}
    during = fetch(site, path)
    upstream.reset()

    after = [fetch(site, path), fetch(site, path)]

    names = ("X-Cache", "Cache-Status", "Age")
    assert [during.headers[name] for name in names[1:]] == ["campus; fwd=stale", "7"]
    assert [[each.headers[name] for name in names] for each in after] == [["MISS", None, None], ["HIT", None, None]]


def test_a_response_to_a_thousand_parameters_is_cached(upstream, site):
    path = "/dining/menus?" + "&".join(f"recipe={number}" for number in range(2**40, 2**40 + 1000))
    upstream.headers["Content-Location"] = path

    responses = [fetch(site, path), fetch(site, path)]

    assert [(response.status, response.headers["X-Cache"]) for response in responses] == [(200, "MISS"), (200, "HIT")]
