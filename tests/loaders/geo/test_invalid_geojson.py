import math

import pytest

from loaders.errors import InvalidValue
from loaders.geo.crs import crs_from_wkid
from loaders.geo.geojson import geojson_footprint

METRES = "is in metres or feet, not in degrees: set its CRS with --wkid (3857 for web maps)"
SQUARE = [[10, 50], [14, 50], [14, 54], [10, 54], [10, 50]]


def of(kind, *coordinates):
    return {"type": kind, "coordinates": list(coordinates)}


def collection(*geometries):
    return {"type": "GeometryCollection", "geometries": list(geometries)}


@pytest.mark.parametrize(
    ("geometry", "reason"),
    [
        (None, "is missing"),
        ("Point", "is not a GeoJSON geometry"),
        ([10, 50], "is not a GeoJSON geometry"),
        ({}, "is not a GeoJSON geometry type"),
        (of("Circle", 10, 50), "is not a GeoJSON geometry type"),
        ({"type": ["Point"], "coordinates": [10, 50]}, "is not a GeoJSON geometry type"),
        (of("LineString", *SQUARE), "is not one point and has no polygon"),
        (of("MultiLineString", SQUARE), "is not one point and has no polygon"),
        (of("MultiPoint", [10, 50], [11, 51]), "is not one point and has no polygon"),
        (collection(of("LineString", *SQUARE)), "is not one point and has no polygon"),
        (collection(of("Polygon", SQUARE), None), "is missing"),
        (collection(), "is not a list of geometries"),
        ({"type": "GeometryCollection", "geometries": {"a": 1}}, "is not a list of geometries"),
        ({"type": "Polygon"}, "is not a list of rings"),
        (of("Polygon"), "is not a list of rings"),
        ({"type": "MultiPolygon", "coordinates": "none"}, "is not a list of parts"),
        (of("MultiPolygon", []), "is not a list of rings"),
        (of("Polygon", []), "is not a list of positions"),
        (of("Polygon", 10, 50), "is not a list of positions"),
        (of("Polygon", *SQUARE), "is not a list of coordinates"),
        (of("Polygon", SQUARE, []), "is not a list of positions"),
        (of("Polygon", [[10, 50], [14, 50]]), "is a ring of fewer than three corners"),
        (of("Polygon", [[10, 50], [14, 50], [10, 50]]), "is a ring of fewer than three corners"),
        (of("Polygon", SQUARE, [[11, 51], [13, 51]]), "is a ring of fewer than three corners"),
        ({"type": "Point"}, "is not a list of coordinates"),
    ],
)
def test_a_geometry_without_a_position_is_rejected(geometry, reason):
    with pytest.raises(InvalidValue) as error:
        geojson_footprint(geometry)

    assert (error.value.field, error.value.reason) == ("geometry", reason)


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ([10], "is not a longitude and a latitude"),
        (["10", "50"], "is not a longitude and a latitude"),
        ([10, None], "is not a longitude and a latitude"),
        ([True, 50], "is not a longitude and a latitude"),
        ([math.nan, 50], "is not a longitude and a latitude"),
        ([10, math.inf], "is not a longitude and a latitude"),
        ([180.1, 50], "is not a longitude within 180 and a latitude within 90 degrees"),
        ([100, -90.1], "is not a longitude within 180 and a latitude within 90 degrees"),
        ([400, 50], "is not a longitude within 180 and a latitude within 90 degrees"),
        ([759716.617, 2959868.783], METRES),
        ([-7916564, 5217183], METRES),
        ([10**400, 50], "is not a longitude and a latitude"),
    ],
)
@pytest.mark.parametrize("kind", ["Point", "Polygon"])
def test_a_position_out_of_range_is_rejected(kind, position, reason):
    geometry = of("Point", *position) if kind == "Point" else of("Polygon", [*SQUARE[:2], position, SQUARE[0]])

    with pytest.raises(InvalidValue) as error:
        geojson_footprint(geometry)

    assert (error.value.value, error.value.reason) == (position, reason)


def test_a_position_outside_its_crs_is_rejected():
    with pytest.raises(InvalidValue) as error:
        geojson_footprint(of("Point", 1e12, 1e12), crs_from_wkid(3035))

    assert (error.value.field, error.value.reason) == ("geometry", "is outside its coordinate reference system")
