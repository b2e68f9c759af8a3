"""What looks like a broken export: reasons to refuse a load, unless somebody says that it is right."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from statistics import median

from loaders.profiles.thresholds import BoundingBox, Thresholds
from loaders.publishing.plan import Plan
from loaders.readers.result import SourceLocation

# Enough to see what is wrong with an export.
_EXAMPLES = 10

Location = tuple[int, float, float]


@dataclass(frozen=True)
class Refusal:
    """A reason to refuse a load, with the file and the place that it is about if it is about one."""

    reason: str
    file: str | None = None
    place: SourceLocation | None = None

    def __str__(self) -> str:
        """Return one line for a person."""
        return self.reason if self.file is None else f"{self.file}, {self.place}: {self.reason}"


def refusals(plan: Plan, limits: Thresholds) -> list[Refusal]:
    """Return the reasons to refuse what a plan changes: much is lost, or a date that had items would have none."""
    return [Refusal(reason) for reason in (*_lost_documents(plan, limits), *_lost_items(plan, limits))]


def misplaced(
    locations: Iterable[Location],
    places: dict[int, tuple[str, SourceLocation]],
    live: BoundingBox | None,
    limits: Thresholds,
) -> list[Refusal]:
    """Return the buildings (id, latitude, longitude) outside the usual area of the data set.

    That is the profile's area, or that of the live buildings, or before a first load that around the buildings
    themselves.
    """
    locations = list(locations)
    south, west, north, east = limits.bounding_box or _around(live or _middle(locations), limits.bounding_box_margin)
    outside = [place for place in locations if not (south <= place[1] <= north and west <= place[2] <= east)]
    found = []
    for id_, latitude, longitude in outside:
        swapped = south <= longitude <= north and west <= latitude <= east
        reason = f"building {id_} lies at {latitude:.5f}, {longitude:.5f}, outside the usual area"
        reason += f" ({south:.2f} to {north:.2f}, {west:.2f} to {east:.2f})"
        found.append(Refusal(reason + ": latitude and longitude are swapped" * swapped, *places[id_]))
    return _some(found, "buildings outside the usual area")


def long_gaps(days: list[str], limits: Thresholds) -> list[Refusal]:
    """Return the gaps between the dates of an export, sorted, that are too long to be closed days."""
    found = []
    for before, after in zip(days, days[1:], strict=False):
        closed = (date.fromisoformat(after) - date.fromisoformat(before)).days - 1
        if closed > limits.max_gap_days:
            found.append(Refusal(f"{closed} days without items between {before} and {after}: is one of them wrong?"))
    return _some(found, "long gaps")


def _lost_documents(plan: Plan, limits: Thresholds) -> Iterator[str]:
    # Loads of dining remove nothing but what a load that died has added.
    for name, difference in plan.differences.items() if plan.dataset == "buildings" else ():
        live = difference.changed + difference.removed + difference.unchanged
        if difference.removed > limits.max_removed_ratio * live:
            yield f"{name} would lose {_share(difference.removed, live)} of {live}"


def _lost_items(plan: Plan, limits: Thresholds) -> Iterator[str]:
    before, after = plan.items
    if before - after > limits.max_lost_items_ratio * before:
        yield f"the menus of these dates would lose {_share(before - after, before)} of {before} items"
    emptied = [f"{day} had items and would have none" for day in plan.emptied]
    yield from emptied[:_EXAMPLES]
    if len(emptied) > _EXAMPLES:
        yield f"and {len(emptied) - _EXAMPLES} more dates that had items and would have none"


def _share(part: int, whole: int) -> str:
    return f"{part} ({part / whole:.0%})"


def _around(area: BoundingBox, margin: float) -> BoundingBox:
    south, west, north, east = area
    return south - margin, west - margin, north + margin, east + margin


def _middle(locations: list[Location]) -> BoundingBox:
    latitude = median(latitude for _, latitude, _ in locations)
    longitude = median(longitude for _, _, longitude in locations)
    return latitude, longitude, latitude, longitude


def _some(found: list[Refusal], what: str) -> list[Refusal]:
    more = len(found) - _EXAMPLES
    return found[:_EXAMPLES] + [Refusal(f"and {more} more {what}")] * (more > 0)
