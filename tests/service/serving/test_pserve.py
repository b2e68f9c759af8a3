"""The service as operators start it: ports, settings, logs, requests that only a socket can send."""

import json
import os
from pathlib import Path

import pytest

from tests.service.processes import ROOT, cores, fetch, free_port, mongod_of, wait_for
from tests.service.sockets import send

PRODUCTION = ROOT / "production.ini"


@pytest.fixture(scope="module")
def production(serve_shared, shared_uri):
    """Production.ini on an empty database in the real MongoDB, for tests that only ask."""
    return serve_shared(PRODUCTION, CAMPUS_MONGO_URI=shared_uri)


def test_the_port_is_that_of_the_ini_file_unless_the_command_line_names_another(spawn, ini):
    port = free_port()

    spawn("pserve", ini(**{"port = 6543": f"port = {port}"}))

    assert wait_for(lambda: fetch(f"http://127.0.0.1:{port}/map/buildings")).status == 200


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="the system is not Linux")
def test_waitress_stays_on_one_core_and_mongod_does_not(serve, ini, tmp_path):
    server = serve(ini())

    assert len(cores(server.pid)) == 1
    assert cores(mongod_of(tmp_path / "mongo")[0]) == os.sched_getaffinity(0)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="the system is not Linux")
def test_the_threads_of_waitress_and_its_loop_are_patient(serve, ini):
    server = serve(ini())

    threads = {int(thread): os.sched_getscheduler(int(thread)) for thread in os.listdir(f"/proc/{server.pid}/task")}
    assert threads.pop(server.pid) == os.SCHED_BATCH
    assert list(threads.values()).count(os.SCHED_BATCH) == 4


def test_a_wrong_port_stops_the_start(spawn, ini):
    server = spawn("pserve", ini(), "http_port=many")

    assert server.wait() != 0
    assert "http_port 'many' is not a port number" in server.said()


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({}, "mongo.uri is not set: give it in the ini file or as CAMPUS_MONGO_URI."),
        ({"CAMPUS_MONGO_URI": "postgres://secret@db"}, "mongo.uri is none of mongodb://"),
        ({"CAMPUS_MONGO_URI": "mongodb://me:secret@a:b"}, "mongo.uri is not a connection string"),
        ({"CAMPUS_MONGO_URI": "mongomock://", "CAMPUS_MONGO_TIMEOUT_MS": "soon"}, "mongo.timeout_ms 'soon' is not"),
        ({"CAMPUS_MONGO_URI": "mongomock://", "CAMPUS_CLOCK_ZONE": "UTC"}, "CAMPUS_CLOCK_ZONE is not a setting"),
    ],
)
def test_a_wrong_setting_stops_the_start_and_is_named(spawn, environment, message):
    server = spawn("pserve", PRODUCTION, "http_port=0", **environment)

    assert server.wait() != 0
    assert message in server.said()
    assert "secret" not in server.said()


def test_production_logs_json_lines(production):
    lines = [line for line in production.said().splitlines() if not line.startswith("Starting server")]

    assert [json.loads(line)["message"] for line in lines] == [f"Serving on {production.url}"]


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"GET /map/buildings?name=\xff HTTP/1.1", "200 OK"),
        (b"GET /dining/menus?recipe=\xff HTTP/1.1", "400 Bad Request"),
        (b"GET /map/\xff HTTP/1.1", "404 Not Found"),
        (b"GET /dining/menus?" + b"recipe=1&" * 22_000 + b"meal=1 HTTP/1.1", "200 OK"),
    ],
)
def test_what_only_waitress_takes_is_answered(production, request_line, status):
    answered, headers, _ = send(production, request_line)

    assert (answered, headers["access-control-allow-origin"]) == (status, "*")


def test_thirty_seven_repeated_parameters_are_answered(production):
    query = "&".join(f"location={number}" for number in range(37))

    assert fetch(f"{production.url}/dining/menus?{query}").body == b"[]"


def test_what_is_not_http_is_refused_by_the_server(production):
    assert send(production, b"get /map/buildings HTTP/1.1")[0] == "400 Bad Request"
