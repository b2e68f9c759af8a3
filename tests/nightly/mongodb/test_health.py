"""The heartbeat and the metrics while the database is unavailable."""

import json
from functools import partial

import pytest

from tests.factories import NOON
from tests.processes.commands import IMPATIENT, ROOT, fetch, wait_for

PRODUCTION = ROOT / "production.ini"


@pytest.fixture
def start(serve, mongod_with_data):
    return partial(serve, PRODUCTION, CAMPUS_MONGO_URI=mongod_with_data.uri(), CAMPUS_CLOCK_FROZEN_AT=NOON, **IMPATIENT)


def heartbeat(server):
    response = fetch(f"{server.url}/__heartbeat__")
    report = json.loads(response.body)
    return response.status, report["status"], report["database"]


def test_the_heartbeat_warns_while_responses_are_served_from_the_cache(start, mongod_with_data):
    server = start()
    wait_for(lambda: heartbeat(server) == (200, "ok", "up"))

    mongod_with_data.kill()

    wait_for(lambda: heartbeat(server) == (200, "warn", "down"))
    assert "the database is unavailable" in fetch(f"{server.url}/__heartbeat__").body.decode()
    assert "\ncampus_database_up 0.0\n" in fetch(f"{server.url}/__metrics__").body.decode()


def test_the_heartbeat_is_a_503_without_database_and_cache(start, mongod_with_data):
    mongod_with_data.kill()

    server = start()

    assert heartbeat(server) == (503, "error", "down")
    assert fetch(f"{server.url}/__lbheartbeat__").status == 200


def test_the_heartbeat_is_ok_once_the_database_is_back(start, mongod_with_data):
    mongod_with_data.kill()
    server = start()

    mongod_with_data.start()

    wait_for(lambda: heartbeat(server) == (200, "ok", "up"))
