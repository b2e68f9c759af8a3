"""The spatial reference of a map export: in the file, before or in its features, in a profile, or an option."""

import json
from dataclasses import replace

import pyproj
import pytest

from loaders import profiles
from loaders.errors import UnreadableFileError
from loaders.readers import buildings

YARD = (42.3737, -71.1101)
WGS84 = (-71.1101, 42.3737)
# The same in web mercator and in feet (Massachusetts).
METRES, FEET = (-7915940.12, 5217123.31), (761523.13, 2961446.58)
WKT_OF_FEET = pyproj.CRS.from_epsg(2249).to_wkt("WKT1_ESRI")

GEOJSON, ESRI = profiles.load_building_profile("geojson"), profiles.load_building_profile("esri")


def read(path, profile, **changed):
    return buildings.read([path], replace(profile, **changed))


def in_the_yard(result):
    return [record.point for record in result.records] == [pytest.approx(YARD, abs=0.00001)]


def why_unreadable(path, profile, **changed):
    with pytest.raises(UnreadableFileError) as error:
        read(path, profile, **changed)
    return str(error.value).removeprefix(f"{path}: ")


def esri_feature(position, **geometry):
    return {"attributes": {"id": 1}, "geometry": {"x": position[0], "y": position[1], **geometry}}


def geojson_feature(position):
    return {"type": "Feature", "id": 1, "geometry": {"type": "Point", "coordinates": position}}


@pytest.fixture
def save_esri(save):
    """Write one Esri feature after these members and return the path."""
    return lambda source, **head: save(json.dumps({**head, "features": [source]}))


@pytest.fixture
def save_geojson(save):
    """Write one GeoJSON feature after these members and return the path."""
    return lambda position, **head: save(
        json.dumps({"type": "FeatureCollection", **head, "features": [geojson_feature(position)]})
    )


def crs(name):
    return {"type": "name", "properties": {"name": name}}


@pytest.mark.parametrize(
    ("position", "spatial_reference"),
    [
        (WGS84, {"wkid": 4326}),
        (METRES, {"wkid": 3857}),
        (METRES, {"wkid": 102100, "latestWkid": 3857}),
        (METRES, {"latestWkid": 3857}),
        (FEET, {"wkid": 2249}),
        (FEET, {"wkt": WKT_OF_FEET}),
    ],
)
def test_the_crs_may_be_in_the_feature_set_or_the_geometry(save_esri, position, spatial_reference):
    at_set = read(save_esri(esri_feature(position), spatialReference=spatial_reference), ESRI)
    at_geometry = read(save_esri(esri_feature(position, spatialReference=spatial_reference)), ESRI)

    assert (in_the_yard(at_set), in_the_yard(at_geometry)) == (True, True)


def test_the_crs_of_a_geometry_overrides_that_of_the_set(save_esri):
    path = save_esri(esri_feature(METRES, spatialReference={"wkid": 3857}), spatialReference={"wkid": 4326})

    assert in_the_yard(read(path, ESRI))


@pytest.mark.parametrize("head", [{}, {"spatialReference": None}, {"spatialReference": {}}])
def test_a_feature_without_a_crs_is_rejected(save_esri, head):
    result = read(save_esri(esri_feature(METRES), **head), ESRI)

    assert [error.message for error in result.errors] == ["geometry has no spatial reference (wkid)"]


@pytest.mark.parametrize("head", [{}, {"spatialReference": None}, {"spatialReference": {}}])
def test_the_profile_sets_the_crs_of_sets_without_one(save_esri, head):
    assert in_the_yard(read(save_esri(esri_feature(METRES), **head), ESRI, wkid=3857))


def test_the_crs_of_a_set_overrides_the_profile(save_esri):
    path = save_esri(esri_feature(METRES), spatialReference={"wkid": 3857})

    assert in_the_yard(read(path, ESRI, wkid=4326))


