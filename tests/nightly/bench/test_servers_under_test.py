"""Peers are compared with the service before they are measured."""

import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import click
import pytest

from bench.comparison import check
from bench.processes import ServerUnavailable, serving
from bench.requests import Request
from bench.servers import EVE, FASTAPI, Environment
from tests.processes.commands import reserve_port

ALL_BUILDINGS = Request("all buildings", "/map/buildings", "/buildings")
BODY = b'[{"id":1},{"id":2}]'


@pytest.fixture
def environment(tmp_path):
    """An environment with the body of the service."""
    (tmp_path / "0.json").write_bytes(BODY)
    return Environment(tmp_path, "", tmp_path, {ALL_BUILDINGS.path: "0.json"})


@pytest.fixture
def start_server():
    """Start a server with a body for each path."""
    servers = []

    def start_server(**bodies):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(bodies[self.path.rpartition("/")[2]])

        servers.append(HTTPServer(("127.0.0.1", 0), Handler))
        Thread(target=servers[-1].serve_forever).start()
        return f"http://127.0.0.1:{servers[-1].server_port}"

    yield start_server
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("body", [b'[{"id":2},{"id":1}]', b'[{"id":1}, {"id":2}]', b"[]"])
def test_different_response_aborts_the_benchmark(start_server, environment, body):
    with pytest.raises(click.ClickException, match="fastapi and campus-waitress respond differently to all buildings"):
        check(FASTAPI, start_server(buildings=body), environment, [ALL_BUILDINGS])


def test_same_response_is_accepted(start_server, environment):
    check(FASTAPI, start_server(buildings=BODY), environment, [ALL_BUILDINGS])


def test_eve_needs_the_same_number_of_items(start_server, environment):
    check(EVE, start_server(buildings=b'{"_items": [{"_id": 1}, {"_id": 2}]}'), environment, [ALL_BUILDINGS])

    with pytest.raises(click.ClickException, match="eve and campus-waitress respond differently to all buildings"):
        check(EVE, start_server(buildings=b'{"_items": [{"_id": 1}]}'), environment, [ALL_BUILDINGS])


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ([sys.executable, "-c", "import sys; sys.exit('cache.memory_mb is not a setting.')"], "is not a setting"),
        (["/no/such/server"], "/no/such/server is not installed"),
    ],
)
def test_server_that_does_not_start_is_unavailable(tmp_path, command, reason):
    with (
        pytest.raises(ServerUnavailable, match=reason),
        serving(command, "", {}, f"http://127.0.0.1:{reserve_port()}", tmp_path / "log"),
    ):
        pytest.fail("it has started")
