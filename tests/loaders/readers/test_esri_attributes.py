"""Attributes of Esri JSON: by field name or by alias, whole or without a table, and what counts as absent."""

import json
from dataclasses import replace

import pytest

from loaders import profiles
from loaders.readers import buildings
from tests.factories import feature

ESRI = profiles.load_building_profile("esri")
POINT = {"x": -71.11, "y": 42.37}


def read(path, profile=ESRI, **changed):
    return buildings.read([path], replace(profile, **changed))


@pytest.fixture
def save_query(save):
    """Write what an ArcGIS server answers to a query, with these attributes; return its path."""

    def save_query(*attributes, **head):
        features = [{"attributes": given, "geometry": POINT} for given in attributes]
        return save(json.dumps({"spatialReference": {"wkid": 4326}, **head, "features": features}), "query.json")

    return save_query


@pytest.mark.parametrize(
    ("key", "aliases"),
    [
        ("NAME", {}),
        ("BUILDINGS.NAME", {}),
        ("campus.gis.BUILDINGS.NAME", {}),
        ("FIELD_7", {"FIELD_7": "NAME"}),
        ("FIELD_7", {"FIELD_7": "Building_HU.NAME"}),
        ("T.FIELD_7", {"T.FIELD_7": "NAME"}),
        ("T.FIELD_7", {"T.FIELD_7": "Building_HU.NAME"}),
    ],
)
def test_an_attribute_is_found_by_field_name_or_alias_with_or_without_its_table(save_query, key, aliases):
    path = save_query({"id": 1, key: "Widener", "DECOY": "Lamont"}, fieldAliases=aliases)

    [found] = read(path, fields={**ESRI.fields, "name": ("NAME",)}).records

    assert found.name == "Widener"


@pytest.mark.parametrize("source", ["T.FIELD_7", "FIELD_7", "Building_HU.NAME", "NAME"])
def test_a_profile_may_name_an_attribute_in_all_its_ways(save_query, source):
    path = save_query({"id": 1, "T.FIELD_7": "Widener"}, fieldAliases={"T.FIELD_7": "Building_HU.NAME"})

    [found] = read(path, fields={**ESRI.fields, "name": (source,)}).records

    assert found.name == "Widener"


@pytest.mark.parametrize(
    ("attributes", "aliases"),
    [
        ({"T.NAME": "cut off", "NAME": "right"}, {}),
        ({"A": "alias", "NAME": "right"}, {"A": "NAME"}),
        ({"T.NAME": "cut off", "A": "right"}, {"A": "NAME"}),
        ({"T.NAME": "right", "U.NAME": "a later one"}, {}),
    ],
    ids=["the whole name", "the name before an alias", "a whole alias", "the first of two"],
)
def test_what_is_written_in_full_beats_what_is_cut_off(save_query, attributes, aliases):
    path = save_query({"id": 1, **attributes}, fieldAliases=aliases)

    [found] = read(path, fields={**ESRI.fields, "name": ("NAME",)}).records

    assert found.name == "right"


def test_features_may_have_different_attributes(save_query):
    path = save_query({"id": 1, "T.NAME": "Widener"}, {"id": 2, "NAME": "Lamont"}, {"id": 3})

    assert [found.name for found in read(path).records] == ["Widener", "Lamont", None]


@pytest.mark.parametrize("nothing", ["Null", "null", "NULL", " ", "", "<Null>", "<null>", " Null ", None])
def test_what_says_that_there_is_nothing_is_absent(save_query, nothing):
    fields = ["name", "address", "city", "image"]
    path = save_query({"id": 1, **dict.fromkeys(fields, nothing)})

    [found] = read(path, city="Cambridge", image_base="https://example.edu/").records

    assert (found.name, found.address, found.city, found.image) == (None, "", "Cambridge", None)


def test_an_absent_value_leaves_the_word_to_the_next_field(save_query):
    path = save_query({"BLDG_ID": "Null", "Root": "7", "name": "<Null>", "Building Name": "Widener"})

    [found] = read(path).records

    assert (found.id, found.name) == (7, "Widener")


@pytest.mark.parametrize("name", ["Nullarbor Hall", "<Null> Hall", "0"])
def test_a_name_that_only_looks_absent_is_kept(save_query, name):
    [found] = read(save_query({"id": 1, "name": name})).records

    assert found.name == name


def test_geojson_has_names_that_mean_nothing_in_esri_json(save_features):
    reading = read(save_features(feature(1, name="Null")), profile=profiles.load_building_profile("geojson"))

    assert [found.name for found in reading.records] == ["Null"]
