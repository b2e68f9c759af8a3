"""Buildings and locations as GeoJSON: longitude before latitude, counter-clockwise outer rings.

https://www.rfc-editor.org/rfc/rfc7946
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from campus_api.domain.building_fields import SERVED_FIELDS, BuildingRow
from campus_api.domain.models import LocationRow

Positions = Sequence[Sequence[float]]

MEDIA_TYPE = "application/geo+json"


def collection(features: Sequence[Any]) -> dict[str, Any]:
    """Return a FeatureCollection."""
    return {"type": "FeatureCollection", "features": features}


def feature(building: BuildingRow) -> dict[str, Any]:
    """Return a building as a Feature: its footprint if known, else its point; the point is also a property."""
    polygons = building["geometry"]["polygons"]
    point = _point(building["geometry"]["point"])
    # Every ring is a polygon, because only outer rings are stored.
    footprint = {"type": "MultiPolygon", "coordinates": [[_counter_clockwise(ring)] for ring in polygons]}
    # GeoPandas and ogr2ogr drop the member "id".
    properties = {name: building[name] for name in ("id", *SERVED_FIELDS, "distance") if name in building}
    return {
        "type": "Feature",
        "id": building["id"],
        "geometry": footprint if polygons else point,
        "properties": {**properties, "point": point},
    }


def location_feature(location: LocationRow) -> dict[str, Any]:
    """Return a location as a Feature at the point of its building; its geometry is null if that is unknown."""
    geometry = location["point"] and _point(location["point"])
    properties = {name: location[name] for name in ("id", "name", "building")}
    return {"type": "Feature", "id": location["id"], "geometry": geometry, "properties": properties}


def _point(position: Sequence[float]) -> dict[str, Any]:
    latitude, longitude = position
    return {"type": "Point", "coordinates": [longitude, latitude]}


def _counter_clockwise(ring: Positions) -> list[list[float]]:
    """Return a ring of (latitude, longitude) as counter-clockwise (longitude, latitude)."""
    positions = [[longitude, latitude] for latitude, longitude in ring]
    return positions if signed_area(positions) >= 0 else positions[::-1]


def signed_area(ring: Positions) -> float:
    """Return twice the area of a closed ring, negative if it is clockwise (shoelace formula).

    `shapely.is_ccw` looks at the topmost corner only and is wrong if that belongs to a kink.
    """
    left, bottom = ring[0]
    # Relative to the first corner: with absolute coordinates, rounding would dominate the area of a building.
    corners = [(x - left, y - bottom) for x, y in ring]
    return sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairwise(corners))
