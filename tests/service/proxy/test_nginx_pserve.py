"""The site of deploy/ in a real nginx, in front of the service."""

import json
import subprocess
from urllib.parse import urlsplit

import pytest

from tests.programs import require
from tests.service import nginx
from tests.service.nginx import ask
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


def test_nginx_finds_no_fault_with_the_site(tmp_path):
    program = require("nginx")
    config, _, _ = nginx.write_site(tmp_path, 6543)

    checked = subprocess.run([program, "-t", "-c", config, "-p", tmp_path], capture_output=True, text=True)

    assert checked.returncode == 0, checked.stderr


def test_a_preflight_allows_what_the_browser_asks_for(site):
    answer = ask(site, "/dining/menus", "OPTIONS", Access_Control_Request_Headers="x-requested-with")

    assert (answer.status, answer.headers["Access-Control-Allow-Headers"]) == (204, "x-requested-with")


def test_head_is_get_without_a_body(site):
    head = ask(site, "/map/buildings", "HEAD")

    assert (head.status, head.headers["Content-Length"], head.body) == (200, "2", b"")


def test_pages_of_every_origin_may_read_every_answer(site):
    answers = [ask(site, path) for path in ("/map/buildings", "/nowhere", "/dining/menus?meal=lunch")]

    assert [answer.status for answer in answers] == [200, 404, 400]
    assert [answer.headers.get_all("Access-Control-Allow-Origin") for answer in answers] == [["*"]] * 3


def test_errors_are_not_kept(site):
    answers = [ask(site, "/nowhere"), ask(site, "/nowhere")]

    assert [(answer.status, answer.headers["X-Cache"]) for answer in answers] == [(404, "MISS")] * 2


def test_a_thousand_parameters_are_answered(site):
    query = "&".join(f"recipe={number}" for number in range(2**40, 2**40 + 1000))

    assert ask(site, f"/dining/menus?{query}").body == b"[]"


def test_http_leads_to_https(site):
    answer = ask(site, "/map/buildings?name=x", secure=False, Host="campus.example.edu")

    assert (answer.status, answer.headers["Location"]) == (308, "https://campus.example.edu/map/buildings?name=x")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_without_the_service_what_was_not_kept_is_a_problem_503(tmp_path):
    with nginx.running(tmp_path, free_port()) as site:
        answer = ask(site, "/map/buildings?name=x")

    assert (answer.status, json.loads(answer.body)["status"]) == (503, 503)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.headers["Access-Control-Allow-Origin"], answer.headers["Cache-Control"]) == ("*", "no-store")
    assert answer.headers["Retry-After"]
