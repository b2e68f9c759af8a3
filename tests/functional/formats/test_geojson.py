"""Buildings as GeoJSON, which clients request with Accept."""

from io import BytesIO

import pyogrio
import pytest

from tests.factories import RING, building, hall, serving

GEOJSON = "application/geo+json"
ACCEPT = {"Accept": GEOJSON}
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
        assert negotiated.headers["Vary"] == "Accept, Accept-Encoding", path
        for accept in ("", "*/*", "application/json"):
            response = loaded.app.get(url, headers={"Accept": accept})
            assert (response.headers["Content-Type"], response.body) == (GEOJSON, negotiated.body), (url, accept)
            assert response.headers["Vary"] == "Accept-Encoding", (url, accept)


@pytest.mark.usefixtures("all_gdal_drivers")
def test_gdal_reads_every_building_by_its_id(loaded):
    loaded.serve_dining(serving(location=30), serving(2, location=7), halls={30: hall(1)})
    building_fields = ["id", "name", "address", "city", "image", "code", "point"]
    for path, ids, names in (
        ("/map/buildings", [1, 2, 3], building_fields),
        ("/map/buildings.geojson?near=42,-71", [1, 2, 3], [*building_fields, "distance"]),
        ("/map/buildings/1.geojson", [1], building_fields),
        ("/dining/locations.geojson", [7, 30], ["id", "name", "building"]),
    ):
        response = loaded.app.get(path, headers=ACCEPT)
        metadata, fids, _, fields = pyogrio.raw.read(BytesIO(response.body), return_fids=True)
        assert set(metadata["fields"]) == set(names), path
        assert (metadata["crs"], sorted(fids)) == ("EPSG:4326", ids), path
        assert sorted(fields[0]) == ids, path
