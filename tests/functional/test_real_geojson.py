"""Real exports as GeoJSON, which other programs read without repair."""

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pyogrio
import pytest
import shapely
from shapely.geometry import shape

from loaders import profiles
from loaders.profiles.building_ids import IdSource
from loaders.readers import buildings

DATA = Path(__file__).parents[3] / "shared/data/buildings"
ESRI = profiles.load_building_profile("esri")
EXPORTS = [
    ("cambridge-landmarks.geojson", profiles.load_building_profile("cambridge"), 117),
    ("cambridge-municipal-points.geojson", profiles.load_building_profile("cambridge"), 24),
    ("ucsb-dorms.geojson", profiles.load_building_profile("openstreetmap"), 31),
    ("cook-county-arcgis-rings.json", replace(ESRI, id=IdSource(("PIN14",))), 500),
    ("harvard-arcgis-find.json", profiles.load_building_profile("harvard"), 1),
]

pytestmark = pytest.mark.skipif(not DATA.exists(), reason=f"the real exports are missing: {DATA}")


@pytest.fixture(params=EXPORTS, ids=[name for name, _, _ in EXPORTS])
def served(request, service):
    """The GeoJSON response for a real export, and its number of buildings."""
    name, profile, number = request.param
    service.serve_buildings(*buildings.read([DATA / name], profile).records)
    return service.app.get("/map/buildings", headers={"Accept": "application/geo+json"}), number


def test_real_footprints_are_valid_and_counterclockwise(served):
    response, number = served

    shapes = [shape(each["geometry"]) for each in response.json["features"]]

    assert (len(shapes), all(each.is_valid for each in shapes)) == (number, True)
    assert all(part.exterior.is_ccw for part in shapely.get_parts(shapes) if part.geom_type == "Polygon")


@pytest.mark.usefixtures("all_gdal_drivers")
def test_gdal_reads_what_shapely_reads(served):
    response, number = served

    _, _, geometries, _ = pyogrio.raw.read(BytesIO(response.body))

    read = shapely.from_wkb(geometries)
    assert (len(read), shapely.from_geojson(response.body)) == (number, shapely.geometrycollections(read))
