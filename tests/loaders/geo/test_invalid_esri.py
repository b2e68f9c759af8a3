import math

import pytest

from loaders.errors import InvalidValue
from loaders.geo.crs import WGS84, crs_from_wkid
from loaders.geo.esri import esri_footprint

HARVARD = {"x": 759716.617, "y": 2959868.783}
# Clockwise, so that they are outer rings.
SQUARE = [[0, 0], [0, 9], [9, 9], [9, 0], [0, 0]]
ANNEX = [[20, 0], [20, 6], [26, 6], [26, 0], [20, 0]]


def reason(geometry, crs=WGS84):
    with pytest.raises(InvalidValue) as error:
        esri_footprint(geometry, crs)
    return error.value.reason


@pytest.mark.parametrize("geometry", [HARVARD, {"rings": [SQUARE]}, {**HARVARD, "spatialReference": {}}])
def test_a_geometry_without_a_crs_is_rejected(geometry):
    assert reason(geometry, None) == "has no spatial reference (wkid)"


@pytest.mark.parametrize("wkid", [1, True, "feet", [2249]])
def test_an_unknown_wkid_is_rejected(wkid):
    assert reason({**HARVARD, "spatialReference": {"wkid": wkid}}) == "is not a known coordinate reference system"


def test_a_spatial_reference_must_be_an_object():
    assert reason({**HARVARD, "spatialReference": 2249}) == "is not a JSON object"


def test_metres_in_place_of_degrees_are_rejected():
    assert reason(HARVARD).startswith("is in metres or feet, not in degrees")


def test_a_position_outside_its_crs_is_rejected():
    assert reason({"x": 1e12, "y": 1e12}, crs_from_wkid(3035)) == "is outside its coordinate reference system"


@pytest.mark.parametrize(
    ("geometry", "expected"),
    [
        (None, "is missing"),
        ({"x": None}, "is missing"),
        ({"x": "NaN", "y": "NaN"}, "is missing"),
        ("rings", "is not an Esri geometry"),
        ([1, 2], "is not an Esri geometry"),
        ({}, "is not an Esri geometry"),
        ({"type": "Point", "coordinates": [10, 50]}, "is not an Esri geometry"),
        ({"paths": [SQUARE]}, "is a line, not a polygon or a point"),
        ({"curvePaths": [SQUARE]}, "is a line, not a polygon or a point"),
        ({"xmin": 1, "ymin": 1, "xmax": 2, "ymax": 2}, "is an envelope, not a polygon or a point"),
        ({"curveRings": [SQUARE]}, "has curves: request it without them (returnTrueCurves=false)"),
        ({"rings": []}, "is not a list of rings"),
        ({"rings": None}, "is not a list of rings"),
        ({"rings": [[]]}, "is not a list of positions"),
        ({"rings": SQUARE}, "is not a list of coordinates"),
        ({"rings": [SQUARE, {"c": []}]}, "is not a list of positions"),
        ({"rings": [[[0, 0], [0, 9]]]}, "is a ring of fewer than three corners"),
        ({"rings": [SQUARE, [[1, 1], [2, 2], [1, 1]]]}, "is a ring of fewer than three corners"),
        ({"rings": [[[0, 0], [2, 2], [4, 4], [0, 0]]]}, "is a ring without an area"),
        ({"rings": [SQUARE, [[1, 1], [1, 1], [1, 1], [1, 1]]]}, "is a ring without an area"),
        ({"points": []}, "is not a list of points"),
        ({"points": [[1, 2], [3, 4]]}, "is 2 points, not one"),
        ({"points": [1, 2]}, "is 2 points, not one"),
        ({"points": [1]}, "is not a list of coordinates"),
    ],
)
def test_a_geometry_without_a_position_is_rejected(geometry, expected):
    assert reason(geometry) == expected


@pytest.mark.parametrize(
    ("x", "y"), [("10", 50), (10, "NaN"), (10, None), (True, 50), (10, math.nan), (math.inf, 50), (10**400, 50)]
)
@pytest.mark.parametrize("kind", ["point", "multipoint", "polygon"])
def test_a_position_that_is_not_two_numbers_is_rejected(kind, x, y):
    of_kind = {"point": {"x": x, "y": y}, "multipoint": {"points": [[x, y]]}, "polygon": {"rings": [[*SQUARE, [x, y]]]}}

    assert reason(of_kind[kind]) == "is not an x and a y"


def test_a_single_counter_clockwise_ring_is_probably_truncated():
    expected = "has no outer ring: its only ring, of 3 corners, is counter-clockwise; is it truncated?"

    assert reason({"rings": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}) == expected


def test_a_polygon_of_only_holes_is_rejected():
    assert (
        reason({"rings": [SQUARE[::-1], ANNEX[::-1]]}) == "has no outer ring: all of its 2 rings are counter-clockwise"
    )
