"""The spatial reference of a map export: in the file, before or in its features, in a profile, or an option."""

import json
from dataclasses import replace

import pytest

from loaders import profiles
from loaders.errors import UnreadableFileError
from loaders.readers import buildings

YARD = (42.3737, -71.1101)
WGS84 = (-71.1101, 42.3737)
# The same in web mercator and in feet (Massachusetts).
METRES, FEET = (-7915940.12, 5217123.31), (761523.13, 2961446.58)

GEOJSON, ESRI = profiles.load_building_profile("geojson"), profiles.load_building_profile("esri")


def read(path, profile, **changed):
    return buildings.read([path], replace(profile, **changed))


def in_the_yard(reading):
    return [found.point for found in reading.records] == [pytest.approx(YARD, abs=0.00001)]


def why_unreadable(path, profile, **changed):
    with pytest.raises(UnreadableFileError) as error:
        read(path, profile, **changed)
    return str(error.value).removeprefix(f"{path}: ")


def esri_feature(place, **geometry):
    return {"attributes": {"id": 1}, "geometry": {"x": place[0], "y": place[1], **geometry}}


def geojson_feature(place):
    return {"type": "Feature", "id": 1, "geometry": {"type": "Point", "coordinates": place}}


@pytest.fixture
def save_esri(save):
    """Write one Esri feature after these members and return the path."""
    return lambda given, **head: save(json.dumps({**head, "features": [given]}))


@pytest.fixture
def save_geojson(save):
    """Write one GeoJSON feature after these members and return the path."""
    return lambda place, **head: save(
        json.dumps({"type": "FeatureCollection", **head, "features": [geojson_feature(place)]})
    )


def crs(name):
    return {"type": "name", "properties": {"name": name}}


@pytest.mark.parametrize(
    ("place", "reference"),
    [
        (WGS84, {"wkid": 4326}),
        (METRES, {"wkid": 3857}),
        (METRES, {"wkid": 102100, "latestWkid": 3857}),
        (METRES, {"latestWkid": 3857}),
        (FEET, {"wkid": 2249}),
    ],
)
def test_the_reference_may_stand_at_the_set_or_at_the_geometry(save_esri, place, reference):
    at_set = read(save_esri(esri_feature(place), spatialReference=reference), ESRI)
    at_geometry = read(save_esri(esri_feature(place, spatialReference=reference)), ESRI)

    assert (in_the_yard(at_set), in_the_yard(at_geometry)) == (True, True)


def test_the_reference_of_a_geometry_beats_that_of_the_set(save_esri):
    path = save_esri(esri_feature(METRES, spatialReference={"wkid": 3857}), spatialReference={"wkid": 4326})

    assert in_the_yard(read(path, ESRI))


@pytest.mark.parametrize("head", [{}, {"spatialReference": None}, {"spatialReference": {}}])
def test_a_feature_without_a_reference_is_bad(save_esri, head):
    reading = read(save_esri(esri_feature(METRES), **head), ESRI)

    assert [problem.message for problem in reading.errors] == ["geometry has no spatial reference (wkid)"]


@pytest.mark.parametrize("head", [{}, {"spatialReference": None}, {"spatialReference": {}}])
def test_a_profile_may_give_the_reference_of_sets_that_have_none(save_esri, head):
    assert in_the_yard(read(save_esri(esri_feature(METRES), **head), ESRI, wkid=3857))


def test_the_reference_of_a_set_beats_that_of_the_profile(save_esri):
    path = save_esri(esri_feature(METRES), spatialReference={"wkid": 3857})

    assert in_the_yard(read(path, ESRI, wkid=4326))


@pytest.mark.parametrize("wkid", [1, "abc", -4326, 2.5, 10**12])
def test_a_number_of_a_set_that_is_not_known_is_named(save_esri, wkid):
    path = save_esri(esri_feature(METRES), spatialReference={"wkid": wkid})

    assert why_unreadable(path, ESRI) == f"wkid {wkid!r} is not a known coordinate reference system"


def test_a_number_of_a_geometry_that_is_not_known_is_a_bad_record(save_esri):
    [problem] = read(save_esri(esri_feature(METRES, spatialReference={"wkid": 1})), ESRI).errors

    assert problem.message == "wkid 1 is not a known coordinate reference system"


