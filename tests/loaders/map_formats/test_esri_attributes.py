"""Attributes of Esri JSON: field names and aliases, with and without their table, and null values."""

import json
from dataclasses import replace

import pytest

from loaders import profiles
from loaders.readers import buildings

ESRI = profiles.load_building_profile("esri")
POINT = {"x": -71.11, "y": 42.37}


def read(path, profile=ESRI, **changed):
    return buildings.read([path], replace(profile, **changed))


@pytest.fixture
def save_query(save):
    """Write the response of an ArcGIS server to a query, with these attributes, and return its path."""

    def save_query(*attributes, **head):
        features = [{"attributes": source, "geometry": POINT} for source in attributes]
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
def test_an_attribute_is_available_by_name_or_alias_with_or_without_its_table(save_query, key, aliases):
    path = save_query({"id": 1, key: "Widener", "DECOY": "Lamont"}, fieldAliases=aliases)

    [record] = read(path, fields={**ESRI.fields, "name": ("NAME",)}).records

    assert record.name == "Widener"


@pytest.mark.parametrize("source", ["T.FIELD_7", "FIELD_7", "Building_HU.NAME", "NAME"])
def test_a_profile_may_use_any_name_of_an_attribute(save_query, source):
    path = save_query({"id": 1, "T.FIELD_7": "Widener"}, fieldAliases={"T.FIELD_7": "Building_HU.NAME"})

    [record] = read(path, fields={**ESRI.fields, "name": (source,)}).records

    assert record.name == "Widener"


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
def test_full_names_take_precedence_over_names_without_their_table(save_query, attributes, aliases):
    path = save_query({"id": 1, **attributes}, fieldAliases=aliases)

    [record] = read(path, fields={**ESRI.fields, "name": ("NAME",)}).records

    assert record.name == "right"


def test_features_may_have_different_attributes(save_query):
    path = save_query({"id": 1, "T.NAME": "Widener"}, {"id": 2, "NAME": "Lamont"}, {"id": 3})

    assert [record.name for record in read(path).records] == ["Widener", "Lamont", None]


OTHERS = ["(null)", r"\N", "#N/A", "#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#NULL!", "#NUM!"]


@pytest.mark.parametrize("nothing", ["Null", "null", "NULL", " ", "", "<Null>", "<null>", " Null ", None, *OTHERS])
def test_esri_nulls_are_absent(save_query, nothing):
    fields = ["name", "address", "city", "image"]
    path = save_query({"id": 1, **dict.fromkeys(fields, nothing)})

    [record] = read(path, city="Cambridge", image_base="https://example.edu/").records

    assert (record.name, record.address, record.city, record.image) == (None, "", "Cambridge", None)


def test_the_next_source_is_used_for_an_absent_value(save_query):
    path = save_query({"BLDG_ID": "Null", "Root": "7", "name": "<Null>", "Building Name": "Widener"})

    [record] = read(path).records

    assert (record.id, record.name) == (7, "Widener")


@pytest.mark.parametrize("name", ["Nullarbor Hall", "<Null> Hall", "0", "#1", "N/A"])
def test_a_name_that_resembles_a_null_is_a_name(save_query, name):
    [record] = read(save_query({"id": 1, "name": name})).records

    assert record.name == name
