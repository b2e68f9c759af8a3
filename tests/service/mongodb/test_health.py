"""What the service says of itself while its database is away."""

import json

import pytest

from tests.factories import NOON
from tests.service.processes import IMPATIENT, ROOT, fetch, start_server, wait_for
from tests.service.warm import filled

PRODUCTION = ROOT / "production.ini"


@pytest.fixture
def mongod(tmp_path):
    with filled(tmp_path) as mongod:
        yield mongod


@pytest.fixture
def server(spawn, mongod):
    return start_server(spawn, PRODUCTION, CAMPUS_MONGO_URI=mongod.uri(), CAMPUS_CLOCK_FROZEN_AT=NOON, **IMPATIENT)


def heartbeat(server):
    answer = fetch(f"{server.url}/__heartbeat__")
    report = json.loads(answer.body)
    return answer.status, report["status"], report["database"]


@pytest.mark.slow
def test_a_service_that_answers_from_memory_warns(server, mongod):
    wait_for(lambda: heartbeat(server) == (200, "ok", "up"))

    mongod.kill()

    wait_for(lambda: heartbeat(server) == (200, "warn", "down"))
    assert "the database is unavailable" in fetch(f"{server.url}/__heartbeat__").body.decode()
    assert "\ncampus_database_up 0.0\n" in fetch(f"{server.url}/__metrics__").body.decode()


@pytest.mark.slow
def test_a_service_that_can_answer_nothing_says_so(spawn, mongod):
    mongod.kill()

    server = start_server(spawn, PRODUCTION, CAMPUS_MONGO_URI=mongod.uri(), CAMPUS_CLOCK_FROZEN_AT=NOON, **IMPATIENT)

    assert heartbeat(server) == (503, "error", "down")
    assert fetch(f"{server.url}/__lbheartbeat__").status == 200


@pytest.mark.slow
def test_a_service_is_fine_again_with_its_database(spawn, mongod):
    mongod.kill()
    server = start_server(spawn, PRODUCTION, CAMPUS_MONGO_URI=mongod.uri(), CAMPUS_CLOCK_FROZEN_AT=NOON, **IMPATIENT)

    mongod.start()

    wait_for(lambda: heartbeat(server) == (200, "ok", "up"))
