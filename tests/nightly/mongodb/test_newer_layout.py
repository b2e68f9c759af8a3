"""Data that a newer version has loaded: every program refuses them with one line."""

import json

import pytest

from tests.factories import NOON, foodpro_row
from tests.processes.commands import PRODUCTION, fetch, wait_for
from tests.processes.servers import WARM_ENTRIES, health

LINE = "dining was loaded by a newer version of campus-api (layout 3): upgrade this one"


@pytest.fixture
def set_layout(mongod_with_data):
    def set_layout(layout):
        with mongod_with_data.database() as database:
            database.datasets.update_one({"_id": "dining"}, {"$set": {"layout": layout}})

    return set_layout


def test_a_program_refuses_data_of_a_newer_version(spawn, mongod_with_data, set_layout, tmp_path):
    (tmp_path / "menus.json").write_text(json.dumps([foodpro_row()]))
    set_layout(3)

    for command, status in [
        (["pserve", PRODUCTION, "http_port=0"], 1),
        (["campus-config", "check", PRODUCTION], 2),
        (["campus-load", "dining", "menus.json", "--config", PRODUCTION], 4),
        (["campus-load", "samples", "--config", PRODUCTION], 4),
    ]:
        process = spawn(*command, CAMPUS_MONGO_URI=mongod_with_data.uri())

        assert process.wait() == status, command
        assert [line.endswith(LINE) for line in process.output().splitlines() if "newer version" in line] == [True]
        assert "Traceback" not in process.output(), command


def test_a_running_service_goes_on_with_its_cache(serve, mongod_with_data, set_layout):
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_with_data.uri(), CAMPUS_CLOCK_FROZEN_AT=NOON)
    wait_for(lambda: health(server)["cache"]["entries"] == WARM_ENTRIES)

    set_layout(3)

    wait_for(lambda: health(server)["warnings"] == [f"the database is unavailable: {LINE}"])
    assert fetch(f"{server.url}/dining/menus").headers["Cache-Status"] == "campus; fwd=stale"
    set_layout(2)
    wait_for(lambda: health(server)["status"] == "ok")
