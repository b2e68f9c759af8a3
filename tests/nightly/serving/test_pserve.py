"""Waitress, as pserve starts it: addresses, slow clients, memory."""

import re
from contextlib import ExitStack
from pathlib import Path

from tests.factories import building
from tests.processes.commands import PROCESS_DEADLINE, PRODUCTION, fetch, reserve_port, wait_for
from tests.processes.sockets import connect, receive_queues, request
from tests.publishing import publish_buildings

# Short numbers: as Python objects they need a multiple of the memory of their JSON.
LARGE_RING = ((42.5, -71.5),) * 500


def test_every_address_of_the_ini_file_is_served(spawn, tmp_path):
    for lines in ("listen = 127.0.0.1:{} 127.0.0.1:{}", "host = 127.0.0.1\nport = {}"):
        ports = [reserve_port() for _ in range(lines.count("{}"))]
        text = PRODUCTION.read_text(encoding="utf-8")
        ini = tmp_path / "server.ini"
        ini.write_text(re.sub("host = .*\n(#.*\n)?port = .*", lines.format(*ports), text), encoding="utf-8")

        spawn("pserve", ini, CAMPUS_MONGO_URI="mongomock://")

        for port in ports:
            assert wait_for(lambda port=port: fetch(f"http://127.0.0.1:{port}/"), PROCESS_DEADLINE).status == 200, port


def test_a_connection_without_progress_is_closed(serve, mongod_uri, mongod_database, tmp_path):
    # A response of 2 MB.
    buildings = [building(id_, name="x" * 2000) for id_ in range(1, 1001)]
    publish_buildings(mongod_database, buildings)
    text = re.sub(r"(?m)^(channel_timeout|cleanup_interval) = .*", r"\1 = 1", PRODUCTION.read_text(encoding="utf-8"))
    (tmp_path / "impatient.ini").write_text(text, encoding="utf-8")
    server = serve(tmp_path / "impatient.ini", CAMPUS_MONGO_URI=mongod_uri)

    with ExitStack() as opened:
        for _ in range(60):
            connection = opened.enter_context(connect(server, receive_buffer=4096))
            connection.sendall(request(b"GET /map/buildings HTTP/1.1"))

        wait_for(lambda: not receive_queues(server))


def peak_megabytes(process):
    return int(re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text())[1]) / 1000


def test_a_search_does_not_hold_large_results_as_python_objects(serve, mongod_database, mongod_uri):
    records = (building(id_, polygons=(LARGE_RING,)) for id_ in range(1, 4001))
    publish_buildings(mongod_database, records)
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_uri, CAMPUS_CACHE_MEMORY_MB="0")
    idle = peak_megabytes(server)

    response = fetch(f"{server.url}/map/buildings?name=w")

    megabytes = len(response.body) / 1_000_000
    assert megabytes > 25
    assert peak_megabytes(server) - idle < 8 * megabytes
