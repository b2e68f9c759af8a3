"""Programs that open only a URL read the data of a real server."""

import json

import pandas
import pyogrio
import pytest
from icalendar import Calendar

from tests.processes.commands import fetch


def fetch_json(url):
    return json.loads(fetch(url).body)


@pytest.mark.usefixtures("all_gdal_drivers")
@pytest.mark.parametrize("query", ["", "?name=wigglesworth", "?address=harvard+yard&name=hall"])
def test_gdal_reads_the_buildings_of_a_url(samples, query):
    url = f"{samples.url}/map/buildings"

    metadata, ids, _, fields = pyogrio.raw.read(f"{url}.geojson{query}", return_fids=True)

    expected = fetch_json(url + query)
    names = dict(zip(metadata["fields"], fields, strict=True))["name"]
    assert len(expected) > 0
    assert list(ids) == [building["id"] for building in expected]
    assert list(names) == [building["name"] for building in expected]


@pytest.mark.usefixtures("all_gdal_drivers")
def test_gdal_reads_a_building_of_a_url(samples):
    _, ids, _, _ = pyogrio.raw.read(f"{samples.url}/map/buildings/116.geojson", return_fids=True)

    assert list(ids) == [116]


def test_pandas_reads_the_buildings_of_a_url(samples):
    url = f"{samples.url}/map/buildings"

    table = pandas.read_csv(f"{url}.csv")

    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    assert None in [row["name"] for row in rows]
    assert [[row["latitude"], row["longitude"]] for row in rows] == [
        building["geometry"]["point"] for building in fetch_json(url)
    ]
    assert [{name: row[name] for name in ("id", "name", "address", "city", "image")} for row in rows] == [
        {name: value for name, value in building.items() if name != "geometry"} for building in fetch_json(url)
    ]


@pytest.mark.parametrize("query", ["", "?location=30&location=7&meal=2"])
def test_pandas_reads_the_menus_of_a_url(samples, query):
    url = f"{samples.url}/dining/menus"

    table = pandas.read_csv(f"{url}.csv{query}", parse_dates=["date"])

    rows = fetch_json(url + query)
    assert len(rows) > 0
    assert list(table["date"].dt.strftime("%Y-%m-%d")) == [row["date"] for row in rows]
    assert table[["meal", "location", "category", "recipe"]].to_dict("records") == [
        {name: row[name] for name in ("meal", "location", "category", "recipe")} for row in rows
    ]
    assert list(table["recipe_name"]) == [row["name"] for row in rows]


def test_pandas_reads_the_dishes_of_a_url(samples):
    url = f"{samples.url}/dining/dishes"

    table = pandas.read_csv(f"{url}.csv?without=milk&label=vegan")

    rows = fetch_json(f"{url}?without=milk&label=vegan")
    assert len(rows) > 0
    assert list(table["recipe_name"]) == [row["name"] for row in rows]
    assert [set(names.split("; ")) for names in table["allergens"]] == [set(row["facts"]["allergens"]) for row in rows]


def test_pandas_reads_the_facts_of_all_recipes(samples):
    table = pandas.read_csv(f"{samples.url}/dining/recipes.csv")

    allergens = {row["id"]: row["allergens"] for row in fetch_json(f"{samples.url}/dining/facts")}
    known = table[table["allergens"].notna()]
    assert len(known) > 0
    assert set(known["id"]) == {id_ for id_, names in allergens.items() if names}


@pytest.mark.usefixtures("all_gdal_drivers")
def test_gdal_reads_the_places_of_the_halls(samples):
    metadata, ids, points, fields = pyogrio.raw.read(f"{samples.url}/dining/locations.geojson", return_fids=True)

    halls = fetch_json(f"{samples.url}/dining/locations")
    names = dict(zip(metadata["fields"], fields, strict=True))["name"]
    assert [{"id": id_, "name": name} for id_, name in zip(ids, names, strict=True)] == halls
    assert [name for name, point in zip(names, points, strict=True) if point is None] == ["Cronkhite Dining Room"]


def test_icalendar_reads_the_times_of_meals(samples):
    calendar = Calendar.from_ical(fetch(f"{samples.url}/dining/menus.ics?location=30").body)

    begins = {event.decoded("dtstart").isoformat() for event in calendar.events}
    hours = fetch_json(f"{samples.url}/dining/hours?location=30")
    assert {f"{each['date']}T{each['opens']}:00-05:00" for each in hours} < begins
