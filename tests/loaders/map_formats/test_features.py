"""Features of map exports, GeoJSON and Esri JSON, as buildings."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from loaders import profiles
from loaders.errors import UnreadableFileError
from loaders.profiles.building_ids import IdSource
from loaders.readers import buildings
from tests.factories import RING, feature

ESRI = profiles.load_building_profile("esri")
POINT = {"x": -71.11, "y": 42.37}
SHARED = Path(__file__).parents[4] / "shared/data/buildings"


def read(*paths, profile=ESRI, **changed):
    return buildings.read(paths, replace(profile, **changed))


def near(point, other):
    return point == pytest.approx(other, abs=0.001)


def errors(result):
    return [error.message for error in result.errors]


@pytest.fixture
def save_query(save):
    """Write the response of an ArcGIS server to a query, with these attributes, and return its path."""

    def save_query(*attributes, geometry=POINT, name="query.json", **head):
        features = [{"attributes": source, "geometry": geometry} for source in attributes]
        return save(json.dumps({"spatialReference": {"wkid": 4326}, **head, "features": features}), name)

    return save_query


def test_the_response_to_a_find_is_read(save):
    match = {"layerId": 0, "attributes": {"Root": "03281", "Building Name": "Leverett"}}
    path = save(json.dumps({"results": [{**match, "geometry": {**POINT, "spatialReference": {"wkid": 4326}}}]}))

    [record] = read(path, profile=profiles.load_building_profile("harvard")).records

    assert (record.id, record.name, record.point) == (3281, "Leverett", (42.37, -71.11))


@pytest.mark.skipif(not SHARED.exists(), reason=f"the real exports are not there: {SHARED}")
def test_the_harvard_export_is_read():
    result = read(SHARED / "harvard-arcgis-find.json", profile=profiles.load_building_profile("harvard"))

    record = next(iter(result.records))
    assert (record.id, record.name, record.city) == (3281, "LEVERETT LIBRARY BUILDING", "Cambridge")
    assert near(record.point, (42.3702, -71.1168))


@pytest.mark.parametrize("key", ["attributes", "spatialReference"])
def test_attributes_and_spatial_references_must_be_objects(save, key):
    record = {"attributes": {"id": 1}, "geometry": {**POINT, "spatialReference": {"wkid": 4326}}}
    owner = record if key == "attributes" else record["geometry"]
    owner[key] = ["list"]

    result = read(save(json.dumps({"features": [record]})))

    assert errors(result) == [f"{key} ['list'] is not a JSON object"]


@pytest.mark.parametrize("geometry", [None, {}])
def test_a_feature_without_a_geometry_is_rejected(save_query, geometry):
    [error] = read(save_query({"id": 1}, geometry=geometry)).errors

    assert error.field == "geometry"


@pytest.mark.parametrize(
    "ring",
    [
        [[-71.0, 42.0], [-71.1, 42.1], [-71.0, 42.1], [-71.1, 42.05], [-71.0, 42.0]],
    ],
)
def test_a_self_intersection_is_a_warning_with_its_location(save, ring):
    bow_tie = feature(7, {"type": "Polygon", "coordinates": [ring]})
    features = ",\n".join(json.dumps(source) for source in (feature(1), bow_tie))
    path = save('{"type": "FeatureCollection", "features": [\n' + features + "]}", "kink.geojson")

    result = read(path, profile=profiles.load_building_profile("geojson"))

    [(error, times)] = result.warnings.values()
    assert (str(error), times) == (
        "kink.geojson, line 3 (record 2): building 7 geometry crosses itself near 42.06667, -71.06667",
        1,
    )
    assert ([record.id for record in result.records], result.errors) == ([1, 7], [])


@pytest.mark.parametrize(
    ("file_name", "encoded"),
    [
        ("03281  LEVERETT   W elev.png", "03281%20%20LEVERETT%20%20%20W%20elev.png"),
        ("50% café.png", "50%25%20caf%C3%A9.png"),
        (" a.png ", "a.png"),
    ],
)
def test_spaces_in_the_file_name_of_an_image_are_preserved(save_query, file_name, encoded):
    path = save_query({"Root": 1, "PHOTO_FILE": file_name})

    [record] = read(
        path,
        profile=profiles.load_building_profile("harvard"),
        fields=ESRI.fields | {"image": ("PHOTO_FILE",)},
        image_base="https://example.edu/",
    ).records

    assert record.image == f"https://example.edu/{encoded}"


ESRI_JSON = "Esri JSON with a list of features or results"


@pytest.mark.parametrize(
    ("content", "form", "name"),
    [
        ({"type": "FeatureCollection", "features": []}, "esri", f"{ESRI_JSON}; it is in the format geojson, not esri"),
        ({"features": 7}, "esri", ESRI_JSON),
        ({"error": {"code": 400}}, "esri", ESRI_JSON),
        ({"features": []}, "geojson", "a GeoJSON FeatureCollection with a list of features"),
    ],
)
def test_a_file_in_another_format_is_an_error(save, content, form, name):
    path = save(json.dumps(content))

    with pytest.raises(UnreadableFileError) as error:
        read(path, format=form)

    assert str(error.value) == f"{path}: is not {name}"


def test_a_property_that_the_id_of_the_feature_hides_can_be_named(save_features):
    path = save_features({**feature(1), "properties": {"id": 7}})

    profile = replace(profiles.load_building_profile("geojson"), id=IdSource(("properties.id",)))
    [record] = read(path, profile=profile).records

    assert record.id == 7


@pytest.mark.parametrize(("id_", "unread"), [(7, {"properties.id": 1}), (1, {}), (None, {})])
def test_a_property_that_the_id_of_the_feature_hides_is_reported(save_features, id_, unread):
    path = save_features({**feature(1), "properties": {"id": id_}})

    assert read(path, profile=profiles.load_building_profile("geojson")).unread == unread


def test_the_type_may_come_after_the_features(save):
    path = save(json.dumps({"features": [feature(1)], "name": "map", "type": "FeatureCollection"}))

    assert len(read(path, profile=profiles.load_building_profile("geojson")).records) == 1


def test_ring_and_point_are_latitude_longitude(save_query):
    ring = [[longitude, latitude] for latitude, longitude in RING[::-1]]

    [record] = read(save_query({"id": 1}, geometry={"rings": [ring]})).records

    assert record.polygons == (RING[::-1],)
