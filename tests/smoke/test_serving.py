"""Production.ini with pserve: the start, what a client may send, and the end."""

import json
import re
import signal
from http.client import HTTPConnection

import pytest

from tests.processes.commands import IMPATIENT, PATIENT, PRODUCTION, fetch, start_server, wait_for
from tests.processes.mongod import READER, secrets_in
from tests.processes.servers import health
from tests.processes.sockets import connect, is_refused, parse, read_all, receive_queues, request, send

REQUESTS = {
    b"GET /map/buildings?name=\xff HTTP/1.1": "200 OK",
    b"GET //map//buildings// HTTP/1.1": "200 OK",
    b"GET /map/buildings HTTP/1.1\r\nExpect: 100-continue": "200 OK",
    b"GET /dining/menus?" + b"recipe=1&" * 7_000 + b"meal=1 HTTP/1.1": "200 OK",
    b"GET /map/buildings HTTP/1.1\r\nHost: evil.example": "400 Bad Request",
}


@pytest.fixture(scope="module")
def server(spawn_shared):
    """The service on an empty database in memory, for tests that only read."""
    return start_server(spawn_shared, PRODUCTION, CAMPUS_MONGO_URI="mongomock://", CAMPUS_LOG_ACCESS="true")


def logged(server):
    text_lines = [line for line in server.output().splitlines() if not line.startswith("Starting server")]
    return [json.loads(line) for line in text_lines]


def test_production_logs_json_lines(server):
    send(server, b"GET /map/buildings?name=x%20y HTTP/1.1", b"X-Request-Id: monday", b"User-Agent: me/1")

    line = wait_for(lambda: next((line for line in logged(server) if line.get("request_id") == "monday"), None))

    assert logged(server)[0]["message"] == f"Serving on {server.url}"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("asctime"))
    assert line.pop("message").endswith(f" in {line.pop('duration_ms')} ms")
    request = {"method": "GET", "path": "/map/buildings", "query": "name=x%20y", "request_id": "monday"}
    response = {"status": 200, "bytes": 2, "user_agent": "me/1"}
    assert line == {"levelname": "INFO", "name": "campus_api.access", **request, **response}


def test_a_port_in_use_is_a_startup_error(spawn, server):
    port = server.url.rpartition(":")[2]

    second = spawn("pserve", PRODUCTION, f"http_port={port}", CAMPUS_MONGO_URI="mongomock://")

    assert second.wait() == 1
    assert f"cannot start on 127.0.0.1:{port}: [Errno" in second.output()
    assert "Traceback" not in second.output()


def test_unusual_requests_have_the_expected_status(server):
    responses = {line: send(server, line) for line in REQUESTS}

    assert {line: status for line, (status, _, _) in responses.items()} == REQUESTS
    assert {headers["access-control-allow-origin"] for _, headers, _ in responses.values()} == {"*"}
    assert "Traceback" not in server.output()


def test_responses_without_a_body_leave_the_connection_open(server):
    connection = HTTPConnection(server.url.removeprefix("http://"))
    for method, headers, expected in (
        ("GET", {"If-None-Match": "*"}, (304, False)),
        ("OPTIONS", {}, (204, False)),
        ("GET", {"If-None-Match": "*", "Connection": "close"}, (304, True)),
    ):
        connection.request(method, "/docs", headers=headers)
        response = connection.getresponse()
        assert (response.read(), (response.status, response.will_close)) == (b"", expected), (method, headers)


def test_passwords_are_neither_logged_nor_returned(serve, mongod_with_auth):
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_with_auth.uri(READER), CAMPUS_LOG_ACCESS="true", **IMPATIENT)
    paths = ["/map/buildings", "/dining/menus?meal=x", "/nowhere", "/dining/recipes", "/__heartbeat__"]
    wait_for(lambda: fetch(server.url + paths[0]).status == 200)

    responses = [fetch(server.url + path) for path in paths]
    mongod_with_auth.kill()
    wait_for(lambda: health(server)["database"] == "down")
    responses += [fetch(server.url + path) for path in paths]

    assert {response.status for response in responses} == {200, 400, 404}
    assert "MongoDB is not available" in server.output()
    shown = [f"{response.headers}{response.body.decode()}" for response in responses]
    assert secrets_in("".join([server.output(), *shown])) == []


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT])
def test_a_request_in_flight_at_sigterm_or_ctrl_c_gets_its_response(serve, mongod_with_data, signal_number):
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_with_data.uri(), **PATIENT)
    mongod_with_data.pause()
    with connect(server) as connection:
        connection.sendall(request(b"GET /map/buildings?name=nobody HTTP/1.1"))
        wait_for(lambda: not any(receive_queues(server)))

        server.send_signal(signal_number)
        wait_for(lambda: is_refused(server))
        mongod_with_data.resume()

        status, headers, body = parse(read_all(connection))

    assert (status, headers["connection"], body) == ("200 OK", "close", b"[]")
    assert server.wait() == 0
