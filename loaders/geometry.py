"""GeoJSON geometries -> a point and footprint polygons, in latitude, longitude."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import shapely
from shapely.geometry import MultiPolygon

from campus_api.models import Position
from loaders.exports import BadValue

# 0.00000001 degree is about a millimetre: what is computed should not differ between versions of a library.
_DECIMALS = 8
_SHORTEST_RING = 4

Ring = tuple[Position, ...]


def footprint(geometry: object) -> tuple[Position, tuple[Ring, ...]]:
    """Return the point and the closed outer rings of a GeoJSON geometry; BadValue when it has no place.

    The point of a footprint is inside it, also when the footprint crosses itself. Holes and heights are left out.
    """
    polygons: list[list[Ring]] = []
    points: list[Position] = []
    for kind, coordinates in _parts(geometry):
        if kind == "Polygon":
            polygons.append([_ring(ring) for ring in _list(coordinates, "rings")])
        elif kind == "Point":
            points.append(_position(coordinates))
    if polygons:
        point = _inside(MultiPolygon([(rings[0], rings[1:]) for rings in polygons]))
    elif len(points) == 1:
        point = points[0]
    else:
        raise BadValue("geometry", None, "is not one point and has no polygon")
    return _flip(point), tuple(tuple(map(_flip, rings[0])) for rings in polygons)


def _parts(geometry: object) -> Iterator[tuple[object, Any]]:
    """Yield the type and coordinates of every single geometry inside `geometry`."""
    if not isinstance(geometry, Mapping):
        raise BadValue("geometry", geometry, "is missing" if geometry is None else "is not a GeoJSON geometry")
    kind, coordinates = geometry.get("type"), geometry.get("coordinates")
    if kind == "GeometryCollection":
        for member in _list(geometry.get("geometries"), "geometries"):
            yield from _parts(member)
    elif kind in ("MultiPolygon", "MultiPoint"):
        yield from ((kind.removeprefix("Multi"), part) for part in _list(coordinates, "parts"))
    elif kind in ("Polygon", "Point", "LineString", "MultiLineString"):
        yield kind, coordinates
    else:
        raise BadValue("geometry", kind, "is not a type of GeoJSON geometry")


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise BadValue("geometry", value, f"is not a list of {what}")
    return value


def _ring(positions: object) -> Ring:
    ring = tuple(_position(position) for position in _list(positions, "positions"))
    closed = ring if ring[0] == ring[-1] else (*ring, ring[0])
    if len(closed) < _SHORTEST_RING:
        raise BadValue("geometry", positions, "is a ring of fewer than three corners")
    return closed


def _position(value: object) -> Position:
    """Return longitude and latitude in degrees; a third coordinate is left out."""
    numbers = _list(value, "coordinates")[:2]
    if len(numbers) < 2 or not all(type(number) in (int, float) and math.isfinite(number) for number in numbers):
        raise BadValue("geometry", value, "is not a longitude and a latitude")
    longitude, latitude = map(float, numbers)
    if abs(longitude) > 180 or abs(latitude) > 90:
        raise BadValue("geometry", value, "is not a longitude within 180 and a latitude within 90 degrees")
    return longitude, latitude


def _inside(area: MultiPolygon) -> Position:
    point = shapely.make_valid(area).representative_point()
    return round(point.x, _DECIMALS), round(point.y, _DECIMALS)


def _flip(position: Position) -> Position:
    longitude, latitude = position
    return latitude, longitude