@pytest.mark.parametrize("wkid", [1, "abc", -4326, 2.5, 10**12])
def test_an_unknown_wkid_of_a_set_is_an_error(save_esri, wkid):
    path = save_esri(esri_feature(METRES), spatialReference={"wkid": wkid})

    assert why_unreadable(path, ESRI) == f"wkid {wkid!r} is not a known coordinate reference system"


def test_a_geometry_with_an_unknown_wkid_is_rejected(save_esri):
    [error] = read(save_esri(esri_feature(METRES, spatialReference={"wkid": 1})), ESRI).errors

    assert error.message == "wkid 1 is not a known coordinate reference system"


@pytest.mark.parametrize("head", [{"spatialReference": 4326}, {"fieldAliases": ["a"]}])
def test_members_before_the_features_must_be_objects(save_esri, head):
    [(key, value)] = head.items()

    assert why_unreadable(save_esri(esri_feature(METRES), **head), ESRI) == f"{key} {value!r} is not a JSON object"


@pytest.mark.parametrize("names", [["spatialReference", "transform", "features"], ["features", "transform"]])
def test_quantized_coordinates_are_an_error(save, names):
    members = {
        "spatialReference": {"wkid": 4326},
        "transform": {"scale": [0.5, 0.5]},
        "features": [esri_feature(WGS84, spatialReference={"wkid": 4326})],
    }

    path = save(json.dumps({name: members[name] for name in names}))

    reason = "is of quantized coordinates: request them without quantizationParameters"
    assert why_unreadable(path, ESRI) == f"transform {{'scale': [0.5, 0.5]}} {reason}"


@pytest.mark.parametrize("head", [{}, {"crs": None}, {"crs": crs("urn:ogc:def:crs:OGC:1.3:CRS84")}])
def test_geojson_is_in_degrees(save_geojson, head):
    assert in_the_yard(read(save_geojson(WGS84, **head), GEOJSON))


@pytest.mark.parametrize(
    ("position", "name"),
    [(METRES, "urn:ogc:def:crs:EPSG::3857"), (METRES, "EPSG:3857"), (FEET, "urn:ogc:def:crs:EPSG::2249")],
)
def test_geojson_is_in_its_named_crs(save_geojson, position, name):
    assert in_the_yard(read(save_geojson(position, crs=crs(name)), GEOJSON))


@pytest.mark.parametrize("head", [{}, {"crs": crs("urn:ogc:def:crs:OGC:1.3:CRS84")}])
def test_the_profile_overrides_the_crs_of_geojson(save_geojson, head):
    assert in_the_yard(read(save_geojson(METRES, **head), GEOJSON, wkid=3857))


@pytest.mark.parametrize("name", ["", "campus grid", "EPSG:1", None, 4326, ["EPSG:4326"]])
def test_an_unknown_crs_is_an_error(save_geojson, name):
    message = why_unreadable(save_geojson(WGS84, crs=crs(name)), GEOJSON)

    assert message == f"crs {name!r} is not a known coordinate reference system"


@pytest.mark.parametrize("value", [{}, "EPSG:4326", {"properties": None}, {"type": "name", "properties": ["x"]}])
def test_a_malformed_crs_is_an_error(save_geojson, value):
    assert (
        why_unreadable(save_geojson(WGS84, crs=value), GEOJSON)
        == f"crs {value!r} does not name a coordinate reference system"
    )


def test_metres_without_a_crs_are_explained(save_geojson):
    [error] = read(save_geojson(METRES), GEOJSON).errors

    reason = "is in metres or feet, not in degrees: set its CRS with --wkid (3857 for web maps)"
    assert (error.field, error.value, error.reason) == ("geometry", list(METRES), reason)


