"""Safety checks: what looks like a broken export stops a load unless its guard is overridden.

Numbers may be right in an export whose ids, columns or dates are not, so the content is compared, too.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import chain, pairwise
from statistics import median

from campus_api.domain.building_fields import Building
from loaders.documents.changed_values import describe_changes
from loaders.documents.menu_counts import Loss, excessive_losses
from loaders.errors import DataWarning
from loaders.geo.coordinates import ANTARCTIC_LATITUDE, bounding_box
from loaders.profiles import normalize_code
from loaders.profiles.building_ids import fold_entity_name
from loaders.profiles.thresholds import BoundingBox, Thresholds
from loaders.publishing.diff import CollectionDiff
from loaders.result import CONTRADICTS, DiningRead, ReadResult, SourceLocation
from loaders.text import pluralize

# The id of a building and the south, west, north and east of its bounding box.
Extent = tuple[int, float, float, float, float]
ALL_GUARDS = "all"

_MAX_EXAMPLES = 10
_FIRST_LOAD_MARGIN = 10.0
# Fewer changes of a kind are never suspicious.
_MIN_COUNT = 3
_MAX_CHANGED_RATIO = 0.3
_MAX_LOST_RATIO = 0.5
_EXAMPLES = 3
_MAX_TRUNCATED_RATIO = 0.2
_FIRST_YEAR, _YEARS_AHEAD = 2000, 2


class Guard(StrEnum):
    """The checks that stop a load unless they are overridden."""

    REMOVED_BUILDINGS = "removed-buildings"
    OUTSIDE_AREA = "outside-area"
    CHANGED_VALUES = "changed-values"
    NEW_IDS = "new-ids"
    LOST_ITEMS = "lost-items"
    IMPLAUSIBLE_DATES = "implausible-dates"
    CONTRADICTING_MEALS = "contradicting-meals"


@dataclass(frozen=True)
class SafetyViolation:
    """The guard that stops a load and its reason, with the file and location of the record if it is about one."""

    guard: Guard
    reason: str
    file: str | None = None
    location: SourceLocation | None = None

    def __str__(self) -> str:
        return self.reason if self.file is None else f"{self.file}, {self.location}: {self.reason}"


def shorten(violations: Sequence[SafetyViolation]) -> list[SafetyViolation]:
    """Return the first violations of each guard, and one with the number of its others."""
    shown = []
    for guard in dict.fromkeys(each.guard for each in violations):
        group = [each for each in violations if each.guard == guard]
        shown += group[:_MAX_EXAMPLES]
        if others := len(group[_MAX_EXAMPLES:]):
            shown.append(SafetyViolation(guard, f"and {others:,} more"))
    return shown


def building_extents(buildings: Iterable[Building]) -> list[Extent]:
    """Return the id and the bounding box of the point and the polygons of each building."""
    return [(each.id, *bounding_box([each.point, *chain.from_iterable(each.polygons)])) for each in buildings]


def outside_area(
    extents: Sequence[Extent],
    locations: Mapping[int, tuple[str, SourceLocation]],
    live: BoundingBox | None,
    thresholds: Thresholds,
) -> list[SafetyViolation]:
    """Return a violation for each building that is not wholly in the usual area.

    The area is the bounding box of the profile, or that of the live buildings, expanded by the margin. Before the first
    load it is ten degrees around the median of all buildings: a large campus is possible, another continent is not.
    Latitudes below -60 suggest swapped axes.
    """
    if thresholds.area:
        box = thresholds.area
    elif live:
        box = _expand(live, thresholds.area_margin)
    else:
        box = _expand(_median_point(extents), max(_FIRST_LOAD_MARGIN, thresholds.area_margin))
    return [
        SafetyViolation(Guard.OUTSIDE_AREA, _describe(id_, extent, box), *locations[id_])
        for id_, *extent in extents
        if not _contains(box, *extent) or (live is None and extent[0] < ANTARCTIC_LATITUDE)
    ]


def far_from_most(extents: Sequence[Extent], thresholds: Thresholds) -> list[int]:
    """Return the ids of the buildings that are further from the median of all buildings than the margin."""
    box = _expand(_median_point(extents), thresholds.area_margin)
    return [id_ for id_, *extent in extents if not _contains(box, *extent)]


def date_gaps(days: Sequence[str], thresholds: Thresholds) -> Iterator[SafetyViolation]:
    """Yield a violation for each gap between the sorted dates of an export that is too long for closed days."""
    for before, after in pairwise(days):
        gap = (date.fromisoformat(after) - date.fromisoformat(before)).days - 1
        if gap > thresholds.closed_days:
            reason = f"{gap} days without items between {before} and {after}: is one of them wrong?"
            yield SafetyViolation(Guard.IMPLAUSIBLE_DATES, reason)


def removed_buildings(diff: CollectionDiff, thresholds: Thresholds) -> Iterator[SafetyViolation]:
    """Yield a violation if too many buildings are lost."""
    live = diff.changed + diff.removed + diff.unchanged
    if diff.removed > thresholds.lost_documents * live:
        reason = f"buildings would lose {diff.removed} ({diff.removed / live:.0%}) of {live}"
        yield SafetyViolation(Guard.REMOVED_BUILDINGS, reason)


def lost_items(losses: Iterable[Loss], thresholds: Thresholds) -> list[SafetyViolation]:
    """Return a violation for each group of menu items that loses too many."""
    return [SafetyViolation(Guard.LOST_ITEMS, str(loss)) for loss in excessive_losses(losses, thresholds.lost_items)]


def _describe(id_: int, extent: Sequence[float], box: BoundingBox) -> str:
    south, west, north, east = extent
    position = f"building {id_} lies at {south:.5f}, {west:.5f}"
    if (south, west) != (north, east):
        position = f"building {id_} extends from {south:.5f}, {west:.5f} to {north:.5f}, {east:.5f}"
    if _contains(box, *extent):
        return f"{position}, in Antarctica: are latitude and longitude swapped?"
    reason = f"{position}, outside the usual area ({box[0]:.2f} to {box[2]:.2f}, {box[1]:.2f} to {box[3]:.2f})"
    is_swapped = _contains(box, west, south, east, north)
    return f"{reason}: latitude and longitude are swapped" if is_swapped else reason


def _contains(box: BoundingBox, south: float, west: float, north: float, east: float) -> bool:
    return box[0] <= south and box[1] <= west and north <= box[2] and east <= box[3]


def _expand(box: BoundingBox, margin: float) -> BoundingBox:
    south, west, north, east = box
    return south - margin, west - margin, north + margin, east + margin


def _median_point(extents: Sequence[Extent]) -> BoundingBox:
    latitude = median((south + north) / 2 for _, south, _, north, _ in extents)
    longitude = median((west + east) / 2 for _, _, west, _, east in extents)
    return latitude, longitude, latitude, longitude


def contradicting_meals(reading: DiningRead) -> Iterator[SafetyViolation]:
    """Yield a violation if the names of most meals are not those of their numbers."""
    warnings = [each for each in reading.warnings.values() if each.reason.startswith(CONTRADICTS)]
    rows, contradicting = len(reading.records) + reading.duplicates, sum(each.times for each in warnings)
    if contradicting >= _MIN_COUNT and contradicting > _MAX_LOST_RATIO * rows:
        examples = "; ".join(each.message for each in warnings[:_EXAMPLES])
        reason = f"{contradicting} of {rows} rows have another meal's name: {examples}"
        yield SafetyViolation(Guard.CONTRADICTING_MEALS, reason)


def implausible_dates(days: Sequence[str], today: date) -> Iterator[SafetyViolation]:
    """Yield violations for dates too far from today, and one if all are the same day of different months.

    Consecutive days in DD/MM that are read as MM/DD are.
    """
    dates = list(map(date.fromisoformat, days))
    for day in dates:
        if not _FIRST_YEAR <= day.year <= today.year + _YEARS_AHEAD:
            yield SafetyViolation(Guard.IMPLAUSIBLE_DATES, f"{day} is not a plausible date of a menu")
    if len(dates) >= _MIN_COUNT and len({day.day for day in dates}) == 1:
        reason = f"all dates are day {dates[0].day} of a month, from {dates[0]} to {dates[-1]}: is it DD/MM or MM/DD?"
        yield SafetyViolation(Guard.IMPLAUSIBLE_DATES, reason)


def changed_values(noun: str, diff: CollectionDiff) -> Iterator[SafetyViolation]:
    """Yield a violation for each field of which too many documents would have another value, or none."""
    for name, column in diff.columns.items():
        if len(column.changes) >= _MIN_COUNT and len(column.changes) > _MAX_CHANGED_RATIO * column.live:
            yield SafetyViolation(Guard.CHANGED_VALUES, describe_changes(diff.columns, name, noun))


def new_ids(noun: str, diff: CollectionDiff, live: int) -> Iterator[SafetyViolation]:
    """Yield a violation if most ids in an export are new, and most of the live ones are missing."""
    known = diff.changed + diff.unchanged
    if diff.added >= _MIN_COUNT and known < _MAX_LOST_RATIO * min(diff.added + known, live):
        examples = "; ".join([str(change) for change in diff.changes if change.action == "added"][:_EXAMPLES])
        reason = f"{diff.added} of {diff.added + known} {noun} would be new: {examples}"
        yield SafetyViolation(Guard.NEW_IDS, reason)


def reused_ids(
    provided: Mapping[tuple[str, int], Sequence[str]], assigned: Mapping[str, int]
) -> Iterator[SafetyViolation]:
    """Yield a violation if an export or a profile has ids that the database has assigned to others.

    `provided` are the names and codes of each id, by its kind.
    """
    texts = {id_: text for text, id_ in assigned.items()}
    reused = []
    for (kind, id_), names in provided.items():
        text = texts.get(id_, "")
        # A namespace may precede the kind.
        stored = f"/{text}".partition(f"/{kind}/")[2]
        if stored and normalize_code(stored) not in {normalize_code(fold_entity_name(each)) for each in names}:
            reused.append(f"{kind} {id_} {names[0]!r}, {text!r} in the database")
    if reused:
        reason = f"{len(reused)} ids of the export are assigned to others: {'; '.join(reused[:_EXAMPLES])}"
        advice = 'the profile needs a line such as namespace = "north", or other ids in its tables'
        yield SafetyViolation(Guard.NEW_IDS, f"{reason}; {advice}")


def id_table_lost(noun: str, reading: ReadResult, stored: Mapping[str, int]) -> Iterator[SafetyViolation]:
    """Yield a violation if ids are assigned to all texts of an export, those of live documents among them."""
    if reading.assigned_ids and not (stored or reading.restored_ids):
        reason = f"{pluralize(len(reading.assigned_ids), noun)} would get new ids: none are stored of the live ones"
        yield SafetyViolation(Guard.NEW_IDS, f"{reason}; a dump that has them restores them")


def truncated_file(locations: Mapping[str, Set[int]], new_dates: Container[str]) -> Iterator[DataWarning]:
    """Yield a warning if the last date of a file is new and has lost over 20 % of the halls of the date before it."""
    if len(locations) < 2:
        return
    before, last = sorted(locations)[-2:]
    number, lost = len(locations[before]), len(locations[before] - locations[last])
    if last in new_dates and lost > _MAX_TRUNCATED_RATIO * number:
        reason = f"has lost {lost} of the {number} halls of {before}, the date before it in the file: is it truncated?"
        yield DataWarning("date", last, reason)
