"""Both servers, waitress and granian, in production: requests, slow clients, workers."""

import os
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.factories import building, serving
from tests.processes.commands import PRODUCTION, ROOT, fetch, reserve_port
from tests.processes.servers import SERVERS, start, start_granian, wait_for_workers
from tests.processes.sockets import connect, request
from tests.publishing import publish_buildings, publish_dining

# Half of a request line, of a header and of a body, a response that is not read, and pipelined requests.
SLOW = [
    b"GET /map/buil",
    b"GET /map/buildings HTTP/1.1\r\nHost: cam",
    b"POST /map/buildings HTTP/1.1\r\nHost: campus\r\nContent-Length: 1000\r\n\r\nhalf",
    request(b"GET /dining/recipes HTTP/1.1"),
    request(b"GET /dining/recipes HTTP/1.1") * 200,
]


@pytest.fixture(scope="module")
def uri(shared_uri, shared_database):
    """The URI of a database with two buildings, and a list of recipes larger than the socket buffers."""
    publish_buildings(shared_database, [building(1), building(2)])
    rows = [serving(recipe, "x" * 1000) for recipe in range(1, 1001)]
    publish_dining(shared_database, rows)
    return shared_uri


@pytest.fixture(scope="module", params=SERVERS)
def server(request, spawn_shared, uri):
    """Production.ini, for tests that only read."""
    return start(spawn_shared, request.param, CAMPUS_MONGO_URI=uri)


def test_a_hundred_slow_clients_do_not_block_others(server):
    for sent in SLOW:
        with ExitStack() as opened:
            for _ in range(100):
                connection = opened.enter_context(connect(server, receive_buffer=4096))
                connection.sendall(sent)

            responses = [fetch(f"{server.url}/map/buildings").status for _ in range(10)]

        assert responses == [200] * 10, sent[:60]


def test_a_killed_worker_is_restarted(spawn, uri):
    granian = start_granian(spawn, CAMPUS_MONGO_URI=uri)
    children = Path(f"/proc/{granian.pid}/task/{granian.pid}/children").read_text().split()

    os.kill(int(children[0]), signal.SIGKILL)

    wait_for_workers(granian, 3)
    assert fetch(f"{granian.url}/map/buildings").status == 200


def test_an_invalid_setting_is_a_startup_error_of_granian(spawn):
    messages = {
        "": "CAMPUS_INI '' is not a file",
        "nowhere.ini": "CAMPUS_INI 'nowhere.ini' is not a file",
        str(ROOT / "Makefile"): "Makefile is not a valid ini file",
        str(PRODUCTION): "mongo.uri is not set",
    }
    command = ["granian", "--interface", "wsgi", "--port", reserve_port(), "campus_api.wsgi:app"]

    for ini, message in messages.items():
        granian = spawn(*command, CAMPUS_INI=ini)

        assert granian.wait() == 1, ini
        assert message in granian.output(), ini
        assert "Traceback" not in granian.output(), ini
