import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Point, Polygon

from loaders.geo.crs import crs_from_wkid
from loaders.geo.footprint import Footprint
from loaders.geo.geojson import geojson_footprint

SQUARE = [[10, 50], [14, 50], [14, 54], [10, 54], [10, 50]]
HOLE = [[11, 51], [13, 51], [13, 53], [11, 53], [11, 51]]
ELSEWHERE = [[20, 60], [21, 60], [21, 61], [20, 60]]
U_SHAPE = [[0, 0], [9, 0], [9, 9], [8, 9], [8, 1], [1, 1], [1, 9], [0, 9], [0, 0]]
BOW_TIE = [[0, 0], [4, 4], [4, 0], [0, 4], [0, 0]]


def of(kind, *coordinates):
    return {"type": kind, "coordinates": list(coordinates)}


def collection(*geometries):
    return {"type": "GeometryCollection", "geometries": list(geometries)}


def latitude_longitude(ring):
    return tuple((latitude, longitude) for longitude, latitude, *_ in ring)


def in_bounding_box(point, ring):
    return all(min(axis) <= value <= max(axis) for value, axis in zip(point, zip(*ring, strict=True), strict=True))


def test_a_point_is_latitude_longitude_and_has_no_polygons():
    assert geojson_footprint(of("Point", -71.1, 42.3)) == Footprint((42.3, -71.1))


def test_a_polygon_is_a_ring_of_latitude_longitude():
    polygons = geojson_footprint(of("Polygon", SQUARE)).polygons

    assert polygons == (latitude_longitude(SQUARE),)


@pytest.mark.parametrize("geometry", [of("Point", 10, 50), of("Polygon", SQUARE)])
def test_whole_degrees_are_floats_like_all_others(geometry):
    footprint = geojson_footprint(geometry)

    positions = [footprint.point, *sum(footprint.polygons, ())]
    assert {type(number) for position in positions for number in position} == {float}


def test_the_height_of_a_point_is_ignored():
    assert geojson_footprint(of("Point", -71.1, 42.3, 17.5)).point == (42.3, -71.1)


def test_heights_of_a_polygon_are_ignored():
    assert geojson_footprint(of("Polygon", [[*position, 17.5] for position in SQUARE])) == geojson_footprint(
        of("Polygon", SQUARE)
    )


def test_a_ring_may_run_either_way():
    polygons = geojson_footprint(of("Polygon", SQUARE[::-1])).polygons

    assert polygons == (latitude_longitude(SQUARE[::-1]),)


def test_an_open_ring_is_closed():
    assert geojson_footprint(of("Polygon", SQUARE[:-1])) == geojson_footprint(of("Polygon", SQUARE))


def test_a_hole_is_not_a_polygon():
    polygons = geojson_footprint(of("Polygon", SQUARE, HOLE)).polygons

    assert polygons == (latitude_longitude(SQUARE),)


@pytest.mark.parametrize("rings", [[SQUARE], [SQUARE, HOLE], [U_SHAPE]], ids=["convex", "with a hole", "hollow"])
def test_the_point_is_inside_the_footprint(rings):
    latitude, longitude = geojson_footprint(of("Polygon", *rings)).point

    assert Polygon(rings[0], rings[1:]).contains(Point(longitude, latitude))


def test_every_part_of_a_multipolygon_is_a_polygon():
    polygons = geojson_footprint(of("MultiPolygon", [SQUARE, HOLE], [ELSEWHERE])).polygons

    assert polygons == (latitude_longitude(SQUARE), latitude_longitude(ELSEWHERE))


def test_the_point_is_in_one_of_the_parts_of_a_multipolygon():
    footprint = geojson_footprint(of("MultiPolygon", [ELSEWHERE], [SQUARE]))

    assert any(in_bounding_box(footprint.point, ring) for ring in footprint.polygons)


def test_a_multipoint_of_one_is_a_point():
    assert geojson_footprint(of("MultiPoint", [-71.1, 42.3])) == Footprint((42.3, -71.1))


def test_points_and_lines_are_ignored_in_a_collection_with_polygons():
    entrance, path = of("Point", 70, 70), of("LineString", [70, 70], [71, 71])

    assert geojson_footprint(collection(entrance, of("Polygon", SQUARE), path)) == geojson_footprint(
        of("Polygon", SQUARE)
    )


