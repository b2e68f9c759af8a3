"""Distances on the globe, and boxes of longitudes and latitudes."""

import re
from collections.abc import Iterable, Sequence
from math import asin, cos, radians, sin, sqrt
from typing import NamedTuple

Position = Sequence[float]

# The mean radius of the Earth in metres; distances are right within 0.6 percent.
_RADIUS = 6_371_009
# float() also takes digits of other scripts, and underscores between digits.
_NUMBERS = re.compile("[-+.0-9eE, ]+")
# No campus is south of it: -71.1 is a longitude of the Americas before its latitude.
_SOUTH = -60


class BoundingBox(NamedTuple):
    """A box in degrees, in the order of RFC 7946 (section 5); across the antimeridian, `west` is over `east`."""

    west: float
    south: float
    east: float
    north: float

    def intersects(self, positions: Iterable[Position]) -> bool:
        """Return whether the box around positions (latitude, longitude) intersects this one."""
        latitudes, longitudes = zip(*positions, strict=True)
        if max(latitudes) < self.south or min(latitudes) > self.north:
            return False
        is_east, is_west = max(longitudes) >= self.west, min(longitudes) <= self.east
        return (is_east or is_west) if self.west > self.east else (is_east and is_west)


def parse_box(text: str) -> BoundingBox:
    """Parse "west,south,east,north", or a box with heights, which are dropped; ValueError for another text."""
    match _numbers(text):
        case [west, south, east, north] | [west, south, _, east, north, _]:
            are_positions = _is_position(south, west) and _is_position(north, east)
            if are_positions and max(south, _SOUTH) <= north:
                return BoundingBox(west, south, east, north)
    raise ValueError("is not west,south,east,north in degrees, such as -71.12,42.37,-71.11,42.38")


def parse_position(text: str) -> Position:
    """Parse "latitude,longitude"; ValueError for another text."""
    match _numbers(text):
        case [latitude, longitude] if latitude >= _SOUTH and _is_position(latitude, longitude):
            return latitude, longitude
    raise ValueError("is not latitude,longitude in degrees, such as 42.3744,-71.1169")


def _numbers(text: str) -> list[float]:
    try:
        return list(map(float, text.split(","))) if _NUMBERS.fullmatch(text) else []
    except ValueError:
        return []


def _is_position(latitude: float, longitude: float) -> bool:
    # Beyond 180 degrees, maps show the world again.
    return abs(latitude) <= 90 and abs(longitude) <= 360


def distance(start: Position, end: Position) -> float:
    """Return the metres between two positions (latitude, longitude), by the haversine formula."""
    latitude, longitude = map(radians, start)
    other_latitude, other_longitude = map(radians, end)
    north = sin((other_latitude - latitude) / 2) ** 2
    east = sin((other_longitude - longitude) / 2) ** 2
    return 2 * _RADIUS * asin(sqrt(min(north + cos(latitude) * cos(other_latitude) * east, 1)))
