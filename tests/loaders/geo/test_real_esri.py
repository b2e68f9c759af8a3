import json
from pathlib import Path

import pytest
from shapely.geometry import Point, Polygon

from loaders.errors import InvalidValue
from loaders.geo.crs import crs_from_wkid
from loaders.geo.esri import esri_footprint

DATA = Path(__file__).parents[4] / "shared/data/buildings"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason=f"the real exports are not there: {DATA}")


def read(name):
    return json.loads((DATA / name).read_text())


def position(footprint):
    latitude, longitude = footprint.point
    return Point(longitude, latitude)


def test_leverett_library_is_in_cambridge():
    [library, _] = read("harvard-arcgis-find.json")["results"]

    latitude, longitude = esri_footprint(library["geometry"]).point

    assert (latitude, longitude) == (pytest.approx(42.3694, abs=0.00005), pytest.approx(-71.1168, abs=0.00005))


def test_the_ring_of_sever_hall_is_truncated():
    [_, hall] = read("harvard-arcgis-find.json")["results"]

    with pytest.raises(InvalidValue, match="its only ring, of 3 corners, is counter-clockwise; is it truncated?"):
        esri_footprint(hall["geometry"])


def test_500_parcels_of_cook_county_have_511_outer_rings_and_no_warnings():
    export = read("cook-county-arcgis-rings.json")
    crs = crs_from_wkid(export["spatialReference"]["wkid"])

    footprints = [esri_footprint(feature["geometry"], crs) for feature in export["features"]]

    assert (len(footprints), sum(len(footprint.polygons) for footprint in footprints)) == (500, 511)
    assert {footprint.warnings for footprint in footprints} == {()}


def test_the_point_of_every_parcel_is_in_an_outer_ring_and_in_no_hole():
    export = read("cook-county-arcgis-rings.json")
    crs = crs_from_wkid(export["spatialReference"]["wkid"])

    for feature in export["features"]:
        at = position(esri_footprint(feature["geometry"], crs))
        rings = [Polygon(crs.to_wgs84(ring)) for ring in feature["geometry"]["rings"]]
        around = [ring for ring in rings if ring.contains(at)]
        assert [ring.exterior.is_ccw for ring in around] == [False]
