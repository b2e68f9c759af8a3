"""Graceful shutdown of both servers: what has been received gets its response, and nothing else delays the end."""

import signal
import time
from contextlib import ExitStack, suppress

import pytest

from tests.factories import serving
from tests.processes.commands import PATIENT, wait_for
from tests.processes.servers import SERVERS, start
from tests.processes.sockets import connect, is_refused, parse, read_all, receive_queues, request
from tests.publishing import publish_dining

# Both servers give up requests in flight after 20 seconds: a test that waits for that must fail.
EXIT_SECONDS = 15
SEARCH = b"GET /map/buildings?name=nobody HTTP/1.1"


def wait_until_read(server):
    """Wait until the server has read every request."""
    wait_for(lambda: not any(receive_queues(server)))


@pytest.fixture(params=SERVERS)
def server(request, spawn, mongod_with_data):
    """Production.ini on a MongoDB with data, which can be paused."""
    return start(spawn, request.param, CAMPUS_MONGO_URI=mongod_with_data.uri(), **PATIENT)


def test_requests_in_flight_and_in_the_queue_get_their_responses_and_new_connections_none(server, mongod_with_data):
    mongod_with_data.pause()
    with ExitStack() as opened:
        # More than there are threads.
        connections = [opened.enter_context(connect(server)) for _ in range(13)]
        for number, connection in enumerate(connections):
            connection.sendall(request(b"GET /map/buildings?name=nobody%d HTTP/1.1" % number))
        wait_until_read(server)

        server.send_signal(signal.SIGTERM)
        wait_for(lambda: is_refused(server))
        mongod_with_data.resume()

        responses = [parse(read_all(connection)) for connection in connections]
        assert [(status, headers["connection"], body) for status, headers, body in responses] == [
            ("200 OK", "close", b"[]")
        ] * 13
    assert server.wait(EXIT_SECONDS) == 0


def test_idle_connections_and_continuous_requests_do_not_delay_shutdown(server):
    with connect(server) as idle, connect(server) as half_open, connect(server) as busy:
        idle.sendall(request(SEARCH))
        idle.recv(65536)
        half_open.sendall(SEARCH[:20])
        wait_until_read(server)

        busy.sendall(request(SEARCH))
        server.send_signal(signal.SIGTERM)
        with suppress(OSError):
            while busy.recv(65536):
                busy.sendall(request(SEARCH))

        assert server.wait(EXIT_SECONDS) == 0


def test_ctrl_c_and_sigterm_at_once_end_the_server(spawn):
    # Of the shell of `make run`, the second one may interrupt the handler of the first, or what Python does at its end.
    for microseconds in range(0, 160, 10):
        server = start(spawn, "waitress", CAMPUS_MONGO_URI="mongomock://")
        server.send_signal(signal.SIGINT)
        time.sleep(microseconds / 1_000_000)
        server.send_signal(signal.SIGTERM)
        assert server.wait(EXIT_SECONDS) in (0, -signal.SIGTERM), microseconds


@pytest.mark.parametrize("name", SERVERS)
def test_a_large_response_to_a_slow_client_is_complete(spawn, mongod_uri, mongod_database, name):
    dates = [f"2026-01-{day:02}" for day in range(1, 21)]
    rows = [serving(recipe, "x" * 1000, date=date) for date in dates for recipe in range(1, 501)]
    publish_dining(mongod_database, rows)
    server = start(spawn, name, CAMPUS_MONGO_URI=mongod_uri, **PATIENT)
    line = b"GET /dining/menus?" + "&".join(f"date={date}" for date in dates).encode() + b" HTTP/1.1"

    with connect(server, receive_buffer=4096) as connection:
        connection.sendall(request(line))
        first_bytes = connection.recv(100)
        server.send_signal(signal.SIGTERM)
        wait_for(lambda: is_refused(server))
        assert server.poll() is None
        _, headers, body = parse(first_bytes + read_all(connection))

    assert len(body) == int(headers["content-length"]) > 10_000_000
    assert server.wait(EXIT_SECONDS) == 0
