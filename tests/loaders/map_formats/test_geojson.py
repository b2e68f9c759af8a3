"""GeoJSON: containers, members and the coordinate reference system."""

import json
from dataclasses import replace

import pytest

from loaders import profiles
from loaders.profiles.building_ids import IntegerId
from loaders.readers import buildings
from tests.factories import feature
from tests.loaders.errors import message_of

PROFILE = profiles.load_building_profile("geojson")
FEATURES = [feature(1), feature(2)]
LINES = [json.dumps(each) for each in FEATURES]
YARD = (42.3737, -71.1101)
DEGREES = {"type": "Point", "coordinates": [-71.1101, 42.3737]}
# The same in web mercator and in feet (Massachusetts).
METRES = {"type": "Point", "coordinates": [-7915940.12, 5217123.31]}
FEET = {"type": "Point", "coordinates": [761523.13, 2961446.58]}


def read(path, **changed):
    return buildings.read([(replace(PROFILE, **changed), [path])])


def in_the_yard(path, **changed):
    return [record.point for record in read(path, **changed).records] == [pytest.approx(YARD, abs=0.00001)]


def crs(name):
    return {"type": "name", "properties": {"name": name}}


@pytest.fixture
def save_collection(save):
    """Write a collection of a feature with this geometry, between other members, and return its path."""

    def save_collection(geometry, *, after=None, **before):
        members = {"type": "FeatureCollection", **before, "features": [feature(1, geometry)], **(after or {})}
        return save(json.dumps(members))

    return save_collection


def test_a_profile_names_members_of_objects_of_which_one_language_is_the_default(save_features, save):
    names = {"ru": "Библиотека", "en": "Library"}
    features = feature(1, name=names), feature(2, name={"zh-Hant": "圖書館"}), feature(3, name={"ru": "Зал", "en": ""})
    for path, source, expected in [
        (save_features(*features), "name", ["Library", "圖書館", "Зал"]),
        (save_features(*features), "name.ru", ["Библиотека", None, "Зал"]),
        (save_features(feature(1, info={"title": names}), feature(2), name="nested"), "info.title", ["Library", None]),
        (save(json.dumps([{"id": 1, "lat": 1.5, "lon": 2.5, "name": names}])), "name.ru", ["Библиотека"]),
    ]:
        format_name = "table" if len(expected) == 1 else "geojson"
        result = read(path, format=format_name, fields={**PROFILE.fields, "name": (source,)})

        assert ([record.name for record in result.records], result.unread) == (expected, {}), source


def test_features_are_read_from_any_container(save):
    for text in (
        json.dumps({"features": FEATURES, "name": "map", "type": "FeatureCollection"}),
        "\n".join(LINES),
        "".join(f"\x1e{line}\n" for line in LINES),
        json.dumps(FEATURES),
        json.dumps({"data": {"type": "FeatureCollection", "features": FEATURES}, "total": 2}),
        json.dumps({"response": {"map": {"features": FEATURES, "type": "FeatureCollection"}}}),
    ):
        result = read(save(text))

        assert ([record.id for record in result.records], result.errors) == ([1, 2], []), text


def test_a_collection_is_in_degrees_or_in_its_named_crs(save, save_collection):
    for geometry, head in [
        (DEGREES, {}),
        (DEGREES, {"crs": None}),
        (DEGREES, {"crs": crs("urn:ogc:def:crs:OGC:1.3:CRS84")}),
        (FEET, {"crs": crs("urn:ogc:def:crs:EPSG::2249")}),
    ]:
        assert in_the_yard(save_collection(geometry, **head)), head
    # The profile overrides it.
    for head in ({}, {"crs": crs("urn:ogc:def:crs:OGC:1.3:CRS84")}):
        assert in_the_yard(save_collection(METRES, **head), wkid=3857), head
    wrapped = {"data": {"type": "FeatureCollection", "crs": crs("EPSG:2249"), "features": [feature(1, FEET)]}}
    assert in_the_yard(save(json.dumps(wrapped)))


def test_an_unknown_crs_is_an_error(save_collection):
    unknown = "crs 'EPSG:1' is not a known coordinate reference system"
    assert message_of(read, save_collection(DEGREES, crs=crs("EPSG:1"))) == unknown
    for value in ({}, "EPSG:4326", {"properties": None}, {"type": "name", "properties": ["x"]}):
        malformed = f"crs {value!r} does not name a coordinate reference system"
        assert message_of(read, save_collection(DEGREES, crs=value)) == malformed, value
    assert message_of(read, save_collection(DEGREES), wkid=1) == "wkid 1 is not a known coordinate reference system"


def test_a_crs_after_the_features_must_be_that_which_they_are_read_in(save_collection):
    late = "has its crs after the features: it must come before them, or wkid in the profile say it (--wkid)"
    for name in ("EPSG:3857", "ESRI:102686", "+proj=utm +zone=19 +ellps=intl"):
        assert message_of(read, save_collection(DEGREES, after={"crs": crs(name)})) == late, name
    for value in (None, crs("urn:ogc:def:crs:EPSG::4326"), crs("urn:ogc:def:crs:OGC:1.3:CRS84")):
        assert in_the_yard(save_collection(DEGREES, after={"crs": value})), value
    for wkid in (3857, 102100):
        path = save_collection(METRES, after={"crs": crs("urn:ogc:def:crs:EPSG::3857")})
        assert in_the_yard(path, wkid=wkid), wkid


def test_aliases_and_tags_are_text_lists_or_objects(save_features):
    for value, words in (
        ("gym; pool", "gym;pool"),
        (["gym", None, 7, "sau\0na", " pool "], "gym;pool"),
        ({"building": "gym", "levels": 2, "amenity": "pool"}, "gym;pool"),
        (None, ""),
    ):
        [building] = read(save_features(feature(1, aliases=value, tags=value))).records
        assert (building.aliases, building.tags) == (words, words), value


def test_a_property_that_the_id_of_the_feature_hides_is_reported_and_can_be_named(save_features):
    for id_, unread in [(7, {"properties.id": 1}), (1, {}), (None, {})]:
        path = save_features({**feature(1), "properties": {"id": id_}})
        assert read(path).unread == unread, id_

    path = save_features({**feature(1), "properties": {"id": 7}})
    assert [record.id for record in read(path, id=IntegerId(("properties.id",))).records] == [7]


def test_a_file_that_is_no_collection_of_features_is_an_error(save):
    for content in ('{"type": "FeatureCollection"}', '{"features": {}}', '{"features": []}', "[]", "7", "null"):
        assert message_of(read, save(content)) == "is not a GeoJSON FeatureCollection with a list of features", content
    assert message_of(read, save('{"type": "FeatureCollection", "features": []}')) == "has no records"
