import math

import pytest

from loaders.geo.crs import crs_from_wkid
from loaders.geo.footprint import Footprint
from loaders.geo.geojson import geojson_footprint
from tests.loaders.errors import invalid_value

SQUARE = [[10, 50], [14, 50], [14, 54], [10, 54], [10, 50]]
HOLE = [[11, 51], [13, 51], [13, 53], [11, 53], [11, 51]]
ELSEWHERE = [[20, 60], [21, 60], [21, 61], [20, 60]]
FEET = crs_from_wkid(2249)


def of(kind, *coordinates):
    return {"type": kind, "coordinates": list(coordinates)}


def collection(*geometries):
    return {"type": "GeometryCollection", "geometries": list(geometries)}


def latitude_longitude(*rings):
    return tuple(tuple((latitude, longitude) for longitude, latitude, *_ in ring) for ring in rings)


def test_a_single_point_is_latitude_longitude_and_has_no_polygons():
    path = of("LineString", [70, 70], [71, 71])
    for geometry in (
        of("Point", -71.1, 42.3),
        of("Point", -71.1, 42.3, 17.5),
        of("MultiPoint", [-71.1, 42.3]),
        collection(path, of("Point", -71.1, 42.3)),
    ):
        assert geojson_footprint(geometry) == Footprint((42.3, -71.1)), geometry
    for position in ((180, 90), (-180, -90)):
        point = geojson_footprint(of("Point", *position)).point
        assert (point, {type(number) for number in point}) == (position[::-1], {float}), position


def test_a_polygon_is_a_closed_ring_of_latitude_longitude_without_heights_and_holes():
    degrees = [[-71.12345678912345, 42.1], [-71.1, 42.1], [-71.1, 42.2], [-71.12345678912345, 42.1]]

    for rings, expected in [
        ([SQUARE], SQUARE),
        ([SQUARE[::-1]], SQUARE[::-1]),
        ([degrees], degrees),
        ([SQUARE[:-1]], SQUARE),
        ([[[*position, 17.5] for position in SQUARE]], SQUARE),
        ([SQUARE, HOLE], SQUARE),
    ]:
        assert geojson_footprint(of("Polygon", *rings)).polygons == latitude_longitude(expected), rings


def test_every_part_of_a_multipolygon_or_a_collection_is_a_polygon():
    parts = of("MultiPolygon", [SQUARE, HOLE], [ELSEWHERE])
    entrance, path = of("Point", 70, 70), of("LineString", [70, 70], [71, 71])
    nested = collection(of("MultiPolygon", [ELSEWHERE]))
    mixed = collection(entrance, of("Polygon", SQUARE, HOLE), path, nested)

    assert geojson_footprint(parts).polygons == latitude_longitude(SQUARE, ELSEWHERE)
    assert geojson_footprint(mixed) == geojson_footprint(parts)


def test_positions_in_another_crs_are_transformed_together():
    one = [[759700, 2959800], [759800, 2959800], [759800, 2959900], [759700, 2959800]]
    other = [[759900, 2959800], [759990, 2959800], [759990, 2959900], [759950, 2959950], [759900, 2959800]]

    point = geojson_footprint(of("Point", 759716.617, 2959868.783), FEET)
    [first], [second] = (geojson_footprint(of("Polygon", ring), FEET).polygons for ring in (one, other))
    both = geojson_footprint(of("MultiPolygon", [one], [other]), FEET)

    assert point == Footprint((42.36939295, -71.11681162), crs=FEET.name)
    assert first[0] == pytest.approx((42.36920, -71.11687), abs=0.00001)
    assert both.polygons == (first, second)
    assert list(both.point) == [round(number, 8) for number in both.point]


def test_a_geometry_without_a_position_is_an_error():
    for geometry, reason in [
        (None, "is missing"),
        ("Point", "is not a GeoJSON geometry"),
        *((other, "is not a GeoJSON geometry type") for other in ({}, of("Circle", 10, 50), {"type": ["Point"]})),
        (of("LineString", *SQUARE), "is not one point and has no polygon"),
        (of("MultiPoint", [10, 50], [11, 51]), "is not one point and has no polygon"),
        (collection(of("Polygon", SQUARE), None), "is missing"),
        (collection(), "is not a list of geometries"),
        ({"type": "GeometryCollection", "geometries": {"a": 1}}, "is not a list of geometries"),
        ({"type": "Polygon"}, "is not a list of rings"),
        ({"type": "MultiPolygon", "coordinates": "none"}, "is not a list of parts"),
        (of("MultiPolygon", []), "is not a list of rings"),
        (of("Polygon", SQUARE, []), "is not a list of positions"),
        (of("Polygon", *SQUARE), "is not a list of coordinates"),
        (of("Polygon", SQUARE, [[11, 51], [13, 51], [11, 51]]), "is a ring of fewer than three corners"),
        ({"type": "Point"}, "is not a list of coordinates"),
        (of("Point", 0, 0.0), "is at 0, 0, which stands for no position"),
    ]:
        assert invalid_value(geojson_footprint, geometry)[::2] == ("geometry", reason), geometry


def test_a_position_that_is_not_in_degrees_is_an_error():
    not_two_numbers = [[10], ["10", "50"], [10, None], [True, 50], [math.nan, 50], [10, math.inf], [10**400, 50]]
    for position, reason in [
        *((position, "is not a longitude and a latitude") for position in not_two_numbers),
        ([180.1, 50], "is not a longitude within 180 and a latitude within 90 degrees"),
    ]:
        for geometry in (of("Point", *position), of("Polygon", [*SQUARE[:2], position, SQUARE[0]])):
            assert invalid_value(geojson_footprint, geometry) == ("geometry", position, reason), geometry
