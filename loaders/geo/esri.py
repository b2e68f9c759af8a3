"""Esri JSON geometries -> footprints, in latitude, longitude."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import shapely
from shapely.geometry import Polygon

from campus_api.models import Position
from loaders.errors import InvalidValue
from loaders.geo.coordinates import Ring, parse_position, parse_ring, require_list
from loaders.geo.crs import CRS, crs_from_wkid
from loaders.geo.footprint import Footprint, point_footprint, polygon_footprint

_AXES = "an x and a y"

# What else an Esri geometry may be, by the member that tells.
_UNUSABLE = {
    "curveRings": "has curves: ask the server for none (returnTrueCurves=false)",
    "paths": "is a line, not a polygon or a point",
    "curvePaths": "is a line, not a polygon or a point",
    "xmin": "is an envelope, not a polygon or a point",
}


def esri_footprint(geometry: object, reference: CRS | None = None) -> Footprint:
    """Return the point and the closed outer rings of an Esri geometry; InvalidValue when it has no place.

    A spatial reference of the geometry itself beats `reference`, that of its feature set.
    """
    if not isinstance(geometry, Mapping):
        raise InvalidValue("geometry", geometry, "is missing" if geometry is None else "is not an Esri geometry")
    if "rings" in geometry:
        return polygon_footprint(_polygons(geometry["rings"]), _reference(geometry, reference))
    return point_footprint(_point(geometry), _reference(geometry, reference))


def _reference(geometry: Mapping[str, Any], default: CRS | None) -> CRS:
    own = geometry.get("spatialReference")
    if not isinstance(own, Mapping | None):
        raise InvalidValue("spatialReference", own, "is not a JSON object")
    # Where both are given they mean the same: an older and a newer number.
    wkid = own and (own.get("wkid") or own.get("latestWkid"))
    if wkid:
        return crs_from_wkid(wkid)
    if default is None:
        raise InvalidValue("geometry", None, "has no spatial reference (wkid)")
    return default


def _point(geometry: Mapping[str, Any]) -> Position:
    if "x" in geometry:
        if geometry["x"] in (None, "NaN"):
            raise InvalidValue("geometry", None, "is missing")
        return parse_position(_AXES, [geometry["x"], geometry.get("y")])
    if "points" in geometry:
        points = require_list("points", geometry["points"])
        if len(points) > 1:
            raise InvalidValue("geometry", None, f"is {len(points)} points, not one")
        return parse_position(_AXES, points[0])
    kind = next((kind for kind in _UNUSABLE if kind in geometry), None)
    raise InvalidValue("geometry", kind or geometry, _UNUSABLE.get(kind, "is not an Esri geometry"))


def _polygons(value: object) -> list[list[Ring]]:
    """Return each outer ring and its holes, which only the direction of the rings tells apart."""
    polygons: list[list[Ring]] = []
    holes: list[Ring] = []
    for ring in [parse_ring(_AXES, ring) for ring in require_list("rings", value)]:
        if _is_hole(ring):
            holes.append(ring)
        else:
            polygons.append([ring])
    if not polygons:
        raise InvalidValue("geometry", None, _why_no_outer_ring(holes))
    for hole in holes:
        _around(hole, polygons).append(hole)
    return polygons


def _is_hole(ring: Ring) -> bool:
    turn = _turn(ring)
    if not turn:
        raise InvalidValue("geometry", list(map(list, ring)), "is a ring without an area")
    return turn > 0


def _turn(ring: Ring) -> float:
    """Return twice the area inside a ring, negative where it is clockwise.

    Unlike `shapely.is_ccw`, which looks at the topmost corner, it finds the direction of most of a ring with a kink.
    """
    left, bottom = ring[0]
    corners = [(x - left, y - bottom) for x, y in ring]
    return sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairwise(corners))


def _why_no_outer_ring(rings: Sequence[Ring]) -> str:
    if len(rings) > 1:
        return f"has no outer ring: all of its {len(rings)} rings turn like holes"
    corners = len(rings[0]) - 1
    return f"has no outer ring: its one ring of {corners} corners turns like a hole; is it cut off?"


def _around(hole: Ring, polygons: Sequence[list[Ring]]) -> list[Ring]:
    """Return the polygon that contains the hole: of those with most of its corners, the smallest.

    A hole outside all of them gets into one nevertheless, which is not valid then and will say so.
    """

    def corners_inside_and_smallness(polygon: Sequence[Ring]) -> tuple[int, float]:
        outer = Polygon(polygon[0])
        return int(shapely.intersects_xy(outer, hole).sum()), -outer.area

    return max(polygons, key=corners_inside_and_smallness)
