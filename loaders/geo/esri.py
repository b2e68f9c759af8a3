"""Esri JSON geometries to footprints: https://developers.arcgis.com/rest/services-reference/geometry-objects.htm."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import shapely
from shapely.geometry import Polygon

from campus_api.domain.geojson import signed_area
from campus_api.domain.models import Position
from loaders.errors import InvalidValue
from loaders.geo.coordinates import Ring, parse_position, parse_ring, require_list
from loaders.geo.crs import CRS, are_degrees, crs_from_reference
from loaders.geo.footprint import Footprint, point_footprint, polygon_footprint

_AXES = "an x and a y"

# Unsupported geometries by the member that identifies them.
_UNSUPPORTED = {
    "curveRings": "has curves: request it without them (returnTrueCurves=false)",
    "paths": "is a line, not a polygon or a point",
    "curvePaths": "is a line, not a polygon or a point",
    "xmin": "is an envelope, not a polygon or a point",
}


def esri_footprint(geometry: object, crs: CRS | None = None, other: CRS | None = None) -> Footprint:
    """Return the footprint of an Esri polygon, point or multipoint of one; InvalidValue if it is unusable.

    A spatial reference of the geometry itself takes precedence over `crs`, that of its feature set; `other` is that of
    positions that cannot be of these: degrees in place of metres or feet, or the reverse.
    """
    if not isinstance(geometry, Mapping):
        raise InvalidValue("geometry", geometry, "is missing" if geometry is None else "is not an Esri geometry")
    if "rings" in geometry:
        polygons = _parse_polygons(geometry["rings"])
        corners = (position for rings in polygons for position in rings[0])
        return polygon_footprint(polygons, _choose_crs(geometry, crs, other, corners))
    point = _parse_point(geometry)
    return point_footprint(point, _choose_crs(geometry, crs, other, [point]))


def _choose_crs(
    geometry: Mapping[str, Any], default: CRS | None, other: CRS | None, positions: Iterable[Position]
) -> CRS:
    reference = geometry.get("spatialReference")
    if not isinstance(reference, Mapping | None):
        raise InvalidValue("spatialReference", reference, "is not a JSON object")
    crs = crs_from_reference(reference or {}) or default
    if crs is None:
        raise InvalidValue("geometry", None, "has no spatial reference: set its wkid with --wkid (4326 for degrees)")
    return other if other and crs.is_projected == are_degrees(positions) else crs


def _parse_point(geometry: Mapping[str, Any]) -> Position:
    if "x" in geometry:
        if geometry["x"] in (None, "NaN"):
            raise InvalidValue("geometry", None, "is missing")
        return parse_position(_AXES, [geometry["x"], geometry.get("y")])
    if "points" in geometry:
        points = require_list("points", geometry["points"])
        if len(points) > 1:
            raise InvalidValue("geometry", None, f"is {len(points)} points, not one")
        return parse_position(_AXES, points[0])
    member = next((member for member in _UNSUPPORTED if member in geometry), "")
    raise InvalidValue("geometry", member or geometry, _UNSUPPORTED.get(member, "is not an Esri geometry"))


def _parse_polygons(value: object) -> list[list[Ring]]:
    """Return each outer ring followed by its holes; outer rings are clockwise, holes counter-clockwise."""
    rings = [parse_ring(_AXES, ring) for ring in require_list("rings", value)]
    polygons = [[ring] for ring in rings if not _is_hole(ring)]
    if not polygons:
        raise InvalidValue("geometry", None, "has no outer ring, which is clockwise: is it truncated?")
    for hole in filter(_is_hole, rings):
        _containing_polygon(hole, polygons).append(hole)
    return polygons


def _is_hole(ring: Ring) -> bool:
    area = signed_area(ring)
    if not area:
        raise InvalidValue("geometry", list(map(list, ring)), "is a ring without an area")
    return area > 0


def _containing_polygon(hole: Ring, polygons: Sequence[list[Ring]]) -> list[Ring]:
    """Return the smallest polygon that contains most of the hole's vertices.

    A hole outside every polygon is assigned anyway; validation reports it.
    """

    def corners_inside_and_smallness(polygon: Sequence[Ring]) -> tuple[int, float]:
        outer = Polygon(polygon[0])
        shapely.prepare(outer)
        return int(shapely.intersects_xy(outer, hole).sum()), -outer.area

    return max(polygons, key=corners_inside_and_smallness)
