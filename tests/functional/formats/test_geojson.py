"""Buildings as GeoJSON, which clients request with Accept."""

from io import BytesIO

import pyogrio
import pytest

from tests.factories import RING, building, hall, serving

GEOJSON = "application/geo+json"
ACCEPT = {"Accept": GEOJSON}
PATHS = ["/map/buildings", "/map/buildings?name=widener", "/map/buildings/1"]
EAST = tuple((latitude, longitude + 0.001) for latitude, longitude in RING)


@pytest.fixture
def loaded(service):
    service.serve_buildings(building(1), building(2, name="Pavilion", polygons=()), building(3, polygons=(RING, EAST)))
    return service


def test_geojson_has_a_url(loaded):
    for path, url in (
        ("/map/buildings", "/map/buildings.geojson"),
        ("/map/buildings?address=yard&name=pav", "/map/buildings.geojson?address=yard&name=pav"),
        ("/map/buildings/1", "/map/buildings/1.geojson"),
    ):
        negotiated = loaded.app.get(path, headers=ACCEPT)
        for accept in ("", "*/*", "application/json"):
            response = loaded.app.get(url, headers={"Accept": accept})
            assert (response.headers["Content-Type"], response.body) == (GEOJSON, negotiated.body), (url, accept)
            assert response.headers["Vary"] == "Accept-Encoding", (url, accept)


def test_the_list_is_a_feature_collection(loaded):
    every, some = (loaded.app.get(path, headers=ACCEPT).json for path in ("/map/buildings", "/map/buildings?name=pav"))

    assert every["type"] == some["type"] == "FeatureCollection"
    assert [(each["type"], each["id"]) for each in every["features"]] == [("Feature", id_) for id_ in (1, 2, 3)]
    assert [each["properties"]["name"] for each in some["features"]] == ["Pavilion"]


@pytest.mark.usefixtures("all_gdal_drivers")
def test_gdal_reads_every_building_by_its_id(loaded):
    loaded.serve_dining(serving(location=30), serving(2, location=7), halls={30: hall(1)})
    building_fields = ["id", "name", "address", "city", "image", "point"]
    for path, ids, names in (
        ("/map/buildings", [1, 2, 3], building_fields),
        ("/map/buildings/1", [1], building_fields),
        ("/map/buildings.geojson?near=42,-71", [1, 2, 3], [*building_fields, "distance"]),
        ("/map/buildings/1.geojson", [1], building_fields),
        ("/dining/locations.geojson", [7, 30], ["id", "name", "building"]),
    ):
        response = loaded.app.get(path, headers=ACCEPT)
        metadata, fids, _, fields = pyogrio.raw.read(BytesIO(response.body), return_fids=True)
        assert set(metadata["fields"]) == set(names), path
        assert (metadata["crs"], sorted(fids)) == ("EPSG:4326", ids), path
        assert sorted(fields[0]) == ids, path


def test_each_representation_has_its_own_cached_response_and_etag(loaded):
    for path in PATHS:
        first, again = ([loaded.app.get(path, headers=headers) for headers in ({}, ACCEPT)] for _ in range(2))
        tags = [each.headers["ETag"] for each in first]
        assert [each.body for each in again] == [each.body for each in first], path
        assert tags[0] != tags[1], path
        assert loaded.app.get(path, headers={**ACCEPT, "If-None-Match": tags[0]}, status=200).body == first[1].body
        unchanged = loaded.app.get(path, headers={**ACCEPT, "If-None-Match": tags[1]}, status=304)
        assert (unchanged.body, unchanged.headers["Vary"]) == (b"", "Accept, Accept-Encoding"), path
