"""Loads as real processes: two at once, and one that is killed."""

import json
import signal

import pytest

from tests.factories import feature, foodpro_row
from tests.service.conftest import wait_for

DAYS = range(1, 29)


@pytest.fixture
def load(spawn, tmp_path, mongod_uri):
    """Start `campus-load` on an export with the given content."""
    ini = tmp_path / "campus.ini"
    ini.write_text("[app:main]\nuse = egg:campus-api\n")

    def load(dataset, name, content):
        export = tmp_path / f"{name}.json"
        export.write_text(json.dumps(content))
        return spawn("campus-load", dataset, export, "--config", ini, CAMPUS_MONGO_URI=mongod_uri)

    return load


def month_of(recipe):
    return [foodpro_row(Recipe_Number=recipe, Serve_Date=f"11/{day:02}/2026") for day in DAYS]


def many(name, number=3000):
    return {"type": "FeatureCollection", "features": [feature(id_, name=name) for id_ in range(1, number + 1)]}


def test_of_two_loads_of_menus_at_once_the_second_waits(load, mongod_database):
    loads = [load("dining", name, month_of(recipe)) for name, recipe in (("rice", 1), ("soup", 2))]

    assert [process.wait(60) for process in loads] == [0, 0]

    last = 1 + ["revision 2" in process.said() for process in loads].index(True)
    assert {item["recipe"] for day in mongod_database.menus.find() for item in day["items"]} == {last}


def test_of_two_loads_of_buildings_at_once_the_second_waits(load, mongod_database):
    loads = [load("buildings", name, many(name)) for name in ("north", "south")]

    assert [process.wait(60) for process in loads] == [0, 0]

    [last] = [name for name, process in zip(("north", "south"), loads, strict=True) if "revision 2" in process.said()]
    live = mongod_database.datasets.find_one({"_id": "buildings"})
    assert (live["revision"], mongod_database[live["collection"]].distinct("name")) == (2, [last])


def test_after_a_load_was_killed_the_next_one_publishes(load, mongod_database):
    assert load("buildings", "old", many("old", 10)).wait(60) == 0
    killed = load("buildings", "new", many("new"))
    wait_for(lambda: mongod_database.buildings_2.find_one())
    killed.send_signal(signal.SIGKILL)
    killed.wait(20)
    after_the_kill = mongod_database.datasets.find_one({"_id": "buildings"})

    again = load("buildings", "new", many("new"))

    assert again.wait(60) == 0, again.said()
    live = mongod_database.datasets.find_one({"_id": "buildings"})
    assert mongod_database[live["collection"]].count_documents({"name": "new"}) == 3000
    assert after_the_kill["revision"] in (1, 2)
    assert mongod_database.imports.count_documents({"state": "started"}) == 0
