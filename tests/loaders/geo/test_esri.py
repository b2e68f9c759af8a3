import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Point, Polygon
from shapely.geometry.polygon import orient

from loaders.errors import InvalidValue
from loaders.geo.crs import WGS84, crs_from_wkid
from loaders.geo.esri import esri_footprint
from loaders.geo.footprint import Footprint

FEET = crs_from_wkid(2249)
HARVARD = {"x": 759716.617, "y": 2959868.783}
AT_HARVARD = Footprint((42.36939295, -71.11681162))


def outer(west, south, east, north):
    """Return a clockwise ring."""
    return [[west, south], [west, north], [east, north], [east, south], [west, south]]


def hole(*edges):
    return outer(*edges)[::-1]


SQUARE = outer(0, 0, 9, 9)
COURTYARD = hole(1, 1, 8, 8)
PAVILION = outer(3, 3, 6, 6)
WELL = hole(4, 4, 5, 5)
ANNEX = outer(20, 0, 26, 6)
LIGHT = hole(21, 1, 25, 5)
# A clockwise square with a small counter-clockwise loop at its highest corner.
KINKED = [[0, 0], [0, 9], [8, 9], [9, 10], [8, 10], [9, 9], [9, 0], [0, 0]]
CAMPUS = [SQUARE, COURTYARD, PAVILION, WELL, ANNEX, LIGHT]

CORNERS = st.lists(st.tuples(st.integers(-80, 80), st.integers(-80, 80)), min_size=3, max_size=5, unique=True)
SIMPLE_RING = (
    CORNERS.map(Polygon)
    .filter(lambda polygon: polygon.is_valid)
    .map(lambda polygon: [list(corner) for corner in orient(polygon, sign=-1).exterior.coords])
)


def of(*rings):
    return esri_footprint({"rings": list(rings)}, WGS84)


def latitude_longitude(ring):
    return tuple((latitude, longitude) for longitude, latitude, *_ in ring)


def position(footprint):
    latitude, longitude = footprint.point
    return Point(longitude, latitude)


def test_a_point_is_latitude_longitude_and_has_no_polygons():
    assert esri_footprint({"x": -71.1, "y": 42.3}, WGS84) == Footprint((42.3, -71.1))


def test_a_point_is_transformed():
    assert esri_footprint(HARVARD, FEET) == AT_HARVARD


def test_the_height_of_a_point_is_ignored():
    assert esri_footprint({**HARVARD, "z": 17.5, "m": None}, FEET) == AT_HARVARD


def test_a_multipoint_of_one_is_a_point():
    assert esri_footprint({"points": [[-71.1, 42.3, 17.5]]}, WGS84) == Footprint((42.3, -71.1))


def test_a_clockwise_ring_is_a_polygon_of_latitude_longitude():
    assert of(SQUARE).polygons == (latitude_longitude(SQUARE),)


def test_degrees_are_unchanged():
    ring = [[-71.12345678912345, 42.1], [-71.1, 42.2], [-71.1, 42.1], [-71.12345678912345, 42.1]]

    assert of(ring).polygons == (latitude_longitude(ring),)


def test_an_open_ring_is_closed():
    assert of(SQUARE[:-1]) == of(SQUARE)


def test_heights_of_a_ring_are_ignored():
    assert of([[*corner, 17.5, 0] for corner in SQUARE]) == of(SQUARE)


def test_the_point_is_inside_the_ring():
    assert Polygon(SQUARE).contains(position(of(SQUARE)))


def test_a_counter_clockwise_ring_is_a_hole():
    assert of(SQUARE, COURTYARD).polygons == (latitude_longitude(SQUARE),)


def test_the_point_is_not_in_a_hole():
    assert Polygon(SQUARE, [COURTYARD]).contains(position(of(SQUARE, COURTYARD)))


def test_a_hole_may_precede_its_outer_ring():
    assert of(COURTYARD, SQUARE) == of(SQUARE, COURTYARD)


def test_every_clockwise_ring_is_a_polygon():
    assert of(SQUARE, COURTYARD, ANNEX).polygons == (latitude_longitude(SQUARE), latitude_longitude(ANNEX))


