import math

from loaders.geo.crs import WGS84, crs_from_wkid
from loaders.geo.esri import esri_footprint
from loaders.geo.footprint import Footprint
from tests.loaders.errors import reason_of


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
OUTSIDE = hole(50, 50, 60, 60)
# A clockwise square with a small counter-clockwise loop at its highest corner.
KINKED = [[0, 0], [0, 9], [8, 9], [9, 10], [8, 10], [9, 9], [9, 0], [0, 0]]


def of(*rings):
    return esri_footprint({"rings": list(rings)}, WGS84)


def latitude_longitude(*rings):
    return tuple(tuple((latitude, longitude) for longitude, latitude, *_ in ring) for ring in rings)


def test_a_point_is_latitude_longitude_and_has_no_polygons():
    for geometry in ({"x": -71.1, "y": 42.3, "z": 17.5, "m": None}, {"points": [[-71.1, 42.3, 17.5]]}):
        assert esri_footprint(geometry, WGS84) == Footprint((42.3, -71.1)), geometry


def test_a_clockwise_ring_is_a_polygon_of_latitude_longitude():
    degrees = [[-71.12345678912345, 42.1], [-71.1, 42.2], [-71.1, 42.1], [-71.12345678912345, 42.1]]

    for ring in (SQUARE, degrees, SQUARE[:-1], [[*corner, 17.5, 0] for corner in SQUARE]):
        expected = degrees if ring is degrees else SQUARE
        assert of(ring).polygons == latitude_longitude(expected), ring


def test_every_clockwise_ring_is_a_polygon_whatever_is_around_it():
    assert of(SQUARE, COURTYARD, ANNEX).polygons == latitude_longitude(SQUARE, ANNEX)
    assert of(SQUARE, COURTYARD, PAVILION).polygons == latitude_longitude(SQUARE, PAVILION)
    assert of(COURTYARD, SQUARE) == of(SQUARE, COURTYARD)
    assert of(SQUARE, COURTYARD, PAVILION, WELL, ANNEX, LIGHT).warnings == ()
    assert of(SQUARE, [[0, 5], [4, 4], [4, 6], [0, 5]], ANNEX).warnings == ()
    kinked = of(KINKED)
    assert (kinked.polygons, len(kinked.warnings)) == (latitude_longitude(KINKED), 1)


def test_a_hole_outside_every_outer_ring_is_a_warning():
    warnings = ("geometry is invalid: Hole lies outside shell near 50.00000, 50.00000",)
    for rings in ([SQUARE], [SQUARE, ANNEX], [ANNEX, SQUARE]):
        assert of(*rings, OUTSIDE).warnings == warnings, rings


def test_the_direction_is_that_of_the_source():
    # In degrees, a ring across the antimeridian, which is in the middle of this CRS, has the opposite orientation.
    across_the_antimeridian = outer(3300000, 0, 3400000, 100000)

    assert len(esri_footprint({"rings": [across_the_antimeridian]}, crs_from_wkid(3832)).polygons) == 1


def test_a_geometry_without_a_position_is_an_error():
    for geometry, expected in [
        *((nothing, "is missing") for nothing in (None, {"x": None}, {"x": "NaN", "y": "NaN"})),
        *((other, "is not an Esri geometry") for other in ("rings", {"type": "Point", "coordinates": [10, 50]})),
        ({"paths": [SQUARE]}, "is a line, not a polygon or a point"),
        ({"xmin": 1, "ymin": 1, "xmax": 2, "ymax": 2}, "is an envelope, not a polygon or a point"),
        ({"curveRings": [SQUARE]}, "has curves: request it without them (returnTrueCurves=false)"),
        ({"rings": []}, "is not a list of rings"),
        ({"rings": [[]]}, "is not a list of positions"),
        ({"rings": [SQUARE, [[1, 1], [2, 2], [1, 1]]]}, "is a ring of fewer than three corners"),
        ({"rings": [[[0, 0], [2, 2], [4, 4], [0, 0]]]}, "is a ring without an area"),
        ({"points": []}, "is not a list of points"),
        ({"points": [[1, 2], [3, 4]]}, "is 2 points, not one"),
        ({"points": [1]}, "is not a list of coordinates"),
        *(({"x": 10, "y": y}, "is not an x and a y") for y in ("50", "NaN", None, math.nan)),
        ({"rings": [[*SQUARE, [math.inf, 50]]]}, "is not an x and a y"),
        ({"rings": [SQUARE[::-1], ANNEX[::-1]]}, "has no outer ring, which is clockwise: is it truncated?"),
    ]:
        assert reason_of(esri_footprint, geometry, WGS84) == expected, geometry
