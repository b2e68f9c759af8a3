"""GeoJSON features outside of a plain FeatureCollection."""

import json

import pytest

from loaders import profiles
from loaders.readers import buildings
from loaders.result import SourceLocation
from tests.factories import feature

FEATURES = [feature(1), feature(2)]
LINES = [json.dumps(each) for each in FEATURES]


def read(path, profile="geojson"):
    return buildings.read([path], profiles.load_building_profile(profile))


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(LINES),
        "".join(f"\x1e{line}\n" for line in LINES),
        json.dumps(FEATURES),
        json.dumps({"data": {"type": "FeatureCollection", "features": FEATURES}, "total": 2}),
        json.dumps({"response": {"map": {"features": FEATURES, "type": "FeatureCollection"}}}),
    ],
    ids=["newline-delimited", "RFC 8142", "array", "in an object", "in an object of an object"],
)
def test_features_are_read_from_any_container(save, text):
    result = read(save(text))

    assert ([record.id for record in result.records], result.errors) == ([1, 2], [])


def test_an_invalid_feature_of_a_sequence_has_its_line(save):
    [error] = read(save("\n".join([*LINES, json.dumps(feature("x"))]))).errors

    assert error.location == SourceLocation(3, 3)


def test_a_wrapped_collection_has_its_crs(save):
    crs = {"type": "name", "properties": {"name": "EPSG:2249"}}
    point = {"type": "Point", "coordinates": [761000, 2962000]}
    collection = {"type": "FeatureCollection", "crs": crs, "features": [feature(1, point)]}

    [record] = read(save(json.dumps({"data": collection}))).records

    assert record.point == pytest.approx((42.377, -71.11), abs=0.01)


def test_repeated_aliases_of_esri_json_are_read(save):
    aliases = '{"id": "id", "NAME": "Name", "NAME": "Building Name"}'
    record = {"attributes": {"id": 1, "NAME": "Widener"}, "geometry": {"x": -71.1, "y": 42.3}}
    text = f'{{"fieldAliases": {aliases}, "spatialReference": {{"wkid": 4326}}, "features": [{json.dumps(record)}]}}'

    [building] = read(save(text), "esri").records

    assert building.name == "Widener"


def test_a_sequence_is_loaded_by_the_command(campus_load, save):
    result = campus_load("check", save("\n".join(LINES), "buildings.geojsonl"))

    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "verdict: can be published")
