"""What is measured has started, and answers as ours does."""

import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import click
import pytest

from bench.comparison import check
from bench.processes import Unavailable, serving
from bench.requests import Question
from bench.servers import EVE, FASTAPI, Place
from tests.service.conftest import free_port

BUILDINGS = Question("all buildings", "/map/buildings", "/buildings")
OURS = b'[{"id":1},{"id":2}]'


@pytest.fixture
def place(tmp_path):
    """A place in which the answer of ours is known."""
    (tmp_path / "0.json").write_bytes(OURS)
    return Place(tmp_path, "", tmp_path, {BUILDINGS.path: "0.json"})


@pytest.fixture
def answering():
    """Start a server that gives an answer to each path."""
    servers = []

    def answering(**bodies):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(bodies[self.path.rpartition("/")[2]])

        servers.append(HTTPServer(("127.0.0.1", 0), Handler))
        Thread(target=servers[-1].serve_forever).start()
        return f"http://127.0.0.1:{servers[-1].server_port}"

    yield answering
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("body", [b'[{"id":2},{"id":1}]', b'[{"id":1}, {"id":2}]', b"[]"])
def test_another_answer_than_ours_ends_the_measurement(answering, place, body):
    with pytest.raises(click.ClickException, match="fastapi answers all buildings otherwise"):
        check(FASTAPI, answering(buildings=body), place, [BUILDINGS])


def test_the_same_answer_is_accepted(answering, place):
    check(FASTAPI, answering(buildings=OURS), place, [BUILDINGS])


def test_eve_needs_as_many_things_in_a_form_of_its_own(answering, place):
    check(EVE, answering(buildings=b'{"_items": [{"_id": 1}, {"_id": 2}]}'), place, [BUILDINGS])

    with pytest.raises(click.ClickException, match="eve answers all buildings otherwise"):
        check(EVE, answering(buildings=b'{"_items": [{"_id": 1}]}'), place, [BUILDINGS])


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ([sys.executable, "-c", "import sys; sys.exit('answers.memory_mb is not a setting.')"], "is not a setting"),
        (["/no/such/server"], "there is no /no/such/server"),
    ],
)
def test_a_server_that_does_not_start_is_unavailable_with_its_reason(tmp_path, command, reason):
    with (
        pytest.raises(Unavailable, match=reason),
        serving(command, "", {}, f"http://127.0.0.1:{free_port()}", tmp_path / "log"),
    ):
        pytest.fail("it has started")
