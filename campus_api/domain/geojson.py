"""Buildings as GeoJSON (RFC 7946): longitude before latitude, outer rings counter-clockwise."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

Row = Mapping[str, Any]
Positions = Sequence[Sequence[float]]

MEDIA_TYPE = "application/geo+json"


def collection(features: Sequence[Any]) -> dict[str, Any]:
    """Return a FeatureCollection."""
    return {"type": "FeatureCollection", "features": features}


def feature(building: Row) -> dict[str, Any]:
    """Return a building as a Feature: its footprint or, without one, its point, which is among its properties too."""
    point, polygons = building["geometry"]["point"], building["geometry"]["polygons"]
    place = {"type": "Point", "coordinates": _flipped(point)}
    # Each ring stands for a polygon, for only outer rings are known.
    footprint = {"type": "MultiPolygon", "coordinates": [[_counter_clockwise(ring)] for ring in polygons]}
    properties = {name: building[name] for name in ("name", "address", "city", "image")}
    return {
        "type": "Feature",
        "id": building["id"],
        "geometry": footprint if polygons else place,
        "properties": {**properties, "point": place},
    }


def _flipped(position: Sequence[float]) -> list[float]:
    latitude, longitude = position
    return [longitude, latitude]


def _counter_clockwise(ring: Positions) -> list[list[float]]:
    """Return a ring of latitudes and longitudes in longitude, latitude, the way that outer rings turn."""
    positions = list(map(_flipped, ring))
    return positions if _turning(positions) >= 0 else positions[::-1]


def _turning(ring: Positions) -> float:
    """Return twice the area of a closed ring: negative when it turns clockwise."""
    x, y = ring[0]
    # Seen from the first corner: far from it, the area of a building would be lost in the digits.
    near = [(longitude - x, latitude - y) for longitude, latitude in ring]
    return sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairwise(near))
