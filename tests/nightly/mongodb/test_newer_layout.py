"""Data that a newer version has loaded: every program refuses them with one line."""

import json

import pytest
from pymongo import MongoClient

from tests.factories import NOON, foodpro_row
from tests.processes.commands import ROOT, fetch, wait_for
from tests.processes.mongod import with_data
from tests.processes.servers import WARM_ENTRIES, health

PRODUCTION = ROOT / "production.ini"
LINE = "dining was loaded by a newer version of campus-api (layout 3): upgrade this one"


@pytest.fixture(scope="module")
def mongod(tmp_path_factory):
    with with_data(tmp_path_factory.mktemp("mongod")) as mongod:
        yield mongod


@pytest.fixture
def set_layout(mongod):
    def set_layout(layout):
        with MongoClient(mongod.uri()) as client:
            datasets = client.get_default_database().datasets
            datasets.update_one({"_id": "dining"}, {"$set": {"layout": layout}})

    yield set_layout
    set_layout(2)


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (["pserve", PRODUCTION, "http_port=0"], 1),
        (["campus-config", "check", PRODUCTION], 2),
        (["campus-load", "dining", "menus.json", "--config", PRODUCTION], 4),
        (["campus-load", "samples", "--config", PRODUCTION], 4),
    ],
    ids=["pserve", "check", "dining", "samples"],
)
def test_a_program_refuses_data_of_a_newer_version(spawn, mongod, set_layout, tmp_path, command, status):
    (tmp_path / "menus.json").write_text(json.dumps([foodpro_row()]))
    set_layout(3)

    process = spawn(*command, CAMPUS_MONGO_URI=mongod.uri())

    assert process.wait() == status
    assert [line.endswith(LINE) for line in process.output().splitlines() if "newer version" in line] == [True]
    assert "Traceback" not in process.output()


def test_a_running_service_goes_on_with_its_cache(serve, mongod, set_layout):
    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod.uri(), CAMPUS_CLOCK_FROZEN_AT=NOON)
    wait_for(lambda: health(server)["cache"]["entries"] == WARM_ENTRIES)

    set_layout(3)

    wait_for(lambda: health(server)["warnings"] == [f"the database is unavailable: {LINE}"])
    assert fetch(f"{server.url}/dining/menus").headers["Cache-Status"] == "campus; fwd=stale"
    set_layout(2)
    wait_for(lambda: health(server)["status"] == "ok")
