"""The nginx configuration in deploy/, in front of the service."""

import json
import subprocess
from urllib.parse import urlsplit

import pytest

from tests.programs import require
from tests.service import nginx
from tests.service.nginx import fetch
from tests.service.processes import free_port
from tests.service.servers import SERVERS, start


@pytest.fixture(scope="module", params=SERVERS)
def service(request, spawn_shared, shared_uri):
    """Production.ini on an empty database in the real MongoDB."""
    return start(spawn_shared, request.param, CAMPUS_MONGO_URI=shared_uri)


@pytest.fixture(scope="module")
def site(service, tmp_path_factory):
    with nginx.running(tmp_path_factory.mktemp("nginx"), urlsplit(service.url).port) as site:
        yield site


def test_nginx_accepts_the_configuration(tmp_path):
    program = require("nginx")
    config, _, _ = nginx.write_site(tmp_path, 6543)

    checked = subprocess.run([program, "-t", "-c", config, "-p", tmp_path], capture_output=True, text=True)

    assert checked.returncode == 0, checked.stderr


def test_a_preflight_allows_the_requested_headers(site):
    response = fetch(site, "/dining/menus", "OPTIONS", Access_Control_Request_Headers="x-requested-with")

    assert (response.status, response.headers["Access-Control-Allow-Headers"]) == (204, "x-requested-with")


def test_head_is_get_without_a_body(site):
    head = fetch(site, "/map/buildings", "HEAD")

    assert (head.status, head.headers["Content-Length"], head.body) == (200, "2", b"")


def test_every_response_allows_any_origin(site):
    responses = [fetch(site, path) for path in ("/map/buildings", "/nowhere", "/dining/menus?meal=lunch")]

    assert [response.status for response in responses] == [200, 404, 400]
    assert [response.headers.get_all("Access-Control-Allow-Origin") for response in responses] == [["*"]] * 3


def test_errors_are_not_cached(site):
    responses = [fetch(site, "/nowhere"), fetch(site, "/nowhere")]

    assert [(response.status, response.headers["X-Cache"]) for response in responses] == [(404, "MISS")] * 2


def test_a_query_may_have_a_thousand_parameters(site):
    query = "&".join(f"recipe={number}" for number in range(2**40, 2**40 + 1000))

    assert fetch(site, f"/dining/menus?{query}").body == b"[]"


def test_http_redirects_to_https(site):
    response = fetch(site, "/map/buildings?name=x", secure=False, Host="campus.example.edu")

    assert (response.status, response.headers["Location"]) == (308, "https://campus.example.edu/map/buildings?name=x")
    assert response.headers["Access-Control-Allow-Origin"] == "*"


def test_uncached_requests_without_the_service_are_a_problem_503(tmp_path):
    with nginx.running(tmp_path, free_port()) as site:
        response = fetch(site, "/map/buildings?name=x")

    assert (response.status, json.loads(response.body)["status"]) == (503, 503)
    assert response.headers["Content-Type"] == "application/problem+json"
    assert (response.headers["Access-Control-Allow-Origin"], response.headers["Cache-Control"]) == ("*", "no-store")
    assert response.headers["Retry-After"]
