"""GeoJSON geometries -> footprints, in latitude, longitude."""

from collections.abc import Iterator, Mapping
from typing import Any

from campus_api.models import Position
from loaders.geo.coordinates import Ring, list_of, position_of, ring_of
from loaders.geo.crs import DEGREES, Reference
from loaders.geo.footprint import Footprint, of_point, of_polygons
from loaders.readers.result import BadValue

_AXES = "a longitude and a latitude"


def footprint(geometry: object, reference: Reference = DEGREES) -> Footprint:
    """Return the point and the closed outer rings of a GeoJSON geometry; BadValue when it has no place.

    The point of a footprint is inside it, also when the footprint crosses itself. Holes and heights are left out.
    """
    polygons: list[list[Ring]] = []
    points: list[Position] = []
    for kind, coordinates in _parts(geometry):
        if kind == "Polygon":
            polygons.append([ring_of(_AXES, ring) for ring in list_of("rings", coordinates)])
        elif kind == "Point":
            points.append(position_of(_AXES, coordinates))
    if polygons:
        return of_polygons(polygons, reference)
    if len(points) != 1:
        raise BadValue("geometry", None, "is not one point and has no polygon")
    return of_point(points[0], reference)


def _parts(geometry: object) -> Iterator[tuple[object, Any]]:
    """Yield the type and coordinates of every single geometry inside `geometry`."""
    if not isinstance(geometry, Mapping):
        raise BadValue("geometry", geometry, "is missing" if geometry is None else "is not a GeoJSON geometry")
    kind, coordinates = geometry.get("type"), geometry.get("coordinates")
    if kind == "GeometryCollection":
        for member in list_of("geometries", geometry.get("geometries")):
            yield from _parts(member)
    elif kind in ("MultiPolygon", "MultiPoint"):
        yield from ((kind.removeprefix("Multi"), part) for part in list_of("parts", coordinates))
    elif kind in ("Polygon", "Point", "LineString", "MultiLineString"):
        yield kind, coordinates
    else:
        raise BadValue("geometry", kind, "is not a type of GeoJSON geometry")
