"""The service with pserve: ports, settings, logs and raw requests."""

import json
import re
import socket

import pytest

from tests.processes.commands import ROOT, fetch, reserve_port, start_server, wait_for
from tests.processes.sockets import read_all, request, send

PRODUCTION = ROOT / "production.ini"


@pytest.fixture(scope="module")
def production(spawn_shared, shared_uri):
    """Production.ini on an empty database in the real MongoDB, for tests that only read."""
    return start_server(spawn_shared, PRODUCTION, CAMPUS_MONGO_URI=shared_uri)


@pytest.fixture
def write_server(tmp_path):
    """Write production.ini with another address in its server section, and return its path."""

    def write(address):
        text, replaced = re.subn("host = .*\n(#.*\n)?port = .*", address, PRODUCTION.read_text(encoding="utf-8"))
        assert replaced == 1
        (tmp_path / "server.ini").write_text(text, encoding="utf-8")
        return tmp_path / "server.ini"

    return write


def test_the_default_port_is_that_of_the_ini_file(spawn, ini):
    port = reserve_port()

    spawn("pserve", ini(**{"port = 6543": f"port = {port}"}))

    assert wait_for(lambda: fetch(f"http://127.0.0.1:{port}/map/buildings")).status == 200


def test_an_invalid_port_is_a_startup_error(spawn, ini):
    server = spawn("pserve", ini(), "http_port=many")

    assert server.wait() == 1
    assert "http_port 'many' is not a port number" in server.output()


def test_a_port_in_use_is_a_startup_error(spawn, samples):
    port = samples.url.rpartition(":")[2]

    server = spawn("pserve", PRODUCTION, f"http_port={port}", CAMPUS_MONGO_URI="mongomock://")

    assert server.wait() == 1
    assert f"cannot start on 127.0.0.1:{port}: [Errno" in server.output()
    assert "Traceback" not in server.output()


def test_every_address_of_listen_is_served(spawn, write_server):
    ports = [reserve_port(), reserve_port()]

    spawn(
        "pserve", write_server(f"listen = 127.0.0.1:{ports[0]} 127.0.0.1:{ports[1]}"), CAMPUS_MONGO_URI="mongomock://"
    )

    assert [wait_for(lambda port=port: fetch(f"http://127.0.0.1:{port}/")).status for port in ports] == [200, 200]


def test_a_unix_socket_is_served(spawn, write_server, tmp_path):
    path = tmp_path / "socket"

    spawn("pserve", write_server(f"unix_socket = {path}"), CAMPUS_MONGO_URI="mongomock://")

    wait_for(path.exists)
    assert fetch_buildings(path).endswith(b"\r\n\r\n[]")


def fetch_buildings(path):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))
        connection.sendall(request(b"GET /map/buildings HTTP/1.1", b"Connection: close"))
        return read_all(connection)


def test_a_unix_socket_of_a_killed_server_is_replaced(spawn, write_server, tmp_path):
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))

    spawn("pserve", write_server(f"unix_socket = {path}"), CAMPUS_MONGO_URI="mongomock://")

    wait_for(lambda: is_accepting(path))


def is_accepting(path):
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(str(path)) == 0


def test_a_port_in_addition_to_listen_is_a_startup_error(spawn, write_server):
    ini = write_server("listen = 127.0.0.1:6543")

    server = spawn("pserve", ini, "http_port=8000", CAMPUS_MONGO_URI="mongomock://")

    assert server.wait() == 1
    assert "http_port may not be set if listen or unix_socket is set" in server.output()


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({}, "mongo.uri is not set: set it in the ini file or as CAMPUS_MONGO_URI."),
        ({"CAMPUS_MONGO_URI": "postgres://secret@db"}, "mongo.uri must be mongodb://"),
        ({"CAMPUS_MONGO_URI": "mongodb://me:secret@a:b"}, "mongo.uri is not a connection string"),
        ({"CAMPUS_MONGO_URI": "mongodb://me:secret@db/?tls=True"}, "would ignore the option tls"),
        ({"CAMPUS_MONGO_URI": "mongomock://", "CAMPUS_MONGO_TIMEOUT_MS": "soon"}, "mongo.timeout_ms 'soon' is not"),
        ({"CAMPUS_MONGO_URI": "mongomock://", "CAMPUS_CLOCK_ZONE": "UTC"}, "CAMPUS_CLOCK_ZONE is not a setting"),
    ],
)
def test_an_invalid_setting_is_a_startup_error(spawn, environment, message):
    server = spawn("pserve", PRODUCTION, "http_port=0", **environment)

    assert server.wait() == 1
    assert message in server.output()
    assert "Traceback" not in server.output()
    assert "secret" not in server.output()


def test_production_logs_json_lines(production):
    lines = [line for line in production.output().splitlines() if not line.startswith("Starting server")]

    assert [json.loads(line)["message"] for line in lines] == [f"Serving on {production.url}"]


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"GET /map/buildings?name=\xff HTTP/1.1", "200 OK"),
        (b"GET /dining/menus?recipe=\xff HTTP/1.1", "400 Bad Request"),
        (b"GET /map/\xff HTTP/1.1", "404 Not Found"),
        (b"GET /dining/menus?" + b"recipe=1&" * 7_000 + b"meal=1 HTTP/1.1", "200 OK"),
    ],
)
def test_raw_bytes_and_long_urls_are_accepted_by_waitress(production, request_line, status):
    actual, headers, _ = send(production, request_line)

    assert (actual, headers["access-control-allow-origin"]) == (status, "*")


def test_a_parameter_may_be_repeated_37_times(production):
    query = "&".join(f"location={number}" for number in range(37))

    assert fetch(f"{production.url}/dining/menus?{query}").body == b"[]"
