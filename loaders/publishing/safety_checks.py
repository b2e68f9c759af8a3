"""Safety checks: what looks like a broken export stops a load unless its guard is overridden."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median

from campus_api.db.connection import BUILDINGS
from loaders.profiles.thresholds import BoundingBox, Thresholds
from loaders.publishing.plan import Plan
from loaders.readers.result import SourceLocation
from loaders.text import pluralize

REMOVED_BUILDINGS, OUTSIDE_AREA = "removed-buildings", "outside-area"
LOST_ITEMS, EMPTIED_DATES, DATE_GAPS = "lost-items", "emptied-dates", "date-gaps"
RENUMBERED_IDS, SWAPPED_FIELDS = "renumbered-ids", "swapped-fields"
LOST_VALUES, SAME_VALUES = "lost-values", "same-values"
SHRUNKEN_DATES, VANISHED_MEALS = "shrunken-dates", "vanished-meals"
IMPLAUSIBLE_DATES, SWAPPED_DATES = "implausible-dates", "swapped-dates"
MOVED_BUILDINGS, CONTRADICTING_MEALS = "moved-buildings", "contradicting-meals"
LOST_ALLERGENS = "lost-allergens"
GUARDS = (
    *(REMOVED_BUILDINGS, OUTSIDE_AREA, RENUMBERED_IDS, SWAPPED_FIELDS, LOST_VALUES, SAME_VALUES, MOVED_BUILDINGS),
    *(LOST_ITEMS, EMPTIED_DATES, SHRUNKEN_DATES, VANISHED_MEALS, LOST_ALLERGENS),
    *(DATE_GAPS, IMPLAUSIBLE_DATES, SWAPPED_DATES, CONTRADICTING_MEALS),
)

_MAX_EXAMPLES = 10
_FIRST_LOAD_MARGIN = 10.0
_NULL_ISLAND_DEGREES = 0.01

Point = tuple[int, float, float]


@dataclass(frozen=True)
class SafetyViolation:
    """The guard that stops a load and its reason, with the file and location of the record if it is about one."""

    guard: str
    reason: str
    file: str | None = None
    location: SourceLocation | None = None

    def __str__(self) -> str:
        """Return the file, the location and the reason in one line."""
        return self.reason if self.file is None else f"{self.file}, {self.location}: {self.reason}"


def lost_data(plan: Plan, thresholds: Thresholds) -> list[SafetyViolation]:
    """Return a violation if too many buildings or menu items are lost, and one for each date that loses all."""
    if plan.dataset == "buildings":
        return list(_removed_buildings(plan, thresholds))
    return [*_lost_items(plan, thresholds), *_emptied_dates(plan)]


def outside_area(
    points: Iterable[Point],
    locations: Mapping[int, tuple[str, SourceLocation]],
    live: BoundingBox | None,
    thresholds: Thresholds,
) -> list[SafetyViolation]:
    """Return a violation for each building (id, latitude, longitude) outside the usual area.

    The area is the bounding box of the profile, or that of the live buildings, expanded by the margin. Before the first
    load it is ten degrees around the median of all points: a large campus is possible, another continent is not.
    """
    points = list(points)
    if thresholds.bounding_box:
        box = thresholds.bounding_box
    elif live:
        box = _expand(live, thresholds.bounding_box_margin)
    else:
        box = _expand(_median_point(points), max(_FIRST_LOAD_MARGIN, thresholds.bounding_box_margin))
    violations = [
        SafetyViolation(OUTSIDE_AREA, _describe(point, box), *locations[point[0]])
        for point in points
        if _is_null_island(point) or not _contains(box, *point[1:])
    ]
    return shorten(violations, "building outside the usual area", "buildings outside the usual area")


def far_from_most(points: Iterable[Point], thresholds: Thresholds) -> list[int]:
    """Return the ids of the buildings that are further from the median of all points than the margin."""
    points = list(points)
    box = _expand(_median_point(points), thresholds.bounding_box_margin)
    return [id_ for id_, *position in points if not _contains(box, *position)]


def date_gaps(days: Sequence[str], thresholds: Thresholds) -> list[SafetyViolation]:
    """Return a violation for each gap between the sorted dates of an export that is too long for closed days."""
    violations = []
    for before, after in zip(days, days[1:], strict=False):
        gap = (date.fromisoformat(after) - date.fromisoformat(before)).days - 1
        if gap > thresholds.max_gap_days:
            reason = f"{gap} days without items between {before} and {after}: is one of them wrong?"
            violations.append(SafetyViolation(DATE_GAPS, reason))
    return shorten(violations, "long gap", "long gaps")


def _removed_buildings(plan: Plan, thresholds: Thresholds) -> Iterator[SafetyViolation]:
    diff = plan.differences[BUILDINGS]
    live = diff.changed + diff.removed + diff.unchanged
    if diff.removed > thresholds.max_removed_ratio * live:
        yield SafetyViolation(REMOVED_BUILDINGS, f"buildings would lose {_format_ratio(diff.removed, live)} of {live}")


def _lost_items(plan: Plan, thresholds: Thresholds) -> Iterator[SafetyViolation]:
    before, after = plan.item_counts
    if before - after > thresholds.max_lost_items_ratio * before:
        lost = _format_ratio(before - after, before)
        yield SafetyViolation(LOST_ITEMS, f"the menus of these dates would lose {lost} of {before} items")


def _emptied_dates(plan: Plan) -> list[SafetyViolation]:
    reasons = [f"{day} had items and would have none" for day in plan.emptied_dates]
    violations = [SafetyViolation(EMPTIED_DATES, reason) for reason in reasons]
    return shorten(violations, "date that is emptied", "dates that are emptied")


def _describe(point: Point, box: BoundingBox) -> str:
    id_, latitude, longitude = point
    south, west, north, east = box
    if _is_null_island(point):
        return f"building {id_} lies at 0, 0: its position is unknown"
    area = f"({south:.2f} to {north:.2f}, {west:.2f} to {east:.2f})"
    reason = f"building {id_} lies at {latitude:.5f}, {longitude:.5f}, outside the usual area {area}"
    is_swapped = _contains(box, longitude, latitude)
    return f"{reason}: latitude and longitude are swapped" if is_swapped else reason


def _is_null_island(point: Point) -> bool:
    return max(map(abs, point[1:])) < _NULL_ISLAND_DEGREES


def _contains(box: BoundingBox, latitude: float, longitude: float) -> bool:
    south, west, north, east = box
    return south <= latitude <= north and west <= longitude <= east


def _expand(box: BoundingBox, margin: float) -> BoundingBox:
    south, west, north, east = box
    return south - margin, west - margin, north + margin, east + margin


def _median_point(points: Sequence[Point]) -> BoundingBox:
    latitude = median(latitude for _, latitude, _ in points)
    longitude = median(longitude for _, _, longitude in points)
    return latitude, longitude, latitude, longitude


def _format_ratio(part: int, whole: int) -> str:
    return f"{part} ({part / whole:.0%})"


def shorten(violations: list[SafetyViolation], singular: str, plural: str) -> list[SafetyViolation]:
    """Return the first violations, and one with the number of the others."""
    if len(violations) <= _MAX_EXAMPLES:
        return violations
    more = pluralize(len(violations) - _MAX_EXAMPLES, f"more {singular}", f"more {plural}")
    return [*violations[:_MAX_EXAMPLES], SafetyViolation(violations[0].guard, f"and {more}")]
