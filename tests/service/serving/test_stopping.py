"""A signal to end: requests in flight are answered whole, nothing new is taken, the status is 0."""

import os
import signal
import time
from contextlib import suppress

import pytest

from loaders.publishing.plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import serving
from tests.service.processes import ROOT, fetch, mongod_of, wait_for
from tests.service.sockets import connect, parse, read_all, request

PRODUCTION = ROOT / "production.ini"
SEARCH = b"GET /map/buildings?name=nobody HTTP/1.1"
BOTH = ["main", "granian"]


@pytest.fixture(params=BOTH)
def server(request, serve, tmp_path):
    """Production.ini on a MongoDB of its own, which can be halted."""
    uri = f"embedded:{tmp_path}/data"
    server = serve(PRODUCTION, "--server-name", request.param, CAMPUS_MONGO_URI=uri)
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


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_a_request_in_flight_is_answered(server, slow_request, end):
    server.send_signal(end)
    answer = slow_request()

    assert parse(answer)[::2] == ("200 OK", b"[]")
    assert server.wait(5) == 0


@pytest.mark.parametrize("server", ["main"], indirect=True)
def test_a_second_signal_ends_waitress_at_once(server, slow_request):
    server.send_signal(signal.SIGTERM)
    time.sleep(0.1)
    server.send_signal(signal.SIGTERM)

    assert server.wait(0.5) == -signal.SIGTERM


def test_no_connection_is_taken_while_a_request_is_in_flight(server, slow_request):
    server.send_signal(signal.SIGTERM)
    time.sleep(0.2)

    with pytest.raises(ConnectionRefusedError):
        connect(server)
    slow_request()


def test_connections_without_a_request_do_not_hold_up_the_end(server):
    with connect(server) as idle, connect(server) as half_open:
        idle.sendall(request(SEARCH))
        idle.recv(65536)
        half_open.sendall(SEARCH[:20])
        time.sleep(0.2)

        server.send_signal(signal.SIGTERM)

        assert server.wait(15) == 0


def test_a_client_that_never_stops_asking_does_not_hold_up_the_end(server):
    with connect(server) as connection, suppress(OSError):
        connection.sendall(request(SEARCH))
        server.send_signal(signal.SIGTERM)
        while connection.recv(65536):
            connection.sendall(request(SEARCH))

    assert server.wait(5) == 0


@pytest.mark.parametrize("name", BOTH)
def test_a_big_answer_that_is_read_slowly_arrives_whole(serve, mongod_uri, mongod_database, name):
    dates = [f"2026-01-{day:02}" for day in range(1, 21)]
    rows = [serving(recipe, "x" * 1000, date=date) for date in dates for recipe in range(1, 501)]
    publish(mongod_database, plan_dining(mongod_database, rows), [])
    server = serve(PRODUCTION, "--server-name", name, CAMPUS_MONGO_URI=mongod_uri, CAMPUS_MONGO_TIMEOUT_MS="10000")
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
