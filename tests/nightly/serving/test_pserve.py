"""Waitress, as pserve starts it: addresses, what it rejects itself, memory."""

import re
from contextlib import ExitStack
from pathlib import Path

import pytest

from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import building
from tests.processes import nginx
from tests.processes.commands import PRODUCTION, fetch, reserve_port, start_server, wait_for
from tests.processes.sockets import connect, receive_queues, request, send

# Short numbers: as Python objects they need a multiple of the memory of their JSON.
LARGE_RING = ((42.5, -71.5),) * 500


@pytest.fixture(scope="module")
def server(spawn_shared):
    """Production.ini on an empty database in memory."""
    return start_server(spawn_shared, PRODUCTION, CAMPUS_MONGO_URI="mongomock://")


@pytest.fixture
def spawn_with(spawn, tmp_path):
    """Start production.ini with other lines in its server section, on an empty database in memory."""

    def spawn_with(lines, uri="mongomock://"):
        text, replaced = re.subn("host = .*\n(#.*\n)?port = .*", lines, PRODUCTION.read_text(encoding="utf-8"))
        assert replaced == 1
        (tmp_path / "server.ini").write_text(text, encoding="utf-8")
        return spawn("pserve", tmp_path / "server.ini", CAMPUS_MONGO_URI=uri)

    return spawn_with


def test_every_address_of_the_ini_file_is_served(spawn_with):
    for lines in ("listen = 127.0.0.1:{} 127.0.0.1:{}", "host = 127.0.0.1\nport = {}"):
        ports = [reserve_port() for _ in range(lines.count("{}"))]

        spawn_with(lines.format(*ports))

        for port in ports:
            assert wait_for(lambda port=port: fetch(f"http://127.0.0.1:{port}/")).status == 200


def test_a_request_without_a_body_needs_no_100_continue(server):
    for headers in ([], [b"Content-Length: 0"]):
        assert send(server, b"GET /map/buildings HTTP/1.1", b"Expect: 100-continue", *headers)[0] == "200 OK"


def test_requests_within_the_limits_of_nginx_are_valid_for_the_service(server, tmp_path):
    with nginx.running(tmp_path, server.url.rpartition(":")[2]) as site:
        blanks = nginx.fetch(site, "/map/buildings?1", X="\t" * 15_000 + "\x7f")
        long = nginx.fetch(site, f"/dining/menus?{'recipe=1&' * 6000}meal=1", User_Agent="browser" * 100)

    assert (blanks.status, long.status) == (400, 200)


@pytest.fixture
def many_buildings(mongod_uri, mongod_database):
    """The URI of a database with a thousand buildings, which are 2 MB."""
    buildings = [building(id_, name="x" * 2000) for id_ in range(1, 1001)]
    publish(mongod_database, plan_buildings(mongod_database, buildings), [])
    return mongod_uri


def test_a_connection_without_progress_is_closed(serve, many_buildings, tmp_path):
    text = re.sub(r"(?m)^(channel_timeout|cleanup_interval) = .*", r"\1 = 1", PRODUCTION.read_text(encoding="utf-8"))
    (tmp_path / "impatient.ini").write_text(text, encoding="utf-8")
    server = serve(tmp_path / "impatient.ini", CAMPUS_MONGO_URI=many_buildings)

    with ExitStack() as opened:
        for _ in range(60):
            connection = opened.enter_context(connect(server, receive_buffer=4096))
            connection.sendall(request(b"GET /map/buildings HTTP/1.1"))

        wait_for(lambda: not receive_queues(server))


def peak_megabytes(process):
    return int(re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text())[1]) / 1000


def test_a_search_does_not_hold_large_results_as_python_objects(serve, mongod_database, mongod_uri):
    records = (building(id_, polygons=(LARGE_RING,)) for id_ in range(1, 4001))
    publish(mongod_database, plan_buildings(mongod_database, records), [])
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_uri, CAMPUS_CACHE_MEMORY_MB="0")
    idle = peak_megabytes(server)

    response = fetch(f"{server.url}/map/buildings?name=w")

    megabytes = len(response.body) / 1_000_000
    assert megabytes > 25
    assert peak_megabytes(server) - idle < 8 * megabytes
