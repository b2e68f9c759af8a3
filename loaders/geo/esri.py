"""Esri JSON geometries -> footprints, in latitude, longitude."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import shapely
from shapely.geometry import Polygon

from campus_api.models import Position
from loaders.geo.coordinates import Ring, list_of, position_of, ring_of
from loaders.geo.crs import Reference, by_wkid
from loaders.geo.footprint import Footprint, of_point, of_polygons
from loaders.readers.result import BadValue

_AXES = "an x and a y"

# What else an Esri geometry may be, by the member that tells.
_UNUSABLE = {
    "curveRings": "has curves: ask the server for none (returnTrueCurves=false)",
    "paths": "is a line, not a polygon or a point",
    "curvePaths": "is a line, not a polygon or a point",
    "xmin": "is an envelope, not a polygon or a point",
}


def esri_footprint(geometry: object, reference: Reference | None = None) -> Footprint:
    """Return the point and the closed outer rings of an Esri geometry; BadValue when it has no place.

    A spatial reference of the geometry itself beats `reference`, that of its feature set.
    """
    if not isinstance(geometry, Mapping):
        raise BadValue("geometry", geometry, "is missing" if geometry is None else "is not an Esri geometry")
    if "rings" in geometry:
        return of_polygons(_polygons(geometry["rings"]), _reference(geometry, reference))
    return of_point(_point(geometry), _reference(geometry, reference))


def _reference(geometry: Mapping[str, Any], default: Reference | None) -> Reference:
    own = geometry.get("spatialReference")
    if not isinstance(own, Mapping | None):
        raise BadValue("spatialReference", own, "is not a JSON object")
    # Where both are given they mean the same: an older and a newer number.
    wkid = own and (own.get("wkid") or own.get("latestWkid"))
    if wkid:
        return by_wkid(wkid)
    if default is None:
        raise BadValue("geometry", None, "has no spatial reference (wkid)")
    return default


def _point(geometry: Mapping[str, Any]) -> Position:
    if "x" in geometry:
        if geometry["x"] in (None, "NaN"):
            raise BadValue("geometry", None, "is missing")
        return position_of(_AXES, [geometry["x"], geometry.get("y")])
    if "points" in geometry:
        points = list_of("points", geometry["points"])
        if len(points) > 1:
            raise BadValue("geometry", None, f"is {len(points)} points, not one")
        return position_of(_AXES, points[0])
    kind = next((kind for kind in _UNUSABLE if kind in geometry), None)
    raise BadValue("geometry", kind or geometry, _UNUSABLE.get(kind, "is not an Esri geometry"))


def _polygons(value: object) -> list[list[Ring]]:
    """Return each outer ring and its holes, which only the direction of the rings tells apart."""
    polygons: list[list[Ring]] = []
    holes: list[Ring] = []
    for ring in [ring_of(_AXES, ring) for ring in list_of("rings", value)]:
        if _is_hole(ring):
            holes.append(ring)
        else:
            polygons.append([ring])
    if not polygons:
        raise BadValue("geometry", None, _why_no_outer_ring(holes))
    for hole in holes:
        _around(hole, polygons).append(hole)
    return polygons


def _is_hole(ring: Ring) -> bool:
    turn = _turn(ring)
    if not turn:
        raise BadValue("geometry", list(map(list, ring)), "is a ring without an area")
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
