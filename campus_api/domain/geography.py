"""Distances on the globe, and boxes of longitudes and latitudes."""

import re
from collections.abc import Iterable, Sequence
from math import asin, cos, isfinite, radians, sin, sqrt
from typing import NamedTuple

Position = Sequence[float]

# The mean radius of the Earth in metres; distances are right within 0.6 percent.
_RADIUS = 6_371_009
# float() also takes digits of other scripts, and underscores between digits.
_NUMBERS = re.compile("[-+.0-9eE, ]+")


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


def parse_box(text: str) -> BoundingBox | None:
    """Parse "west,south,east,north"; None if it is no box."""
    numbers = _numbers(text, 4)
    box = BoundingBox(*numbers) if numbers else None
    return box if box and -90 <= box.south <= box.north <= 90 else None


def parse_position(text: str) -> tuple[float, float] | None:
    """Parse "latitude,longitude"; None if it is no position."""
    numbers = _numbers(text, 2)
    return (numbers[0], numbers[1]) if numbers and abs(numbers[0]) <= 90 else None


def _numbers(text: str, count: int) -> list[float] | None:
    try:
        numbers = list(map(float, text.split(","))) if _NUMBERS.fullmatch(text) else []
    except ValueError:
        return None
    # Beyond 180 degrees, maps show the world again.
    is_valid = len(numbers) == count and all(isfinite(each) and abs(each) <= 360 for each in numbers)
    return numbers if is_valid else None


def distance(start: Position, end: Position) -> float:
    """Return the metres between two positions (latitude, longitude), by the haversine formula."""
    (latitude, longitude), (other_latitude, other_longitude) = (map(radians, each) for each in (start, end))
    chord = (
        sin((other_latitude - latitude) / 2) ** 2
        + cos(latitude) * cos(other_latitude) * sin((other_longitude - longitude) / 2) ** 2
    )
    return 2 * _RADIUS * asin(sqrt(min(chord, 1)))
