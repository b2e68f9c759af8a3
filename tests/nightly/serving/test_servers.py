"""Behaviour of both servers, waitress and granian, in production."""

import json
import os
import signal
from urllib.parse import quote

import pytest
from pymongo import MongoClient

from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import building
from tests.processes.commands import ROOT, fetch, reserve_port, wait_for
from tests.processes.servers import PRODUCTION, SERVERS, UNIT, start, start_granian
from tests.processes.sockets import send

STATUS = {
    b"GET /%FF HTTP/1.1": "404 Not Found",
    b"GET /map/buildings/%FF HTTP/1.1": "404 Not Found",
    b"GET /map/buildings?name=%FF HTTP/1.1": "200 OK",
    b"GET /map/buildings?name=%00&name=( HTTP/1.1": "200 OK",
    b"GET /map/buildings/" + b"9" * 5000 + b" HTTP/1.1": "404 Not Found",
    b"GET /dining/menus?recipe=%FF HTTP/1.1": "400 Bad Request",
    b"GET /map/buildings?name=caf\xc3\xa9 HTTP/1.1": "200 OK",
    b"GET /map/caf\xc3\xa9 HTTP/1.1": "404 Not Found",
    b"GET /dining/menus?recipe=caf\xc3\xa9 HTTP/1.1": "400 Bad Request",
    b"GET /dining/menus?" + b"recipe=2147483647&" * 3_600 + b"meal=1 HTTP/1.1": "200 OK",
    b"GET //map//buildings// HTTP/1.1": "200 OK",
    b"GET http://campus/map/buildings HTTP/1.1": "200 OK",
    b"GET /map/buildings HTTP/1.0": "200 OK",
    b"BREW /map/buildings HTTP/1.1": "405 Method Not Allowed",
    b"POST /dining/menus HTTP/1.1\r\nContent-Length: 0": "405 Method Not Allowed",
    b"OPTIONS /dining/menus HTTP/1.1": "204 No Content",
}

RELOAD = "ExecReload=/bin/kill -HUP $MAINPID"


@pytest.fixture(scope="module")
def buildings_uri(shared_uri):
    """The URI of a database with two buildings."""
    with MongoClient(shared_uri, tz_aware=True) as client:
        database = client.get_default_database()
        publish(database, plan_buildings(database, [building(1, name="Café"), building(2)]), [])
    return shared_uri


@pytest.fixture(scope="module", params=SERVERS)
def server(request, spawn_shared, buildings_uri):
    """Production.ini with two buildings in the real MongoDB, for tests that only read."""
    return start(spawn_shared, request.param, CAMPUS_MONGO_URI=buildings_uri)


only_granian = pytest.mark.parametrize("server", ["granian"], indirect=True)


@pytest.fixture
def granian(spawn, mongod_uri):
    return start_granian(spawn, CAMPUS_MONGO_URI=mongod_uri)


def workers(server):
    with open(f"/proc/{server.pid}/task/{server.pid}/children") as children:
        return [int(pid) for pid in children.read().split()]


def test_unusual_request_lines_have_the_expected_status(server):
    responses = {line: send(server, line) for line in STATUS}

    assert {line: status for line, (status, _, _) in responses.items()} == STATUS
    assert {headers.get("access-control-allow-origin") for _, headers, _ in responses.values()} == {"*"}


def test_raw_utf_8_and_percent_encoding_are_equivalent(server):
    typed = send(server, "GET /map/buildings?name=café HTTP/1.1".encode())[2]
    encoded = send(server, f"GET /map/buildings?name={quote('café')} HTTP/1.1".encode())[2]

    assert [row["id"] for row in json.loads(typed)] == [1]
    assert typed == encoded


def test_an_invalid_value_is_shown_decoded(server):
    body = send(server, "GET /dining/menus?recipe=café HTTP/1.1".encode())[2]

    assert json.loads(body)["errors"][0]["value"] == "café"


def test_head_is_get_without_a_body(server):
    status, headers, body = send(server, b"HEAD /dining/recipes HTTP/1.1")

    assert (status, headers["content-length"], body) == ("200 OK", "2", b"")


def test_a_preflight_allows_the_requested_headers(server):
    request_headers = [b"Origin: https://app.example", b"Access-Control-Request-Headers: x-requested-with"]

    status, headers, _ = send(server, b"OPTIONS /dining/menus HTTP/1.1", *request_headers)

    assert (status, headers["access-control-allow-headers"]) == ("204 No Content", "x-requested-with")


@only_granian
@pytest.mark.parametrize(
    ("line", "status"),
    [
        (b"GET /map/buildings?name=\xff HTTP/1.1", "400 Bad Request"),
        (b"GET /dining/menus?" + b"recipe=1&" * 8_000 + b"meal=1 HTTP/1.1", "414 URI Too Long"),
    ],
)
def test_granian_rejects_raw_bytes_and_long_urls_itself(server, line, status):
    assert send(server, line)[::2] == (status, b"")


def test_a_killed_worker_is_restarted(granian):
    before = wait_for(lambda: len(workers(granian)) == 2 and workers(granian))

    os.kill(before[0], signal.SIGKILL)

    wait_for(lambda: len(workers(granian)) == 2 and before[0] not in workers(granian))
    wait_for(lambda: (response := fetch(f"{granian.url}/map/buildings")) and response.status == 200)


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"CAMPUS_INI": ""}, "CAMPUS_INI '' is not a file"),
        ({"CAMPUS_INI": "nowhere.ini"}, "CAMPUS_INI 'nowhere.ini' is not a file"),
        ({"CAMPUS_INI": str(ROOT / "Makefile")}, "Makefile is not a valid ini file"),
        ({"CAMPUS_INI": str(PRODUCTION)}, "mongo.uri is not set"),
    ],
)
def test_an_invalid_setting_is_a_startup_error_of_granian(spawn, environment, message):
    granian = spawn("granian", "--interface", "wsgi", "--port", reserve_port(), "campus_api.wsgi:app", **environment)

    assert granian.wait() == 1
    assert message in granian.output()
    assert "Traceback" not in granian.output()


def test_a_reload_replaces_the_workers_of_granian_without_a_gap(granian):
    line = f"# {RELOAD}\n"
    assert line in UNIT.read_text(encoding="utf-8")
    statuses = []

    granian.send_signal(signal.SIGHUP)
    wait_for(lambda: statuses.append(fetch(granian.url)) or granian.output().count("Started worker-") == 4)
    statuses.append(fetch(granian.url))

    assert {response.status for response in statuses} == {200}
