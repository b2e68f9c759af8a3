"""The rule about menus: of the usual items of each hall and meal on each date, an export must not lack too many."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from operator import itemgetter
from statistics import median_low
from typing import NamedTuple

from campus_api.domain.models import meal_name
from loaders.documents.encode import Document
from loaders.text import pluralize

Items = list[Document]
# Numbers of different values, by part, hall and meal.
Counts = Counter[tuple[str, int, int]]

_PARTS = {
    "items": itemgetter("category", "recipe"),
    "dishes": itemgetter("recipe"),
    "categories": itemgetter("category"),
}
_LIVE = "the menus of these dates"
# The ratio of a group that an export may lack; others are in the profile.
_LIMIT = 0.5
# A summer term has fewer halls.
_LIMIT_OF_HALLS = 0.8
_HINTS = {"hall": ": load all halls together", "last date": ": is the file truncated?"}
# Fewer are never suspicious, but a hall of another file may have one date.
_MIN_LOST = 3


class Group(NamedTuple):
    """What is counted together: the kind has the limit, the subject and the noun are those of a message."""

    kind: str
    subject: str
    noun: str


class Loss(NamedTuple):
    """The usual number of a group, how many of these an export lacks, and the ratio of all items that it lacks."""

    group: Group
    usual: int
    lost: int
    overall: float

    @property
    def ratio(self) -> float:
        """Return the lost part of the usual number."""
        return self.lost / self.usual

    def __str__(self) -> str:
        """Return for example "2026-11-20 would lose 9 (90%) of 10 items"."""
        kind, subject, noun = self.group
        number = f"{self.usual:,} {noun}" if self.usual > 1 else f"1 {noun.removesuffix('s')}"
        return f"{subject} would lose {self.lost:,} ({self.ratio:.0%}) of {number}{_HINTS.get(kind, '')}"


# A group of a date, its usual number, and that of the export.
Compared = tuple[Group, int, int]


def sum_losses(compared: Iterable[Compared]) -> list[Loss]:
    """Return the loss of each group; more items of one date, hall or meal do not replace those of another one."""
    usual: Counter[Group] = Counter()
    lost: Counter[Group] = Counter()
    for group, number, exported in compared:
        usual[group] += number
        lost[group] += max(0, number - exported)
    # Without those of which there are none.
    numbers = +usual
    overall = max((lost[group] / numbers[group] for group in numbers if group.kind == "items"), default=0)
    return [Loss(group, number, lost[group], overall) for group, number in numbers.items()]


def excessive_losses(losses: Iterable[Loss], max_ratio: float) -> Iterator[Loss]:
    """Yield the losses over their limits; those of a part of the items only if it lost more than all items did."""
    limits = {"halls": _LIMIT_OF_HALLS, "items": max_ratio, "last date": max_ratio}
    for loss in losses:
        kind = loss.group.kind
        is_worse = loss.ratio > loss.overall or kind in ("items", "hall")
        if loss.ratio > limits.get(kind, _LIMIT) and is_worse and (loss.lost >= _MIN_LOST or kind == "hall"):
            yield loss


def compare_live_dates(
    menus: Mapping[str, Document], live: Iterable[Document], halls: Mapping[int, str], last: str | None
) -> Iterator[Compared]:
    """Compare menus with the live ones of their dates; `last` is the last date of an export that ends too early."""
    for document in live:
        day, before = document["_id"], document["items"]
        after = menus[day]["items"]
        exported = _count_parts(after)
        for (part, hall, meal), number in _count_parts(before).items():
            groups = [Group(part, _LIVE, part)]
            if part == "items":
                groups.append(Group("last date" if day == last else "date", day, part))
                groups.append(Group("meal", meal_name(meal), part))
            yield from ((group, number, exported[part, hall, meal]) for group in groups)
        served, still_served = _served(before), _served(after)
        yield Group("recipes", _LIVE, "recipes"), len(served), len(served & still_served)
        lost_halls = _halls(before) - _halls(after)
        yield from ((Group("hall", name, "live dates"), 1, int(hall not in lost_halls)) for hall, name in halls.items())


def compare_new_dates(
    menus: Mapping[str, Document], days: list[str], live: Iterable[Document], since: str
) -> Iterator[Compared]:
    """Compare menus of new dates with those of live dates; a hall that serves nothing on a date may be closed."""
    subject = pluralize(len(days), "new date")
    counts = {document["_id"]: _count_parts(document["items"]) for document in live}
    for day in days:
        after, usual = menus[day]["items"], _usual_counts(counts, day, since)
        exported, halls = _count_parts(after), _halls(after)
        for (part, hall, meal), number in usual.items():
            groups = [Group(part, subject, f"usual {part}")]
            if part == "items":
                groups.append(Group("meal", subject, f"usual {meal_name(meal)} items"))
            if hall in halls:
                yield from ((group, number, exported[part, hall, meal]) for group in groups)
        yield Group("halls", subject, "usual halls"), len({hall for _, hall, _ in usual}), len(halls)


def _usual_counts(live: Mapping[str, Counts], day: str, since: str) -> Counts:
    """Return the medians of live dates of the same weekday, or what the last one has if that is less.

    The last one is a date from `since` on if there is any, of another weekday if need be.
    """
    same = [each for each in live if _weekday(each) == _weekday(day)]
    if not same:
        return Counter()
    recent = [each for each in live if each >= since]
    last = max([each for each in same if each >= since] or recent or same)
    medians = {key: median_low(live[each][key] for each in same) for key in live[last]}
    return +Counter({key: min(number, medians[key]) for key, number in live[last].items()})


def _count_parts(items: Items) -> Counts:
    """Return the numbers of items of each hall and meal, and of different dishes and categories."""
    keys = dict.fromkeys(
        (part, item["location"], item["meal"], value(item)) for part, value in _PARTS.items() for item in items
    )
    return Counter(key[:3] for key in keys)


def _served(items: Items) -> set[tuple[int, ...]]:
    return {(item["meal"], item["location"], item["recipe"]) for item in items}


def _halls(items: Items) -> set[int]:
    return {item["location"] for item in items}


def _weekday(day: str) -> int:
    return date.fromisoformat(day).weekday()