@pytest.mark.parametrize("head", [{"spatialReference": 4326}, {"fieldAliases": ["a"]}])
def test_members_before_the_features_that_are_no_objects_are_named(save_esri, head):
    [(key, value)] = head.items()

    assert why_unreadable(save_esri(esri_feature(METRES), **head), ESRI) == f"{key} {value!r} is not a JSON object"


@pytest.mark.parametrize("head", [{}, {"crs": None}, {"crs": crs("urn:ogc:def:crs:OGC:1.3:CRS84")}])
def test_geojson_is_in_degrees(save_geojson, head):
    assert in_the_yard(read(save_geojson(WGS84, **head), GEOJSON))


@pytest.mark.parametrize(
    ("place", "name"),
    [(METRES, "urn:ogc:def:crs:EPSG::3857"), (METRES, "EPSG:3857"), (FEET, "urn:ogc:def:crs:EPSG::2249")],
)
def test_geojson_is_in_the_reference_of_its_crs(save_geojson, place, name):
    assert in_the_yard(read(save_geojson(place, crs=crs(name)), GEOJSON))


@pytest.mark.parametrize("head", [{}, {"crs": crs("urn:ogc:def:crs:OGC:1.3:CRS84")}])
def test_a_profile_beats_what_geojson_says(save_geojson, head):
    assert in_the_yard(read(save_geojson(METRES, **head), GEOJSON, wkid=3857))


@pytest.mark.parametrize("name", ["", "campus grid", "EPSG:1", None, 4326, ["EPSG:4326"]])
def test_a_crs_that_is_not_known_is_named(save_geojson, name):
    said = why_unreadable(save_geojson(WGS84, crs=crs(name)), GEOJSON)

    assert said == f"crs {name!r} is not a known coordinate reference system"


@pytest.mark.parametrize("value", [{}, "EPSG:4326", {"properties": None}, {"type": "name", "properties": ["x"]}])
def test_a_crs_that_names_nothing_is_named(save_geojson, value):
    assert (
        why_unreadable(save_geojson(WGS84, crs=value), GEOJSON)
        == f"crs {value!r} does not name a coordinate reference system"
    )


def test_metres_without_a_reference_are_named(save_geojson):
    [problem] = read(save_geojson(METRES), GEOJSON).errors

    reason = "is in metres or feet, not in degrees: set its CRS with --wkid (3857 for web maps)"
    assert (problem.field, problem.value, problem.reason) == ("geometry", list(METRES), reason)


@pytest.mark.parametrize(
    ("profile", "member", "value", "rest"),
    [
        (ESRI, "spatialReference", {"wkid": 3857}, {}),
        (ESRI, "fieldAliases", {"id": "ID"}, {"spatialReference": {"wkid": 4326}}),
        (GEOJSON, "crs", crs("EPSG:3857"), {"type": "FeatureCollection"}),
    ],
)
def test_members_that_say_how_to_read_features_must_stand_before_them(save, profile, member, value, rest):
    given = geojson_feature(WGS84) if profile is GEOJSON else esri_feature(WGS84)
    path = save(json.dumps({**rest, "features": [given], member: value}))

    assert why_unreadable(path, profile) == f"has its {member} after the features: it must come before them"


def test_members_after_no_features_do_not_matter(save):
    path = save(json.dumps({"features": [], "spatialReference": {"wkid": 3857}}))

    assert len(read(path, ESRI).records) == 0


@pytest.mark.parametrize("value", ["4326", 4326.0, True])
def test_a_wkid_of_a_profile_that_is_no_integer_is_a_mistake(save, value):
    path = save(f'format = "esri"\nwkid = {json.dumps(value)}\n', "own.toml")

    with pytest.raises(profiles.ProfileError, match="wkid is not an integer"):
        profiles.load_building_profile(str(path))


def test_the_option_gives_a_reference(campus_load, mongod_database, save_geojson):
    campus_load("buildings", save_geojson(METRES), "--wkid", 3857)

    assert mongod_database.buildings_1.find_one()["point"] == pytest.approx(YARD, abs=0.00001)


@pytest.mark.parametrize("wkid", [1, 0, -1])
def test_an_option_that_is_not_known_is_named(campus_load, save_geojson, wkid):
    path = save_geojson(METRES)

    ended = campus_load("buildings", path, "--wkid", wkid)

    said = f"campus-load: {path}: wkid {wkid} is not a known coordinate reference system\n"
    assert (ended.exit_code, ended.stdout, ended.stderr) == (2, "", said)
