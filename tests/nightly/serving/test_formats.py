"""Programs that open only a URL read the data of a real server."""

import json

import pandas
import pyogrio
import pytest
from icalendar import Calendar

from tests.processes.commands import fetch


@pytest.fixture
def get(samples):
    """Return the JSON of a path of the service with the sample data."""
    return lambda path: json.loads(fetch(samples.url + path).body)


@pytest.fixture
def read_gdal(samples, all_gdal_drivers):
    """Return the ids, the geometries and the names that GDAL reads of a path."""

    def read_gdal(path):
        metadata, ids, geometries, fields = pyogrio.raw.read(samples.url + path, return_fids=True)
        names = dict(zip(metadata["fields"], fields, strict=True))["name"]
        return list(ids), list(geometries), list(names)

    return read_gdal


def test_gdal_reads_the_places_of_the_halls(get, read_gdal):
    ids, points, names = read_gdal("/dining/locations.geojson")

    assert [{"id": id_, "name": name} for id_, name in zip(ids, names, strict=True)] == get("/dining/locations")
    assert [name for name, point in zip(names, points, strict=True) if point is None] == ["Cronkhite Dining Room"]


def test_pandas_reads_buildings(samples, get):
    table = pandas.read_csv(f"{samples.url}/map/buildings.csv")

    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    buildings = get("/map/buildings")
    assert None in [row["name"] for row in rows]
    points = [[row.pop("latitude"), row.pop("longitude")] for row in rows]
    assert points == [building.pop("geometry")["point"] for building in buildings]
    assert rows == buildings


def test_pandas_reads_menus(samples, get):
    query = "?location=30&location=7&meal=2"

    table = pandas.read_csv(f"{samples.url}/dining/menus.csv{query}", parse_dates=["date"])

    rows = get(f"/dining/menus{query}")
    ids = ["meal", "location", "category", "recipe"]
    assert rows
    assert list(table["date"].dt.strftime("%Y-%m-%d")) == [row["date"] for row in rows]
    assert table[ids].to_dict("records") == [{name: row[name] for name in ids} for row in rows]
    assert list(table["recipe_name"]) == [row["name"] for row in rows]


def test_pandas_reads_dishes_and_the_facts_of_recipes(samples, get):
    dishes = pandas.read_csv(f"{samples.url}/dining/dishes.csv?without=milk&label=vegan")
    recipes = pandas.read_csv(f"{samples.url}/dining/recipes.csv")

    rows = get("/dining/dishes?without=milk&label=vegan")
    assert rows
    assert list(dishes["recipe_name"]) == [row["name"] for row in rows]
    assert [{*each.split("; ")} - {""} for each in dishes["contains"].fillna("")] == [
        {*row["facts"]["contains"]} for row in rows
    ]
    unknown = {row["id"] for row in get("/dining/facts") if row["contains"] is None}
    assert set(recipes[recipes["contains"] == "unknown"]["id"]) == unknown != set()


def test_icalendar_reads_the_times_of_meals(samples, get):
    calendar = Calendar.from_ical(fetch(f"{samples.url}/dining/menus.ics?location=30").body)

    begins = {event.decoded("dtstart").isoformat() for event in calendar.events}
    hours = get("/dining/hours?location=30")
    assert {f"{each['date']}T{each['opens']}:00-05:00" for each in hours} < begins
