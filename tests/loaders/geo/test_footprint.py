from hypothesis import example, given
from hypothesis import strategies as st
from shapely import make_valid, segmentize
from shapely.geometry import LinearRing, Point, Polygon

from loaders.geo.crs import WGS84, crs_from_wkid
from loaders.geo.footprint import polygon_footprint

SQUARE = ((10.0, 50.0), (14.0, 50.0), (14.0, 54.0), (10.0, 54.0), (10.0, 50.0))
BOW_TIE = ((0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0), (0.0, 0.0))
# A ring with a spike.
TAILED = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (4.0, 8.0), (4.0, 4.0), (0.0, 4.0), (0.0, 0.0))
TRIANGLE = ((1, 0), (5, -1), (-7, 6), (1, 0))
HOLES_ACROSS_IT = ((1, 0), (5, -1), (-8, 7), (1, 0)), ((1, 2), (5, -1), (0, 5), (3, -1), (1, 2))
U_SHAPE = ((0, 0), (9, 0), (9, 9), (8, 9), (8, 1), (1, 1), (1, 9), (0, 9), (0, 0))
NEEDLE = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
CENTER = Point(10, 50)

CORNER = st.tuples(st.integers(-9, 9), st.integers(-9, 9))
RING = st.lists(CORNER, min_size=3, max_size=8, unique=True).map(lambda corners: (*corners, corners[0]))


def box(west, south, east, north):
    return ((west, south), (east, south), (east, north), (west, north), (west, south))


def warnings(*polygons):
    return polygon_footprint(polygons, WGS84).warnings


def position(footprint):
    latitude, longitude = footprint.point
    return Point(longitude, latitude)


def test_a_valid_footprint_has_no_warnings():
    for polygons in ([[SQUARE]], [[SQUARE[::-1]]], [[SQUARE, box(11, 51, 13, 53)]], [[SQUARE], [box(20, 50, 21, 51)]]):
        assert warnings(*polygons) == (), polygons
    assert warnings([CENTER.buffer(1, quad_segs=2_500).exterior.coords]) == ()


def test_a_self_intersection_in_feet_is_reported_in_degrees():
    ring = ((759700, 2959800), (759800, 2959900), (759800, 2959800), (759700, 2959900), (759700, 2959800))

    [warning] = polygon_footprint([[ring]], crs_from_wkid(2249)).warnings

    assert warning == "geometry is invalid: Self-intersection near 42.36934, -71.11669"


def test_an_invalid_footprint_has_one_warning():
    for polygons, warning in [
        ([[BOW_TIE]], "Self-intersection near 2.00000, 2.00000"),
        ([[TAILED]], "Ring Self-intersection near 4.00000, 4.00000"),
        ([[SQUARE, box(20, 50, 21, 51)]], "Hole lies outside shell near 50.00000, 20.00000"),
        ([[SQUARE], [box(11, 51, 12, 52)]], "Nested shells near"),
        ([[box(20, 50, 21, 51)], [BOW_TIE]], "Self-intersection near 2.00000, 2.00000"),
        ([[NEEDLE]], "Too few points in geometry component near 0.00000, 0.00000"),
    ]:
        [message] = warnings(*polygons)

        assert message.startswith(f"geometry is invalid: {warning}"), polygons
    assert polygon_footprint([[BOW_TIE]], WGS84).polygons == (tuple(corner[::-1] for corner in BOW_TIE),)


def test_the_point_is_inside_and_in_no_hole_even_if_the_footprint_is_invalid():
    for ring, *holes in (
        [U_SHAPE],
        [SQUARE, box(11, 51, 13, 53)],
        [BOW_TIE],
        [TAILED],
        [SQUARE, box(20, 50, 40, 60)],
        [SQUARE, box(11, 51, 20, 53)],
        [BOW_TIE, box(0.1, 1, 1.5, 3)],
    ):
        point = position(polygon_footprint([[ring, *holes]], WGS84))

        assert make_valid(Polygon(ring)).contains(point), (ring, holes)
        assert not any(Polygon(hole).intersects(point) for hole in holes), (ring, holes)


@given(polygons=st.lists(st.lists(RING, min_size=1, max_size=3), min_size=1, max_size=3))
@example([[TRIANGLE, *HOLES_ACROSS_IT]])
def test_the_point_of_any_rings_is_at_an_outer_ring(polygons):
    footprint = polygon_footprint(polygons, WGS84)

    assert any(Polygon(rings[0]).convex_hull.distance(position(footprint)) < 0.0000001 for rings in polygons)


def test_the_point_of_a_large_ring_that_crosses_itself_is_inside():
    footprint = polygon_footprint([[tuple(segmentize(LinearRing(BOW_TIE), 0.01).coords)]], WGS84)

    assert len(footprint.polygons[0]) > 1000
    assert footprint.warnings == ("geometry is invalid: Ring Self-intersection near 2.00000, 2.00000",)
    assert make_valid(Polygon(BOW_TIE)).contains(position(footprint))


def test_a_large_flat_ring_still_has_a_point():
    for size in (300, 30_000):
        ring = ((0.0, 0.0), *((1.0, 1.0),) * size, (0.0, 0.0))

        assert len(polygon_footprint([[ring]], WGS84).point) == 2, size


def test_a_ring_of_very_many_positions_is_not_checked():
    footprint = polygon_footprint([[CENTER.buffer(1, quad_segs=5_000).exterior.coords]], WGS84)

    assert footprint.warnings == ("geometry has 20,001 positions, too many to check",)
    assert position(footprint).distance(CENTER) < 1
