"""The service behind nginx with the configuration in deploy/, as shipped."""

import json
import socket
from urllib.parse import urlsplit

import pytest

from tests.factories import building
from tests.processes import nginx
from tests.processes.commands import PRODUCTION, start_server, stop
from tests.processes.nginx import fetch
from tests.publishing import publish_buildings

# Addresses with rate limits of their own.
EXTERNAL, EAGER = "127.0.0.2", "127.0.0.3"


@pytest.fixture
def service(spawn, mongod_database, mongod_uri):
    publish_buildings(mongod_database, [building(1)])
    return start_server(spawn, PRODUCTION, CAMPUS_MONGO_URI=mongod_uri)


@pytest.fixture
def site(service, tmp_path):
    with nginx.running(tmp_path, urlsplit(service.url).netloc) as site:
        yield site


def test_a_response_is_cached_and_is_a_304_if_the_etag_matches(site):
    first = fetch(site, "/map/buildings?name=widener")

    second = fetch(site, "/map/buildings?name=widener")
    unchanged = fetch(site, "/map/buildings?name=widener", If_None_Match=first.headers["ETag"])

    assert [row["id"] for row in json.loads(first.body)] == [1]
    assert [each.headers["X-Cache"] for each in (first, second, unchanged)] == ["MISS", "HIT", "HIT"]
    assert (unchanged.status, unchanged.body, second.body) == (304, b"", first.body)
    assert {each.headers["Access-Control-Allow-Origin"] for each in (first, second, unchanged)} == {"*"}
    assert len({each.headers["X-Request-Id"] for each in (first, second, unchanged)}) == 3


def fetch_often(site, path, times):
    """Return the responses to pipelined requests, as bytes."""
    request = f"GET {path} HTTP/1.1\r\nHost: campus\r\n".encode()
    plain = socket.create_connection((nginx.ADDRESS, site.secure), source_address=(EAGER, 0))
    with plain, nginx.unverified_context().wrap_socket(plain) as client:
        client.sendall((request + b"\r\n") * (times - 1) + request + b"Connection: close\r\n\r\n")
        return b"".join(iter(lambda: client.recv(65536), b""))


def test_requests_over_the_rate_limit_which_is_lower_for_queries_get_a_429(site):
    fetch(site, "/map/buildings")

    queries, others = fetch_often(site, "/map/buildings?name=x", 400), fetch_often(site, "/map/buildings", 200)

    limited = queries.count(b"HTTP/1.1 429 Too Many Requests")
    assert queries.count(b"HTTP/1.1 200 OK") >= 100
    assert limited > 0
    assert queries.count(b"Retry-After: ") == limited
    assert others.count(b"HTTP/1.1 200 OK") == 200


def test_health_and_metrics_are_neither_public_nor_cached(site):
    for path in ("/__metrics__", "//__heartbeat__/", "/%5F_version__", "/map/../__lbheartbeat__"):
        hidden, shown = fetch(site, path, source=EXTERNAL), fetch(site, path)

        assert (hidden.status, json.loads(hidden.body)["status"]) == (404, 404), path
        assert (shown.status, shown.headers["X-Cache"]) == (200, None), path
        for each in (hidden, shown):
            assert each.headers.get_all("Strict-Transport-Security") == ["max-age=31536000"], path


def test_http_redirects_to_https(site):
    redirect = fetch(site, "/map/buildings?name=x", secure=False, Host="evil.example:8080")

    assert (redirect.status, redirect.headers["Location"]) == (308, "https://campus.example.edu/map/buildings?name=x")


def test_without_the_service_a_request_is_a_problem_503(site, service):
    stop(service)

    response = fetch(site, "/map/buildings?name=x")

    assert (response.status, json.loads(response.body)["status"]) == (503, 503)
    assert response.headers["Content-Type"] == "application/problem+json"
    assert (response.headers["Access-Control-Allow-Origin"], response.headers["Cache-Control"]) == ("*", "no-store")
    assert response.headers["Retry-After"]
