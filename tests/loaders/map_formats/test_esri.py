"""Responses of ArcGIS servers: attributes, spatial references and containers."""

import json
from dataclasses import replace

import pyproj
import pytest

from loaders import profiles
from loaders.readers import buildings
from tests.loaders.errors import message_of

ESRI = profiles.load_building_profile("esri")
YARD = (42.3737, -71.1101)
DEGREES = (-71.1101, 42.3737)
# The same in web mercator and in feet (Massachusetts).
METRES, FEET = (-7915940.12, 5217123.31), (761523.13, 2961446.58)
WKT_OF_FEET = pyproj.CRS.from_epsg(2249).to_wkt("WKT1_ESRI")


def read(path, profile=ESRI, **changed):
    return buildings.read([(replace(profile, **changed), [path])])


def in_the_yard(path, **changed):
    return [record.point for record in read(path, **changed).records] == [pytest.approx(YARD, abs=0.00001)]


def point(position=DEGREES, **members):
    return {"x": position[0], "y": position[1], **members}


@pytest.fixture
def save_query(save):
    """Write the response of a server to a query, with these attributes, and return its path."""

    def save_query(*attributes, geometry=None, **head):
        features = [{"attributes": each, "geometry": geometry or point()} for each in attributes or [{"id": 1}]]
        return save(json.dumps({"spatialReference": {"wkid": 4326}, **head, "features": features}))

    return save_query


def test_a_name_is_that_of_an_attribute_or_else_an_alias_or_else_either_without_its_table(save_query):
    for attributes, aliases, sources in [
        ({"NAME": "right", "DECOY": "Lamont"}, {}, ["NAME"]),
        ({"T.S.NAME": "right", "DECOY": "Lamont"}, {}, ["T.S.NAME", "NAME"]),
        ({"F_7": "right", "DECOY": "Lamont"}, {"F_7": "NAME"}, ["F_7", "NAME"]),
        ({"T.F_7": "right", "DECOY": "Lamont"}, {"T.F_7": "B_HU.NAME"}, ["T.F_7", "F_7", "B_HU.NAME", "NAME"]),
        ({"T.NAME": "cut off", "NAME": "right"}, {}, ["NAME"]),
        ({"A": "alias", "NAME": "right"}, {"A": "NAME"}, ["NAME"]),
        ({"T.NAME": "cut off", "A": "right"}, {"A": "NAME"}, ["NAME"]),
        ({"T.NAME": "right", "U.NAME": "a later one"}, {}, ["NAME"]),
    ]:
        path = save_query({"id": 1, **attributes}, fieldAliases=aliases)

        for source in sources:
            [record] = read(path, fields={**ESRI.fields, "name": (source,)}).records
            assert record.name == "right", (attributes, source)


def test_the_crs_may_be_in_the_feature_set_or_the_geometry(save_query):
    for position, reference in [
        (METRES, {"wkid": 102100, "latestWkid": 3857}),
        (METRES, {"latestWkid": 3857}),
        (FEET, {"wkt": WKT_OF_FEET}),
    ]:
        assert in_the_yard(save_query(geometry=point(position, spatialReference=reference))), reference
        for empty in (None, {}, {"wkid": None}):
            geometry = point(position, spatialReference=empty)
            assert in_the_yard(save_query(geometry=geometry, spatialReference=reference)), (reference, empty)


def test_the_profile_sets_the_crs_of_sets_without_one(save_query):
    for reference in (None, {}):
        path = save_query(geometry=point(METRES), spatialReference=reference)

        [error] = read(path).errors
        assert error.reason.endswith("set its wkid with --wkid (4326 for degrees)"), reference
        assert in_the_yard(path, wkid=3857), reference
    assert in_the_yard(save_query(geometry=point(METRES), spatialReference={"wkid": 3857}), wkid=4326)


def test_the_profile_sets_the_crs_of_positions_that_are_not_of_the_named_one_as_the_error_says(save_query):
    for position, named, reason, wkid in [
        (DEGREES, 2249, "coordinate reference system NAD83 / Massachusetts Mainland (ftUS): set wkid = 4326", 4326),
        (METRES, 4326, "is in metres or feet, not in degrees", 3857),
    ]:
        reference = {"spatialReference": {"wkid": named}}
        for members in ({"geometry": point(position), **reference}, {"geometry": point(position, **reference)}):
            path = save_query(**members)

            assert [error.reason.endswith(reason) for error in read(path).errors] == [True], members
            assert in_the_yard(path, wkid=wkid), members


def test_an_unknown_crs_is_an_error_of_the_set_or_the_geometry(save_query):
    for reference, name in [({"wkid": 1}, "wkid 1"), ({"wkt": "PROJCS"}, "crs 'PROJCS'")]:
        message = f"{name} is not a known coordinate reference system"
        assert message_of(read, save_query(spatialReference=reference)) == message, reference
        [error] = read(save_query(geometry=point(METRES, spatialReference=reference))).errors
        assert error.message == message, reference


def test_members_that_must_be_objects_are_errors(save_query):
    for member in ("spatialReference", "fieldAliases"):
        assert message_of(read, save_query(**{member: ["a"]})) == f"{member} ['a'] is not a JSON object", member
    [error] = read(save_query(["a"])).errors
    assert error.message == "attributes ['a'] is not a JSON object"
    [error] = read(save_query(geometry=point(spatialReference=["a"]))).errors
    assert error.message == "spatialReference ['a'] is not a JSON object"


def test_quantized_coordinates_are_an_error(save):
    features, transform = [{"attributes": {"id": 1}}], {"scale": [0.5, 0.5]}

    for content in ({"transform": transform, "features": features}, {"features": features, "transform": transform}):
        message = "is of quantized coordinates: request them without quantizationParameters"
        assert message_of(read, save(json.dumps(content))) == f"transform {transform} {message}", [*content]


def test_aliases_after_the_features_are_an_error(save):
    features = [{"attributes": {"id": 1}, "geometry": point()}]
    content = {"spatialReference": {"wkid": 4326}, "features": features, "fieldAliases": {"id": "ID"}}

    message = message_of(read, save(json.dumps(content)))

    assert message == "has its fieldAliases after the features: it must come before them"


def test_features_may_be_in_a_find_a_feature_collection_or_a_list(save, save_profile):
    feature = {"attributes": {"id": 1}, "geometry": point(spatialReference={"wkid": 4326})}
    for content in (
        {"results": [{"layerId": 0, **feature}]},
        {"type": "FeatureCollection", "features": [feature]},
        [feature],
    ):
        path = save(json.dumps(content))

        assert in_the_yard(path), content
        assert in_the_yard(path, profile=profiles.load_building_profile(save_profile(path))), content


def test_a_file_in_another_format_is_an_error(save):
    for content in ({"features": 7}, {"error": {"code": 400}}):
        message = message_of(read, save(json.dumps(content)))
        assert message == "is not Esri JSON with a list of features or results", content
