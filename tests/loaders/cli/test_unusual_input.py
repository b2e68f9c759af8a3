"""Unusual exports, profiles and ini files: a clear error or a warning, never a traceback."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.factories import feature

CAMPUS_LOAD = Path(sys.executable).with_name("campus-load")
PRODUCTION = Path(__file__).parents[3] / "production.ini"


def esri(**members):
    geometry = {"x": -71.1, "y": 42.3, "spatialReference": {"wkid": 4326}}
    return json.dumps({**members, "features": [{"attributes": {"id": 1}, "geometry": geometry}]})


@pytest.mark.parametrize("members", [{"exceededTransferLimit": True}, {"properties": {"exceededTransferLimit": True}}])
def test_pages_of_a_server_without_the_last_one_are_rejected(campus_load, save, members):
    result = campus_load("buildings", save(esri(**members), "page.json"))

    reason = "is not the last page: its members say that the server has more features; load all pages"
    assert (result.exit_code, result.stderr.splitlines()[0].endswith(f"page.json: {reason}")) == (2, True)


def test_all_pages_of_a_server_are_loaded(campus_load, save):
    first, last = save(esri(exceededTransferLimit=True), "first.json"), save(esri(), "last.json")

    assert campus_load("buildings", first, last).exit_code == 0


def test_swapped_coordinates_beyond_90_degrees_are_reported(campus_load, save_features):
    swapped = {"type": "Point", "coordinates": [34.4, -119.8]}

    result = campus_load("buildings", save_features(feature(1, swapped)))

    assert result.exit_code == 2
    assert "has longitude and latitude swapped" in result.stderr


@pytest.mark.parametrize("name", ["IAU_2015:30100", "+proj=longlat +R=1737400", "\ud800"])
def test_a_crs_of_another_planet_is_rejected(campus_load, save, name):
    crs = {"type": "name", "properties": {"name": name}}
    export = {"type": "FeatureCollection", "crs": crs, "features": [feature(1)]}

    result = campus_load("buildings", save(json.dumps(export)))

    assert (result.exit_code, "is not a known coordinate reference system" in result.stderr) == (2, True)


@pytest.mark.parametrize("text", ["a = " + "1" * 5000, "a = " + "[" * 5000])
def test_a_profile_that_cannot_be_parsed_is_an_error(campus_load, save, save_features, text):
    result = campus_load("buildings", save_features(feature(1)), "--profile", save(text, "custom.toml"))

    assert (result.exit_code, "is not TOML" in result.stderr) == (2, True)


def test_an_ini_file_that_is_not_utf_8_is_an_error(save):
    ini = save(b"[app:main]\nmongo.uri = caf\xe9\n", "latin.ini")

    result = subprocess.run([CAMPUS_LOAD, "history", "--config", ini], capture_output=True, text=True, check=False)

    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1)


def test_a_very_long_name_is_rejected(campus_load, save_features):
    result = campus_load("buildings", save_features(feature(1, name="x" * 10_001)))

    assert (result.exit_code, "is longer than 10000 characters" in result.stderr) == (2, True)


def test_a_closed_standard_input_is_an_error():
    result = subprocess.run(f"{CAMPUS_LOAD} profile - <&-", shell=True, capture_output=True, text=True, check=False)

    assert (result.returncode, result.stderr) == (2, "campus-load: -: standard input is closed\n")
