"""Footprints: a point and closed outer rings in latitude, longitude, with warnings about invalid geometry."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import shapely
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from campus_api.domain.models import Position
from loaders.errors import InvalidValue
from loaders.geo.coordinates import Ring
from loaders.geo.crs import CRS, DECIMALS, WGS84

# Repairing 400 random positions takes seconds, 20,000 take minutes and gigabytes, in which signals wait. The point of
# a larger area is inside by the even-odd rule, which is wrong only where two holes overlap.
_MAX_REPAIRED_POSITIONS = 200
# Checking 20,000 random positions takes half a second, 200,000 take minutes.
_MAX_CHECKED_POSITIONS = 20_000


@dataclass(frozen=True)
class Footprint:
    """The position and shape of a building in latitude, longitude; `warnings` are about invalid geometry.

    `crs` is the name of the coordinate reference system of the export.
    """

    point: Position
    polygons: tuple[Ring, ...] = ()
    warnings: tuple[str, ...] = ()
    crs: str = WGS84.name


def point_footprint(position: Position, crs: CRS) -> Footprint:
    """Return the footprint of a building that is known only by a point; InvalidValue if that is 0, 0."""
    if not any(position):
        raise InvalidValue("geometry", list(position), "is at 0, 0, which stands for no position")
    return Footprint(_swap_axes(crs.to_wgs84([position])[0]), crs=crs.name)


def polygon_footprint(polygons: Sequence[Sequence[Ring]], crs: CRS) -> Footprint:
    """Return the footprint of polygons, each an outer ring followed by its holes.

    The point is inside the polygons and in no hole, even if they are invalid. The footprint has the outer rings only.
    """
    transformed = _transform(polygons, crs)
    parts = [Polygon(outer, holes) for outer, *holes in transformed]
    area = parts[0] if len(parts) == 1 else MultiPolygon(parts)
    warnings: tuple[str, ...] = ()
    positions = shapely.get_num_coordinates(area)
    if positions > _MAX_CHECKED_POSITIONS:
        warnings = (f"geometry has {positions:,} positions, too many to check",)
    elif not area.is_valid:
        warnings = (_validity_message(next((part for part in parts if not part.is_valid), area)),)
        if positions <= _MAX_REPAIRED_POSITIONS:
            area = _repair(transformed)
    outer_rings = tuple([tuple(map(_swap_axes, rings[0])) for rings in transformed])
    inside = shapely.point_on_surface(area)
    return Footprint((round(inside.y, DECIMALS), round(inside.x, DECIMALS)), outer_rings, warnings, crs.name)


def _transform(polygons: Sequence[Sequence[Ring]], crs: CRS) -> list[list[Ring]]:
    """Return the polygons in longitude, latitude; one call for all positions, as each call is slow."""
    positions = iter(crs.to_wgs84([position for rings in polygons for ring in rings for position in ring]))
    return [[tuple(islice(positions, len(ring))) for ring in rings] for rings in polygons]


def _validity_message(shape: Polygon | MultiPolygon) -> str:
    """Return why a shape is invalid, and where: "geometry is invalid: Self-intersection near 42.37012, -71.11701"."""
    reason, _, position = shapely.is_valid_reason(shape).rstrip("]").partition("[")
    longitude, latitude = map(float, position.split())
    return f"geometry is invalid: {reason} near {latitude:.5f}, {longitude:.5f}"


def _repair(polygons: Sequence[Sequence[Ring]]) -> BaseGeometry:
    """Return a valid area inside the outer rings and, if any is left, outside the holes."""
    outer = _make_valid(MultiPolygon([(rings[0], ()) for rings in polygons]))
    holes = [_make_valid(Polygon(hole)) for _, *holes in polygons for hole in holes]
    difference = shapely.difference(_polygonal_parts([outer]), _polygonal_parts(holes))
    # GEOS may return an invalid difference of shapes that share an edge.
    return difference if holes and difference.is_valid and not difference.is_empty else outer


def _make_valid(shape: BaseGeometry) -> BaseGeometry:
    # The method "linework" takes a hundred times as long if many lines cross.
    return shapely.make_valid(shape, method="structure")


def _polygonal_parts(shapes: Sequence[BaseGeometry]) -> BaseGeometry:
    """Return the union of the parts with an area: `make_valid` may add lines and points."""
    return shapely.union_all([part for part in shapely.get_parts(shapes) if part.area])


def _swap_axes(position: Position) -> Position:
    longitude, latitude = position
    return latitude, longitude
