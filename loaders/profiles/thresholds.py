"""Thresholds beyond which a load looks like a broken export."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

# The keys of the table [limits] in a profile, and the fields they set.
TOML_KEYS = {
    "lost_documents": "max_removed_ratio",
    "lost_items": "max_lost_items_ratio",
    "closed_days": "max_gap_days",
    "area": "bounding_box",
    "area_margin": "bounding_box_margin",
}
_RATIOS = ("lost_documents", "lost_items")
_MAX_NUMBER = 10**9

BoundingBox = tuple[float, float, float, float]


@dataclass(frozen=True)
class Thresholds:
    """Thresholds of the safety checks.

    Ratios are relative to the live data. `max_gap_days` is the longest run of dates without items inside an export.
    `bounding_box` is (south, west, north, east) in degrees; None means the bounding box of the live buildings,
    expanded by `bounding_box_margin` degrees.
    """

    max_removed_ratio: float = 0.3
    max_lost_items_ratio: float = 0.3
    max_gap_days: int = 100
    bounding_box: BoundingBox | None = None
    bounding_box_margin: float = 0.5


def parse_thresholds(table: Mapping[str, Any]) -> Thresholds:
    """Return the thresholds of a profile's [limits] table; ValueError names the invalid key."""
    for key, value in table.items():
        _validate(key, value)
    values = {TOML_KEYS[key]: value for key, value in table.items()}
    if "area" in table:
        values["bounding_box"] = tuple(table["area"])
    return Thresholds(**values)


def combine_thresholds(profiles: Sequence[Thresholds]) -> Thresholds:
    """Return the thresholds for the buildings of several profiles: the lowest ratio, and one area around all areas."""
    boxes = [each.bounding_box for each in profiles if each.bounding_box]
    return replace(
        profiles[0],
        max_removed_ratio=min(each.max_removed_ratio for each in profiles),
        bounding_box=_enclosing_box(boxes) if len(boxes) == len(profiles) else None,
        bounding_box_margin=max(each.bounding_box_margin for each in profiles),
    )


def _validate(key: str, value: Any) -> None:
    numbers = value if isinstance(value, list) else [value]
    if not all(type(number) in (int, float) and abs(number) <= _MAX_NUMBER for number in numbers):
        raise ValueError(f"{key} {value!r} is not numeric")
    if key == "area":
        if not _is_bounding_box(value):
            raise ValueError(f"area {value!r} is not [south, west, north, east] in degrees")
    elif isinstance(value, list) or value < 0:
        raise ValueError(f"{key} {value!r} is not a number of zero or more")
    elif key in _RATIOS and value > 1:
        raise ValueError(f"{key} {value!r} is not a ratio from 0 to 1")


def _enclosing_box(boxes: Sequence[BoundingBox]) -> BoundingBox:
    souths, wests, norths, easts = zip(*boxes, strict=True)
    return min(souths), min(wests), max(norths), max(easts)


def _is_bounding_box(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 4:
        return False
    south, west, north, east = value
    return -90 <= south < north <= 90 and -180 <= west < east <= 180
