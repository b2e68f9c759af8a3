"""Loads as real processes: concurrent ones, and real exports."""

import json

import pytest

from tests.factories import feature, foodpro_row
from tests.loaders.live import live_collection, revision
from tests.processes.commands import ROOT, fetch

PRODUCTION = ROOT / "production.ini"
REAL = ROOT.parent / "shared" / "data"
needs_real_files = pytest.mark.skipif(not REAL.is_dir(), reason="the real exports are not installed")
DAYS = range(1, 29)


def month_of(recipe):
    return [foodpro_row(Recipe_Number=recipe, Serve_Date=f"11/{day:02}/2026") for day in DAYS]


def many(name, number=3000):
    return {"type": "FeatureCollection", "features": [feature(id_, name=name) for id_ in range(1, number + 1)]}


def test_concurrent_loads_of_menus_are_both_published(load, mongod_database):
    loads = [load("dining", name, month_of(recipe)) for name, recipe in (("rice", 1), ("soup", 2))]

    assert [process.wait() for process in loads] == [0, 0]

    live = f"revision {revision(mongod_database, 'dining')}"
    last = 1 + [live in process.output() for process in loads].index(True)
    menus = live_collection(mongod_database, "menus").find()
    assert {item["recipe"] for day in menus for item in day["items"]} == {last}


def test_concurrent_loads_of_buildings_are_both_published(load, mongod_database):
    loads = [load("buildings", name, many(name)) for name in ("north", "south")]

    assert [process.wait() for process in loads] == [0, 0]

    live = f"revision {revision(mongod_database, 'buildings')}"
    [last] = [name for name, process in zip(("north", "south"), loads, strict=True) if live in process.output()]
    assert live_collection(mongod_database, "buildings").distinct("name") == [last]


@needs_real_files
def test_a_real_menu_is_loaded_and_served(load_file, serve, mongod_uri):
    loading = load_file("dining", REAL / "dining/huds-dunster-mather-2010-08.csv", "--profile", "huds")
    assert loading.wait() == 0, loading.output()

    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_uri)

    lunch = json.loads(fetch(f"{server.url}/dining/menus?date=2010-08-25&meal=1").body)
    assert (len(lunch), lunch[0]["name"]) == (17, "Raspberry Bars")
    assert fetch(f"{server.url}/dining/locations").body == b'[{"id":7,"name":"Dunster and Mather House"}]'
    assert len(json.loads(fetch(f"{server.url}/dining/recipes").body)) == 193


@needs_real_files
def test_a_real_export_with_an_invalid_line_requires_max_errors(load_file, mongod_database):
    export = ["dining", REAL / "dining/huds-sample-2010-07.csv", "--profile", "huds"]
    rejected = load_file(*export)
    assert rejected.wait() == 2
    collections = mongod_database.list_collection_names()

    allowed = load_file(*export, "--max-errors", 1)

    assert allowed.wait() == 0
    assert collections == ["loads"]
    assert "line 96: row" in rejected.output()
    assert "95 duplicates left out" in allowed.output()


@needs_real_files
def test_real_buildings_are_loaded_and_served(load_file, serve, mongod_uri):
    loading = load_file("buildings", REAL / "buildings/cambridge-landmarks.geojson", "--city", "Cambridge")
    assert loading.wait() == 0, loading.output()

    server = serve(PRODUCTION, CAMPUS_MONGO_URI=mongod_uri)

    assert len(json.loads(fetch(f"{server.url}/map/buildings").body)) == 117
    [row] = json.loads(fetch(f"{server.url}/map/buildings?name=longfellow+bridge&name=waterhouse+carriage").body)
    assert (row["id"], row["city"], row["image"]) == (1, "Cambridge", None)