def test_a_ring_inside_a_hole_is_a_polygon():
    assert of(SQUARE, COURTYARD, PAVILION).polygons == (latitude_longitude(SQUARE), latitude_longitude(PAVILION))


def test_each_hole_belongs_to_the_ring_around_it():
    assert of(*CAMPUS).warnings == ()


@given(st.permutations(CAMPUS))
def test_rings_in_any_order_have_a_point_inside_and_in_no_hole(rings):
    footprint = of(*rings)

    standing = [Polygon(SQUARE, [COURTYARD]), Polygon(PAVILION, [WELL]), Polygon(ANNEX, [LIGHT])]
    assert footprint.warnings == ()
    assert any(part.contains(position(footprint)) for part in standing)


@given(st.lists(st.booleans(), min_size=5, max_size=5))
def test_rings_in_any_direction_have_a_point_in_an_outer_ring_and_in_no_hole(turned):
    others = [ring[::-1] if turn else ring for ring, turn in zip(CAMPUS[1:], turned, strict=True)]

    footprint = of(SQUARE, *others)

    at = position(footprint)
    assert any(Polygon(latitude_longitude(ring)).contains(at) for ring in footprint.polygons)
    assert not any(Polygon(ring).contains(at) for ring in others if Polygon(ring).exterior.is_ccw)


def test_a_hole_that_touches_the_wall_belongs_to_it():
    assert of(SQUARE, [[0, 5], [4, 4], [4, 6], [0, 5]], ANNEX).warnings == ()


@pytest.mark.parametrize("rings", [[SQUARE], [SQUARE, ANNEX], [ANNEX, SQUARE]])
def test_a_hole_outside_every_outer_ring_is_a_warning(rings):
    assert of(*rings, hole(50, 50, 60, 60)).warnings == (
        "geometry has a hole outside its outer ring near 50.00000, 50.00000",
    )


def test_the_point_is_not_in_a_hole_outside_every_outer_ring():
    assert Polygon(SQUARE).contains(position(of(SQUARE, hole(50, 50, 60, 60))))


def test_a_self_intersecting_ring_is_a_warning():
    [warning] = of(KINKED).warnings

    assert warning.startswith("geometry crosses itself near ")


def test_a_ring_with_a_kink_at_the_top_is_not_a_hole():
    assert of(KINKED).polygons == (latitude_longitude(KINKED),)


@given(SIMPLE_RING)
def test_a_simple_ring_that_is_clockwise_is_an_outer_one(ring):
    assert of(ring).polygons == (latitude_longitude(ring),)


@given(SIMPLE_RING)
def test_a_simple_ring_that_is_counter_clockwise_is_a_hole(ring):
    with pytest.raises(InvalidValue, match="has no outer ring"):
        of(ring[::-1])


def test_the_direction_is_that_of_the_source():
    # In degrees, a ring across the antimeridian, which is in the middle of this CRS, has the opposite orientation.
    across_the_antimeridian = outer(3300000, 0, 3400000, 100000)

    assert len(esri_footprint({"rings": [across_the_antimeridian]}, crs_from_wkid(3832)).polygons) == 1


@pytest.mark.parametrize("key", ["wkid", "latestWkid"])
def test_the_crs_of_a_geometry_overrides_that_of_the_set(key):
    assert esri_footprint({**HARVARD, "spatialReference": {key: 2249}}, crs_from_wkid(3857)) == AT_HARVARD


def test_the_crs_of_a_geometry_is_sufficient():
    assert esri_footprint({**HARVARD, "spatialReference": {"wkid": 2249}}) == AT_HARVARD


def test_wkid_and_latest_wkid_are_equivalent():
    older = {"wkid": 102686, "latestWkid": 2249}

    assert esri_footprint({**HARVARD, "spatialReference": older}).point == pytest.approx(AT_HARVARD.point, abs=1e-7)


@pytest.mark.parametrize("spatial_reference", [None, {}, {"wkid": None}])
def test_a_geometry_without_a_crs_has_that_of_the_set(spatial_reference):
    assert esri_footprint({**HARVARD, "spatialReference": spatial_reference}, FEET) == AT_HARVARD
