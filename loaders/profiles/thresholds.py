"""Thresholds beyond which a load looks like a broken export."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

_RATIOS = ("lost_documents", "lost_items")
_MAX_NUMBER = 10**9

BoundingBox = tuple[float, float, float, float]


@dataclass(frozen=True)
class Thresholds:
    """Thresholds of the safety checks, as the table [limits] of a profile names them.

    `lost_documents` and `lost_items` are ratios of the live data. `closed_days` is the longest run of dates without
    items inside an export. `area` is (south, west, north, east) in degrees; None means the bounding box of the live
    buildings, expanded by `area_margin` degrees.
    """

    lost_documents: float = 0.3
    lost_items: float = 0.3
    closed_days: int = 100
    area: BoundingBox | None = None
    area_margin: float = 0.5


def parse_thresholds(table: Mapping[str, Any]) -> Thresholds:
    """Return the thresholds of a profile's [limits] table; ValueError names the invalid key."""
    for key, value in table.items():
        _validate(key, value)
    area = {"area": tuple(table["area"])} if "area" in table else {}
    return Thresholds(**{**table, **area})


def combine_thresholds(profiles: Sequence[Thresholds]) -> Thresholds:
    """Return the thresholds of several profiles: the lowest ratios and numbers, and one area around all areas."""
    boxes = [each.area for each in profiles if each.area]
    return replace(
        profiles[0],
        lost_documents=min(each.lost_documents for each in profiles),
        lost_items=min(each.lost_items for each in profiles),
        closed_days=min(each.closed_days for each in profiles),
        area=_enclosing_box(boxes) if len(boxes) == len(profiles) else None,
        area_margin=max(each.area_margin for each in profiles),
    )


def _validate(key: str, value: Any) -> None:
    if key == "area":
        is_valid, reason = _is_bounding_box(value), "is not [south, west, north, east] in degrees"
    elif key in _RATIOS:
        is_valid, reason = _is_number(value) and value <= 1, "is not a ratio from 0 to 1"
    else:
        is_valid, reason = _is_number(value), "is not a number of zero or more"
    if not is_valid:
        raise ValueError(f"limits.{key} {value!r} {reason}")


def _enclosing_box(boxes: Sequence[BoundingBox]) -> BoundingBox:
    souths, wests, norths, easts = zip(*boxes, strict=True)
    return min(souths), min(wests), max(norths), max(easts)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= _MAX_NUMBER


def _is_bounding_box(value: Any) -> bool:
    if not isinstance(value, list) or [type(each) in (int, float) for each in value] != [True] * 4:
        return False
    south, west, north, east = value
    return -90 <= south < north <= 90 and -180 <= west < east <= 180
