"""Positions in a spatial reference -> a Footprint: a point, closed outer rings and what is odd about them."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice

import shapely
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from campus_api.models import Position
from loaders.geo.coordinates import Ring
from loaders.geo.crs import CRS, DECIMALS

# What GEOS says of a polygon and of several polygons that are not valid, in plain words.
_TROUBLES = {
    ("Polygon", "Self-intersection"): "crosses itself",
    ("Polygon", "Ring Self-intersection"): "touches itself",
    ("Polygon", "Hole lies outside shell"): "has a hole outside its outer ring",
    ("Polygon", "Holes are nested"): "has a hole in a hole",
    ("MultiPolygon", "Self-intersection"): "has parts that overlap or share a wall",
    ("MultiPolygon", "Nested shells"): "has a part inside another part",
}

# Little-endian, and the type of a polygon.
_WKB_POLYGON = struct.pack("<BI", 1, 3)


@dataclass(frozen=True)
class Footprint:
    """Where a building stands, in latitude, longitude; `warnings` say what is odd but usable."""

    point: Position
    polygons: tuple[Ring, ...] = ()
    warnings: tuple[str, ...] = ()


def point_footprint(position: Position, reference: CRS) -> Footprint:
    """Return the place of a building that is known only by a point."""
    return Footprint(_flip(reference.to_wgs84([position])[0]))


def polygon_footprint(polygons: Sequence[Sequence[Ring]], reference: CRS) -> Footprint:
    """Return the footprint of polygons, each of them an outer ring followed by its holes.

    The point is inside it and in no hole, also when the footprint is not valid. Only outer rings are kept.
    """
    placed = _in_degrees(polygons, reference)
    parts = list(map(_polygon, placed))
    area = parts[0] if len(parts) == 1 else MultiPolygon(parts)
    warnings: tuple[str, ...] = ()
    if not area.is_valid:
        warnings = (_trouble(next((part for part in parts if not part.is_valid), area)),)
        area = _usable(placed)
    return Footprint(_inside(area), tuple([tuple(map(_flip, rings[0])) for rings in placed]), warnings)


def _in_degrees(polygons: Sequence[Sequence[Ring]], reference: CRS) -> list[list[Ring]]:
    """Return the same polygons in longitude, latitude: all of them in one go, which is what takes the time."""
    degrees = iter(reference.to_wgs84([position for rings in polygons for ring in rings for position in ring]))
    return [[tuple(islice(degrees, len(ring))) for ring in rings] for rings in polygons]


def _polygon(rings: Sequence[Ring]) -> Polygon:
    """Return the polygon of rings, by way of WKB: half the time of the constructors of shapely."""
    written = [struct.pack(f"<I{2 * len(ring)}d", len(ring), *chain.from_iterable(ring)) for ring in rings]
    return shapely.from_wkb(b"".join([_WKB_POLYGON, struct.pack("<I", len(rings)), *written]))


def _trouble(shape: Polygon | MultiPolygon) -> str:
    """Return what is wrong with a shape and where, like "geometry crosses itself near 42.37012, -71.11701"."""
    reason, _, place = shapely.is_valid_reason(shape).rstrip("]").partition("[")
    words = _TROUBLES.get((shape.geom_type, reason), f"is not a valid footprint: {reason}")
    longitude, latitude = map(float, place.split())
    return f"geometry {words} near {latitude:.5f}, {longitude:.5f}"


def _usable(polygons: Sequence[Sequence[Ring]]) -> BaseGeometry:
    """Return an area inside the outer rings and, if there is one, outside the holes."""
    outer = shapely.make_valid(MultiPolygon([(rings[0], ()) for rings in polygons]))
    holes = [shapely.make_valid(Polygon(hole)) for _, *holes in polygons for hole in holes]
    rest = shapely.difference(_faces([outer]), _faces(holes))
    return outer if rest.is_empty or not holes else rest


def _faces(shapes: Sequence[BaseGeometry]) -> BaseGeometry:
    """Return what has an area: making a shape valid may leave lines and points beside it."""
    return shapely.union_all([part for part in shapely.get_parts(shapes) if part.area])


def _inside(area: BaseGeometry) -> Position:
    point = shapely.point_on_surface(area)
    return round(point.y, DECIMALS), round(point.x, DECIMALS)


def _flip(position: Position) -> Position:
    longitude, latitude = position
    return latitude, longitude
