"""The heartbeat and the metrics while the database is unavailable."""

import json

import pytest

from tests.factories import NOON
from tests.service.processes import IMPATIENT, ROOT, fetch, start_server, wait_for
from tests.service.warm_cache import mongod_with_data

PRODUCTION = ROOT / "production.ini"


@pytest.fixture
def mongod(tmp_path):
    with mongod_with_data(tmp_path) as mongod:
        yield mongod


@pytest.fixture
def server(spawn, mongod):
    return start_server(spawn, PRODUCTION, CAMPUS_MONGO_URI=mongod.uri(), CAMPUS_CLOCK_FROZEN_AT=NOON, **IMPATIENT)


def heartbeat(server):
    response = fetch(f"{server.url}/__heartbeat__")
    report = json.loads(response.body)
    return response.status, report["status"], report["database"]


@pytest.mark.slow
def test_the_heartbeat_warns_while_responses_are_served_from_the_cache(server, mongod):
    wait_for(lambda: heartbeat(server) == (200, "ok", "up"))

    mongod.kill()

    wait_for(lambda: heartbeat(server) == (200, "warn", "down"))
    assert "the database is unavailable" in fetch(f"{server.url}/__heartbeat__").body.decode()
    assert "\ncampus_database_up 0.0\n" in fetch(f"{server.url}/__metrics__").body.decode()


@pytest.mark.slow
def test_the_heartbeat_is_a_503_without_database_and_cache(spawn, mongod):
    mongod.kill()

    server = start_server(spawn, PRODUCTION, CAMPUS_MONGO_URI=mongod.uri(), CAMPUS_CLOCK_FROZEN_AT=NOON, **IMPATIENT)

    assert heartbeat(server) == (503, "error", "down")
    assert fetch(f"{server.url}/__lbheartbeat__").status == 200


@pytest.mark.slow
def test_the_heartbeat_is_ok_once_the_database_is_back(spawn, mongod):
    mongod.kill()
    server = start_server(spawn, PRODUCTION, CAMPUS_MONGO_URI=mongod.uri(), CAMPUS_CLOCK_FROZEN_AT=NOON, **IMPATIENT)

    mongod.start()

    wait_for(lambda: heartbeat(server) == (200, "ok", "up"))
