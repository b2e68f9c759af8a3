"""The meal that is served at a moment, or else the next one, and the order of the locations that serve it."""

from bisect import bisect
from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import date as calendar_date
from typing import NamedTuple

from campus_api.domain.hours import Serving, format_time, spans
from campus_api.domain.models import HoursRow
from campus_api.domain.text import capitalize

# When breakfast, lunch, dinner and other meals begin, where no hours are known, and when the day ends.
USUAL = ("00:00", "10:00", "15:00", "24:00", "24:00")
# Of the locations that serve a meal, in their order.
_STATES = ("open", "later", "unknown", "closed")
_DAYS_OF_WEEK = 7


class Opening(NamedTuple):
    """When a location serves a meal, as YYYY-MM-DDTHH:MM: as others do or as usual, unless that is known."""

    opens: str
    serving: Serving
    closes: str
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


def of_menus(served: Collection[Serving], hours: Sequence[HoursRow]) -> list[Opening]:
    """Return when locations serve the meals of menus, by their hours."""
    known = spans(hours)
    of_others: dict[tuple[str, int], list[tuple[str, str]]] = defaultdict(list)
    for serving, times in known.items():
        of_others[serving.date, serving.meal] += times
    last = {day: meal for day, meal, _ in sorted(served)}
    openings = []
    for serving in served:
        own = known.get(serving)
        assumed = of_others.get((serving.date, serving.meal)) or _usual(serving, last[serving.date])
        for opens, closes in own or assumed:
            openings.append(Opening(opens, serving, closes, own is not None))
    return openings


def _usual(serving: Serving, last: int) -> list[tuple[str, str]]:
    """Return when a meal is served on a day of unknown hours, the last one until midnight."""
    start = min(serving.meal, len(USUAL) - 2)
    end = -1 if serving.meal == last else start + 1
    return [(f"{serving.date}T{USUAL[start]}", f"{serving.date}T{USUAL[end]}")]


def now(openings: Sequence[Opening], minute: str) -> Now:
    """Return the meal of a minute (YYYY-MM-DDTHH:MM): of the first date that is still served, what opened last.

    Or else the next one, or the last one of the day.
    """
    served = [each for each in openings if each.opens <= minute < each.closes]
    first = min((each.serving.date for each in served), default=None)
    latest = max((each.opens for each in served if each.serving.date == first), default=None)
    # Of those that open at once, the first.
    current = [each for each in served if each.opens == latest]
    later = [each for each in openings if each.opens > minute]
    today = [each for each in openings if each.serving.date == minute[:10]]
    chosen = min(current or later or sorted(today, key=lambda each: each.closes)[-1:], default=None)
    date, meal = chosen.serving[:2] if chosen else (minute[:10], bisect(USUAL, minute[11:]) - 1)
    of_meal = [each for each in openings if each.serving[:2] == (date, meal)]
    known = [each.opens[11:] for each in of_meal if each.is_known and each.opens > minute]
    opens = None if current else min(known, default=None)
    changes = (time for each in openings for time in (each.opens, each.closes) if time > minute)
    until = min([*changes, f"{minute[:10]}T{USUAL[-1]}"])
    return Now(date, meal, opens, until, _locations(of_meal, minute))


def _locations(openings: Sequence[Opening], minute: str) -> dict[int, str]:
    """Return the states of locations: those that are open, then those that open next, of unknown hours, closed."""
    states: dict[int, str] = {}
    for each in sorted(openings, key=lambda each: _rank(each, minute)):
        states.setdefault(each.serving.location, _STATES[_rank(each, minute)[0]])
    return states


def _rank(opening: Opening, minute: str) -> tuple[int, str]:
    if not opening.is_known:
        return 2, ""
    if opening.opens > minute:
        return 1, opening.opens
    return (0 if minute < opening.closes else 3), ""


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
