"""Coordinate arrays: parsing into positions and closed rings, and their bounding box."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from campus_api.domain.models import Position
from loaders.errors import InvalidValue

# Three corners and the first one again.
_MIN_RING_LENGTH = 4
_MAX_FLOAT = sys.float_info.max
# No campus lies south of it.
ANTARCTIC_LATITUDE = -60

Ring = tuple[Position, ...]


def require_list(items: str, value: object) -> list[Any]:
    """Return a non-empty list; InvalidValue names the expected `items`."""
    if not isinstance(value, list) or not value:
        raise InvalidValue("geometry", value, f"is not a list of {items}")
    return value


def parse_ring(axes: str, value: object) -> Ring:
    """Return the positions of a ring, closed if it was open; InvalidValue if it has fewer than three corners."""
    ring = tuple([parse_position(axes, position) for position in require_list("positions", value)])
    closed = ring if ring[0] == ring[-1] else (*ring, ring[0])
    if len(closed) < _MIN_RING_LENGTH:
        raise InvalidValue("geometry", value, "is a ring of fewer than three corners")
    return closed


def parse_position(axes: str, value: object) -> Position:
    """Return the first two numbers; InvalidValue if they are not finite numbers.

    `axes` names them in the error, as in "an x and a y". Further numbers, such as heights, are ignored.
    """
    numbers = require_list("coordinates", value)
    if len(numbers) < 2 or not (_is_number(numbers[0]) and _is_number(numbers[1])):
        raise InvalidValue("geometry", value, f"is not {axes}")
    return float(numbers[0]), float(numbers[1])


def bounding_box(positions: Iterable[Sequence[float]]) -> tuple[float, float, float, float]:
    """Return the (south, west, north, east) of positions in latitude, longitude."""
    latitudes, longitudes = zip(*positions, strict=True)
    return min(latitudes), min(longitudes), max(latitudes), max(longitudes)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= _MAX_FLOAT