def test_nested_collections_are_flattened():
    inner = collection(of("MultiPolygon", [ELSEWHERE]))

    assert geojson_footprint(collection(of("Polygon", SQUARE), inner)) == geojson_footprint(
        of("MultiPolygon", [SQUARE], [ELSEWHERE])
    )


def test_the_single_point_of_a_collection_is_used():
    path = of("LineString", [70, 70], [71, 71])

    assert geojson_footprint(collection(path, of("Point", -71.1, 42.3))) == Footprint((42.3, -71.1))


@pytest.mark.parametrize("ring", [BOW_TIE, [[0, 0], [2, 2], [4, 4], [0, 0]]], ids=["bow tie", "flat"])
def test_an_invalid_ring_still_has_a_point(ring):
    footprint = geojson_footprint(of("Polygon", ring))

    assert in_bounding_box(footprint.point, footprint.polygons[0])


@given(
    centre=st.tuples(st.integers(-170, 170), st.integers(-80, 80)),
    radii=st.lists(st.floats(min_value=0.0001, max_value=0.01), min_size=3, max_size=12),
)
def test_the_point_of_a_simple_polygon_is_in_its_bounding_box(centre, radii):
    angles = [2 * math.pi * number / len(radii) for number in range(len(radii))]
    around = zip(radii, angles, strict=True)
    ring = [[centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)] for radius, angle in around]

    footprint = geojson_footprint(of("Polygon", ring))

    assert in_bounding_box(footprint.point, footprint.polygons[0])


@given(st.lists(st.tuples(st.integers(-9000, 9000), st.integers(-9000, 9000)), min_size=3, max_size=10, unique=True))
def test_the_point_of_any_ring_is_in_its_bounding_box(corners):
    ring = [[longitude / 100, latitude / 100] for longitude, latitude in corners]

    footprint = geojson_footprint(of("Polygon", ring))

    assert in_bounding_box(footprint.point, footprint.polygons[0])


@pytest.mark.parametrize("position", [(180, 90), (-180, -90)])
def test_the_edges_of_the_map_are_on_it(position):
    assert geojson_footprint(of("Point", *position)).point == position[::-1]


def test_positions_in_degrees_are_unchanged():
    ring = [[-71.12345678912345, 42.1], [-71.1, 42.1], [-71.1, 42.2], [-71.12345678912345, 42.1]]

    assert geojson_footprint(of("Polygon", ring)).polygons == (latitude_longitude(ring),)


def test_a_point_in_another_crs_is_transformed():
    geometry = of("Point", 759716.617, 2959868.783)

    assert geojson_footprint(geometry, crs_from_wkid(2249)) == Footprint((42.36939295, -71.11681162))


def test_a_polygon_in_another_crs_is_transformed():
    ring = [[759700, 2959800], [759800, 2959800], [759800, 2959900], [759700, 2959800]]

    footprint = geojson_footprint(of("Polygon", ring), crs_from_wkid(2249))

    latitudes, longitudes = zip(*footprint.polygons[0], strict=True)
    assert latitudes == pytest.approx((42.36920, 42.36920, 42.36948, 42.36920), abs=0.00001)
    assert longitudes == pytest.approx((-71.11687, -71.11650, -71.11650, -71.11687), abs=0.00001)


def test_transformed_positions_are_rounded_to_a_millimetre():
    ring = [[759700, 2959800], [759800, 2959800], [759800, 2959900], [759700, 2959800]]

    footprint = geojson_footprint(of("Polygon", ring), crs_from_wkid(2249))

    numbers = [number for position in [footprint.point, *footprint.polygons[0]] for number in position]
    assert numbers == [round(number, 8) for number in numbers]


def test_the_rings_of_several_polygons_are_transformed_together():
    crs = crs_from_wkid(2249)
    one = [[759700, 2959800], [759800, 2959800], [759800, 2959900], [759700, 2959800]]
    other = [[759900, 2959800], [759990, 2959800], [759990, 2959900], [759950, 2959950], [759900, 2959800]]
    alone = geojson_footprint(of("Polygon", one), crs).polygons + geojson_footprint(of("Polygon", other), crs).polygons

    assert geojson_footprint(of("MultiPolygon", [one], [other]), crs).polygons == alone
