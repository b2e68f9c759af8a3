"""How much a load may change before it looks like a broken export."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_SHARES = ("lost_documents", "lost_items")
_LARGEST = 10**9

Area = tuple[float, float, float, float]


@dataclass(frozen=True)
class Limits:
    """Beyond which a load looks like a broken export and is refused.

    `lost_documents` and `lost_items` are shares of what is live, `closed_days` is how long the longest gap between
    the dates of an export may be, `area` is south, west, north, east in degrees, None for the area of what is live
    with `area_margin` degrees around it.
    """

    lost_documents: float = 0.3
    lost_items: float = 0.3
    closed_days: int = 100
    area: Area | None = None
    area_margin: float = 0.5


def limits_of(table: Mapping[str, Any]) -> Limits:
    """Return the limits that the table of a profile gives; ValueError names the key that is wrong."""
    for key, value in table.items():
        numbers = value if isinstance(value, list) else [value]
        if not all(type(number) in (int, float) and abs(number) <= _LARGEST for number in numbers):
            raise ValueError(f"{key} {value!r} is not written in numbers")
        if key == "area" and not _is_area(value):
            raise ValueError(f"area {value!r} is not [south, west, north, east] in degrees")
        if key != "area" and (isinstance(value, list) or value < 0):
            raise ValueError(f"{key} {value!r} is not a number of zero or more")
        if key in _SHARES and value > 1:
            raise ValueError(f"{key} {value!r} is not a share from 0 to 1")
    return Limits(**{key: tuple(value) if key == "area" else value for key, value in table.items()})


def _is_area(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 4:
        return False
    south, west, north, east = value
    return -90 <= south < north <= 90 and -180 <= west < east <= 180
