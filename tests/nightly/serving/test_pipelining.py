"""Clients that pipeline requests and read no response."""

import re
import socket
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest

from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import building
from tests.processes import nginx
from tests.processes.commands import fetch, start_server, wait_for
from tests.processes.servers import PRODUCTION
from tests.processes.sockets import connect, parse, read_all, receive_queues, request

LIST = request(b"GET /map/buildings HTTP/1.1")
CLIENTS = 60


@pytest.fixture
def server(spawn, tmp_path, mongod_uri, mongod_database):
    """Production.ini with a 2 MB list of buildings and a channel_timeout of one second."""
    buildings = [building(id_, name="x" * 2000) for id_ in range(1, 1001)]
    publish(mongod_database, plan_buildings(mongod_database, buildings), [])
    text = PRODUCTION.read_text(encoding="utf-8")
    for name in ("channel_timeout", "cleanup_interval"):
        text = re.sub(rf"(?m)^{name} = .*", f"{name} = 1", text)
    (tmp_path / "server.ini").write_text(text, encoding="utf-8")
    return start_server(spawn, tmp_path / "server.ini", CAMPUS_MONGO_URI=mongod_uri)


def non_readers(stack, server):
    for _ in range(CLIENTS):
        connection = stack.enter_context(connect(server, receive_buffer=4096))
        connection.sendall(LIST * 200)
        yield connection


def test_other_clients_are_served_meanwhile(server):
    with ExitStack() as stack:
        list(non_readers(stack, server))

        assert [fetch(f"{server.url}/map/buildings/1").status for _ in range(10)] == [200] * 10


def test_a_connection_without_progress_is_closed(server):
    with ExitStack() as stack:
        connections = list(non_readers(stack, server))

        wait_for(lambda: not receive_queues(server))
        assert len(connections) == CLIENTS


def test_only_the_first_pipelined_request_is_processed(server):
    with connect(server) as connection:
        connection.sendall(LIST * 100)

        status, headers, body = parse(read_all(connection))

    assert (status, headers["connection"], len(body)) == ("200 OK", "close", int(headers["content-length"]))


def test_nginx_serves_other_clients_meanwhile(server, tmp_path):
    with nginx.running(tmp_path, urlsplit(server.url).port) as site, ExitStack() as stack:
        for _ in range(CLIENTS):
            plain = socket.create_connection((nginx.ADDRESS, site.secure))
            connection = stack.enter_context(nginx.unverified_context().wrap_socket(plain))
            connection.sendall(LIST.replace(b"buildings", b"buildings?nginx") * 200)

        assert [nginx.fetch(site, "/map/buildings/1").status for _ in range(10)] == [200] * 10
