"""SIGTERM: requests in flight get their whole response, no new connection is accepted, the exit status is 0."""

import os
import signal
import time
from contextlib import ExitStack, suppress

import pytest

from loaders.publishing.plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import serving
from tests.service.processes import fetch, mongod_of, wait_for
from tests.service.servers import SERVERS, start
from tests.service.sockets import connect, parse, read_all, request

SEARCH = b"GET /map/buildings?name=nobody HTTP/1.1"
MENUS = b"GET /dining/menus HTTP/1.1"


@pytest.fixture(params=SERVERS)
def server(request, spawn, tmp_path):
    """Production.ini on a MongoDB of its own, which can be halted."""
    uri = f"embedded:{tmp_path}/data"
    server = start(spawn, request.param, CAMPUS_MONGO_URI=uri)
    wait_for(lambda: fetch(f"{server.url}/map/buildings?name=nobody").status == 200)
    return server


@pytest.fixture
def slow_request(server, tmp_path):
    """A request that waits for a MongoDB that stands still for the next half a second."""
    [mongod] = mongod_of(tmp_path)
    os.kill(mongod, signal.SIGSTOP)
    with connect(server) as connection:
        connection.sendall(request(SEARCH))
        time.sleep(0.2)
        yield lambda: (time.sleep(0.3), os.kill(mongod, signal.SIGCONT), read_all(connection))[-1]
    # It ends with the server.
    with suppress(ProcessLookupError):
        os.kill(mongod, signal.SIGCONT)


def test_a_request_in_flight_is_answered(server, slow_request):
    server.send_signal(signal.SIGTERM)
    answer = slow_request()

    assert parse(answer)[::2] == ("200 OK", b"[]")
    assert server.wait(5) == 0


@pytest.mark.slow
def test_requests_that_wait_for_a_thread_are_answered(server, slow_request):
    with ExitStack() as opened:
        waiting = [opened.enter_context(connect(server)) for _ in range(12)]
        for connection in waiting:
            connection.sendall(request(MENUS))
        time.sleep(0.2)

        server.send_signal(signal.SIGTERM)
        slow_request()

        assert [read_all(connection).partition(b"\r\n")[0] for connection in waiting] == [b"HTTP/1.1 200 OK"] * 12
    assert server.wait(10) == 0


def test_ctrl_c_ends_it_with_status_0(server):
    server.send_signal(signal.SIGINT)

    assert server.wait(15) == 0


@pytest.mark.slow
def test_no_connection_is_taken_while_a_request_is_in_flight(server, slow_request):
    server.send_signal(signal.SIGTERM)
    time.sleep(0.2)

    with pytest.raises(ConnectionRefusedError):
        connect(server)
    slow_request()


@pytest.mark.slow
def test_connections_without_a_request_do_not_hold_up_the_end(server):
    with connect(server) as idle, connect(server) as half_open:
        idle.sendall(request(SEARCH))
        idle.recv(65536)
        half_open.sendall(SEARCH[:20])
        time.sleep(0.2)

        server.send_signal(signal.SIGTERM)

        assert server.wait(15) == 0


@pytest.mark.slow
def test_a_client_that_never_stops_asking_does_not_hold_up_the_end(server):
    with connect(server) as connection, suppress(OSError):
        connection.sendall(request(SEARCH))
        server.send_signal(signal.SIGTERM)
        while connection.recv(65536):
            connection.sendall(request(SEARCH))

    assert server.wait(5) == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", SERVERS)
def test_a_big_answer_that_is_read_slowly_arrives_whole(spawn, mongod_uri, mongod_database, name):
    dates = [f"2026-01-{day:02}" for day in range(1, 21)]
    rows = [serving(recipe, "x" * 1000, date=date) for date in dates for recipe in range(1, 501)]
    publish(mongod_database, plan_dining(mongod_database, rows), [])
    server = start(spawn, name, CAMPUS_MONGO_URI=mongod_uri, CAMPUS_MONGO_TIMEOUT_MS="10000")
    line = b"GET /dining/menus?" + "&".join(f"date={date}" for date in dates).encode() + b" HTTP/1.1"

    with connect(server, receive_buffer=4096) as connection:
        connection.sendall(request(line))
        begun = connection.recv(100)
        server.send_signal(signal.SIGTERM)
        time.sleep(1)
        running = server.poll()
        _, headers, body = parse(begun + read_all(connection))

    assert running is None
    assert len(body) == int(headers["content-length"]) > 10_000_000
    assert server.wait(5) == 0
