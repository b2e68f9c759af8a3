"""What a file says of positions -> checked positions and closed rings, of two numbers each."""

import sys
from typing import Any

from campus_api.models import Position
from loaders.errors import InvalidValue

# Three corners, and the first of them again.
_SHORTEST_RING = 4
_LARGEST = sys.float_info.max

Ring = tuple[Position, ...]


def require_list(what: str, value: object) -> list[Any]:
    """Return a list that is not empty; InvalidValue says of `what` it should be."""
    if not isinstance(value, list) or not value:
        raise InvalidValue("geometry", value, f"is not a list of {what}")
    return value


def parse_ring(axes: str, value: object) -> Ring:
    """Return the positions of a ring, the last equal to the first; InvalidValue when it cannot have an area."""
    ring = tuple([parse_position(axes, position) for position in require_list("positions", value)])
    closed = ring if ring[0] == ring[-1] else (*ring, ring[0])
    if len(closed) < _SHORTEST_RING:
        raise InvalidValue("geometry", value, "is a ring of fewer than three corners")
    return closed


def parse_position(axes: str, value: object) -> Position:
    """Return two numbers, "an x and a y" or what else the `axes` are; all after them is left out."""
    if type(value) is list and len(value) > 1 and type(value[0]) is type(value[1]) is float:
        x, y = value[:2]
        if -_LARGEST <= x <= _LARGEST and -_LARGEST <= y <= _LARGEST:
            return x, y
    numbers = require_list("coordinates", value)
    if len(numbers) < 2 or not (_is_number(numbers[0]) and _is_number(numbers[1])):
        raise InvalidValue("geometry", value, f"is not {axes}")
    return float(numbers[0]), float(numbers[1])


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and abs(value) <= _LARGEST
