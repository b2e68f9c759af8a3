"""Memory usage of a real process."""

import re
from pathlib import Path

from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import building
from tests.processes.commands import ROOT, fetch

# Short numbers: as Python objects they need a multiple of the memory of their JSON.
LARGE_RING = ((42.5, -71.5),) * 500


def peak_megabytes(process):
    return int(re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text())[1]) / 1000


def test_a_search_does_not_hold_large_results_as_python_objects(serve, mongod_database, mongod_uri):
    records = (building(id_, polygons=(LARGE_RING,)) for id_ in range(1, 4001))
    publish(mongod_database, plan_buildings(mongod_database, records), [])
    server = serve(
        ROOT / "production.ini",
        CAMPUS_MONGO_URI=mongod_uri,
        CAMPUS_MONGO_TIMEOUT_MS="10000",
        CAMPUS_CACHE_MEMORY_MB="0",
    )
    idle = peak_megabytes(server)

    response = fetch(f"{server.url}/map/buildings?name=w")

    megabytes = len(response.body) / 1_000_000
    assert megabytes > 25
    assert peak_megabytes(server) - idle < 8 * megabytes