@pytest.mark.parametrize(
    ("profile", "member", "value", "rest", "hint"),
    [
        (ESRI, "spatialReference", {"wkid": 102686}, {}, ", or set wkid = 102686 in the profile (--wkid 102686)"),
        (ESRI, "fieldAliases", {"id": "ID"}, {"spatialReference": {"wkid": 4326}}, ""),
        (GEOJSON, "crs", crs("EPSG:3857"), {}, ", or set wkid = 3857 in the profile (--wkid 3857)"),
        (GEOJSON, "crs", crs("+proj=utm +zone=19 +ellps=intl"), {}, ""),
    ],
)
def test_members_after_the_features_that_change_their_reading_are_an_error(save, profile, member, value, rest, hint):
    source = geojson_feature(WGS84) if profile is GEOJSON else esri_feature(WGS84)
    path = save(json.dumps({"type": "FeatureCollection", **rest, "features": [source], member: value}))

    reason = f"has its {member} after the features: it must come before them{hint}"
    assert why_unreadable(path, profile).partition("; ")[0] == reason


@pytest.mark.parametrize("value", [None, crs("urn:ogc:def:crs:EPSG::4326"), crs("urn:ogc:def:crs:OGC:1.3:CRS84")])
def test_degrees_may_be_named_after_the_features(save, value):
    collection = {"type": "FeatureCollection", "features": [geojson_feature(WGS84)], "crs": value}

    assert in_the_yard(read(save(json.dumps(collection)), GEOJSON))


@pytest.mark.parametrize("wkid", [3857, 102100])
@pytest.mark.parametrize(
    ("profile", "source", "member", "value"),
    [
        (GEOJSON, geojson_feature(METRES), "crs", crs("urn:ogc:def:crs:EPSG::3857")),
        (ESRI, esri_feature(METRES), "spatialReference", {"wkid": 3857}),
        (ESRI, esri_feature(METRES), "spatialReference", {"wkt": pyproj.CRS.from_epsg(3857).to_wkt()}),
    ],
    ids=["geojson", "esri", "wkt"],
)
def test_a_crs_that_the_profile_sets_may_be_named_after_the_features(save, profile, source, member, value, wkid):
    path = save(json.dumps({"type": "FeatureCollection", "features": [source], member: value}))

    assert in_the_yard(read(path, profile, wkid=wkid))


def test_required_members_may_follow_an_empty_list(save):
    path = save(json.dumps({"features": [], "spatialReference": {"wkid": 3857}}))

    with pytest.raises(UnreadableFileError, match="has no records"):
        read(path, ESRI)


@pytest.mark.parametrize("value", ["4326", 4326.0, True])
def test_a_wkid_of_a_profile_must_be_an_integer(save, value):
    path = save(f'format = "esri"\nwkid = {json.dumps(value)}\n', "custom.toml")

    with pytest.raises(profiles.ProfileError, match="wkid is not an integer"):
        profiles.load_building_profile(str(path))


def test_the_wkid_option_sets_the_crs(campus_load, mongod_database, save_geojson):
    campus_load("buildings", save_geojson(METRES), "--wkid", 3857)

    assert mongod_database.buildings_1.find_one()["point"] == pytest.approx(YARD, abs=0.00001)


@pytest.mark.parametrize("wkid", [1, 0, -1])
def test_an_unknown_wkid_option_is_an_error(campus_load, save_geojson, wkid):
    path = save_geojson(METRES)

    result = campus_load("buildings", path, "--wkid", wkid)

    message = f"campus-load: {path}: wkid {wkid} is not a known coordinate reference system\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)


def test_an_unknown_wkt_is_an_error(save_esri):
    path = save_esri(esri_feature(FEET), spatialReference={"wkt": "PROJCS"})

    assert why_unreadable(path, ESRI) == "crs 'PROJCS' is not a known coordinate reference system"


def test_esri_features_may_be_in_a_feature_collection(save_esri, save_profile):
    path = save_esri(esri_feature(METRES), type="FeatureCollection", spatialReference={"wkid": 3857})

    assert in_the_yard(buildings.read([path], profiles.load_building_profile(save_profile(path))))


def test_esri_features_may_be_a_list(save, save_profile):
    path = save(json.dumps([esri_feature(WGS84, spatialReference={"wkid": 4326})]))

    assert in_the_yard(buildings.read([path], profiles.load_building_profile(save_profile(path))))
