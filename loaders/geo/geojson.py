"""GeoJSON geometries -> footprints, in latitude, longitude."""

from collections.abc import Iterator, Mapping
from typing import Any

from campus_api.models import Position
from loaders.errors import InvalidValue
from loaders.geo.coordinates import Ring, parse_position, parse_ring, require_list
from loaders.geo.crs import CRS, WGS84
from loaders.geo.footprint import Footprint, point_footprint, polygon_footprint

_AXES = "a longitude and a latitude"


def footprint(geometry: object, reference: CRS = WGS84) -> Footprint:
    """Return the point and the closed outer rings of a GeoJSON geometry; InvalidValue when it has no place.

    The point of a footprint is inside it, also when the footprint crosses itself. Holes and heights are left out.
    """
    polygons: list[list[Ring]] = []
    points: list[Position] = []
    for kind, coordinates in _parts(geometry):
        if kind == "Polygon":
            polygons.append([parse_ring(_AXES, ring) for ring in require_list("rings", coordinates)])
        elif kind == "Point":
            points.append(parse_position(_AXES, coordinates))
    if polygons:
        return polygon_footprint(polygons, reference)
    if len(points) != 1:
        raise InvalidValue("geometry", None, "is not one point and has no polygon")
    return point_footprint(points[0], reference)


def _parts(geometry: object) -> Iterator[tuple[object, Any]]:
    """Yield the type and coordinates of every single geometry inside `geometry`."""
    if not isinstance(geometry, Mapping):
        raise InvalidValue("geometry", geometry, "is missing" if geometry is None else "is not a GeoJSON geometry")
    kind, coordinates = geometry.get("type"), geometry.get("coordinates")
    if kind == "GeometryCollection":
        for member in require_list("geometries", geometry.get("geometries")):
            yield from _parts(member)
    elif kind in ("MultiPolygon", "MultiPoint"):
        yield from ((kind.removeprefix("Multi"), part) for part in require_list("parts", coordinates))
    elif kind in ("Polygon", "Point", "LineString", "MultiLineString"):
        yield kind, coordinates
    else:
        raise InvalidValue("geometry", kind, "is not a type of GeoJSON geometry")
