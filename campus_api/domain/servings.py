"""The meal that is served at a moment, or else the next one, and the order of the locations that serve it."""

from bisect import bisect
from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import date as calendar_date
from operator import attrgetter
from typing import NamedTuple

from campus_api.domain.hours import format_time, spans
from campus_api.domain.models import HoursRow
from campus_api.domain.text import capitalize

# When breakfast, lunch, dinner and other meals begin, where no hours are known, and when the day ends.
USUAL = ("00:00", "10:00", "15:00", "24:00", "24:00")
# Of the locations that serve a meal, in their order.
_STATES = ("open", "later", "unknown", "closed")
_DAYS_OF_WEEK = 7


class Serving(NamedTuple):
    """When a location serves a meal, as YYYY-MM-DDTHH:MM: as others do or as usual, unless that is known."""

    opens: str
    date: str
    meal: int
    closes: str
    location: int
    is_known: bool


class Now(NamedTuple):
    """A meal, and the states of the locations that serve it, in their order.

    `opens` is HH:MM, None while the meal is served or if it is unknown; `until` is when any of this changes.
    """

    date: str
    meal: int
    opens: str | None
    until: str
    locations: dict[int, str]


def of_menus(served: Collection[tuple[str, int, int]], hours: Sequence[HoursRow]) -> list[Serving]:
    """Return when locations serve meals, from the dates, meals and locations of menus, and from the hours."""
    known = spans(hours)
    of_others: dict[tuple[str, int], list[tuple[str, str]]] = defaultdict(list)
    for (day, meal, _), times in known.items():
        of_others[day, meal] += times
    last = {day: meal for day, meal, _ in sorted(served)}
    servings = []
    for day, meal, location in served:
        own = known.get((day, meal, location))
        for opens, closes in own or of_others.get((day, meal)) or _usual(day, meal, last[day]):
            servings.append(Serving(opens, day, meal, closes, location, own is not None))
    return servings


def _usual(day: str, meal: int, last: int) -> list[tuple[str, str]]:
    """Return when a meal is served on a day of unknown hours, the last one until midnight."""
    start = min(meal, len(USUAL) - 2)
    return [(f"{day}T{USUAL[start]}", f"{day}T{USUAL[-1 if meal == last else start + 1]}")]


def now(servings: Sequence[Serving], minute: str) -> Now:
    """Return the meal of a minute (YYYY-MM-DDTHH:MM): of the first date that is still served, what opened last.

    Or else the next one, or the last one of the day.
    """
    served = [each for each in servings if each.opens <= minute < each.closes]
    first = min((each.date for each in served), default=None)
    latest = max((each.opens for each in served if each.date == first), default=None)
    # Of those that open at once, the first.
    current = [each for each in served if (each.date, each.opens) == (first, latest)]
    later = [each for each in servings if each.opens > minute]
    today = sorted((each for each in servings if each.date == minute[:10]), key=attrgetter("closes"))
    usual = minute[:10], bisect(USUAL, minute[11:]) - 1
    chosen = min(current or later or today[-1:], default=None)
    date, meal = (chosen.date, chosen.meal) if chosen else usual
    of_meal = [each for each in servings if (each.date, each.meal) == (date, meal)]
    known = [each.opens for each in of_meal if each.is_known and each.opens > minute]
    opens = "" if current else min(known, default="")
    changes = (time for each in servings for time in (each.opens, each.closes) if time > minute)
    until = min([*changes, f"{minute[:10]}T{USUAL[-1]}"])
    return Now(date, meal, opens[11:] or None, until, _locations(of_meal, minute))


def _locations(servings: Sequence[Serving], minute: str) -> dict[int, str]:
    """Return the states of locations: those that are open, then those that open next, of unknown hours, closed."""
    ranks: dict[int, tuple[int, str]] = {}
    for each in servings:
        rank = _rank(each, minute)
        ranks[each.location] = min(rank, ranks.get(each.location, rank))
    return {id_: _STATES[ranks[id_][0]] for id_ in sorted(ranks, key=ranks.__getitem__)}


def _rank(serving: Serving, minute: str) -> tuple[int, str]:
    if not serving.is_known:
        return 2, ""
    if serving.opens > minute:
        return 1, serving.opens
    return (0 if minute < serving.closes else 3), ""


def relative_day(date: str, today: str) -> str:
    """Return "yesterday", "today" or "tomorrow", "Monday" of the days ahead, and "Monday, November 30" of others."""
    day = calendar_date.fromisoformat(date)
    ahead = (day - calendar_date.fromisoformat(today)).days
    weekday = f"{day:%A}" if 1 < ahead < _DAYS_OF_WEEK else f"{day:%A, %B} {day.day}"
    return {-1: "yesterday", 0: "today", 1: "tomorrow"}.get(ahead, weekday)


def week(date: str, today: str) -> list[calendar_date]:
    """Return the week with a date: today and six days ahead, or a week before or after these; no year 0 or 10000."""
    day, start = (calendar_date.fromisoformat(each).toordinal() for each in (date, today))
    first = day - (day - start) % _DAYS_OF_WEEK
    last = min(first + _DAYS_OF_WEEK - 1, calendar_date.max.toordinal())
    return [calendar_date.fromordinal(each) for each in range(max(first, 1), last + 1)]


def describe(date: str, name: str, opens: str | None, today: str) -> str:
    """Return "Dinner today, Friday, November 20", "Lunch tomorrow, from 11:30 AM" or "Monday, lunch, from 11:30 AM"."""
    day, relative = calendar_date.fromisoformat(date), relative_day(date, today)
    start = f"from {format_time(opens)}" if opens else ""
    if relative.islower():
        return f"{capitalize(name)} {relative}, {start or f'{day:%A, %B} {day.day}'}"
    return ", ".join(filter(None, (relative, name, start)))
