"""Serving hours: OpenStreetMap's opening_hours expressions, and the times of a date.

https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from opening_hours import OpeningHours, State

from campus_api.domain.models import HoursRow, MealHours

_MINUTE = timedelta(minutes=1)
# In minutes.
_DAY = 24 * 60
# Always, but not in "week 2-24/7", every seventh week.
ALWAYS = r"(?<![\d-])24/7(?!\d)"
_SPAN = re.compile(r"([01]?\d|2[0-3]):(\d\d) ?- ?(\d?\d):(\d\d)|" + ALWAYS)
# Hours of more than a year before are those of another year.
_MAX_AGE = timedelta(days=366)
# The years that opening_hours knows.
_FIRST_DATE = "1900-01-02"
_LAST_DATE = "9999-12-29"


class Serving(NamedTuple):
    """A meal that a location serves on a date (YYYY-MM-DD)."""

    date: str
    meal: int
    location: int


@lru_cache(maxsize=10_000)
def times(hours: MealHours, date: str) -> list[tuple[str, str]]:
    """Return when a meal opens and closes on a date of its `period`, as local HH:MM.

    A time of closing that is not later than that of opening is on the next day.
    """
    day = datetime.fromisoformat(date)
    today = _intervals(hours.expression, hours.country, day)
    yesterday = _intervals(hours.expression, hours.country, day - timedelta(days=1))
    # Not what a rule closes until midnight: "17:00-26:00; PH 20:00-24:00 off". One of over a day goes on at midnight.
    own = [(opens, _DAY if closes - opens > _DAY else closes) for opens, closes in today if opens < _DAY]
    rest = [(0, closes - _DAY) for opens, closes in yesterday if closes - opens > _DAY]
    return [(_clock(opens), _clock(closes)) for opens, closes in _without_overlaps(rest + own)]


def _without_overlaps(spans: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Join sorted spans; one over midnight ends those before it, as both together may be longer than a day."""
    joined: list[tuple[int, int]] = []
    for opens, closes in spans:
        start, end = joined.pop() if joined and opens <= joined[-1][1] else (opens, closes)
        if start < opens and closes > _DAY:
            joined += [(start, opens), (opens, closes)]
        else:
            joined.append((start, max(end, closes)))
    return joined


def format_period(opens: str, closes: str) -> str:
    """Return when a meal is served as people in the United States write it: "7:30 AM–2:00 PM"."""
    return f"{format_time(opens)}–{format_time(closes)}"


def spans(rows: Iterable[HoursRow]) -> dict[Serving, list[tuple[str, str]]]:
    """Return when meals open and close, as YYYY-MM-DDTHH:MM."""
    by_serving: dict[Serving, list[tuple[str, str]]] = defaultdict(list)
    for row in rows:
        days = 0 if row.closes > row.opens else 1
        closes = datetime.fromisoformat(f"{row.date}T{row.closes}") + timedelta(days)
        opens = f"{row.date}T{row.opens}"
        serving = Serving(row.date, row.meal, row.location)
        by_serving[serving].append((opens, f"{closes:%Y-%m-%dT%H:%M}"))
    return by_serving


def format_time(time: str) -> str:
    """Return HH:MM as "2:00 PM"."""
    hour, minute = time.split(":")
    return f"{int(hour) % 12 or 12}:{minute} {'AM' if int(hour) < 12 else 'PM'}"


def period(hours: MealHours, loaded: str) -> tuple[str, str]:
    """Return the first and the last date on which hours hold.

    The first is a year before the last one or before the date of the load, whichever is earlier.
    """
    last = datetime.fromisoformat(max(min(hours.until, loaded), _FIRST_DATE)).date()
    return max(f"{last - _MAX_AGE}", _FIRST_DATE), min(hours.until, _LAST_DATE)


@lru_cache(maxsize=1024)
def _day_rules(expression: str, country: str | None) -> tuple[list[int], OpeningHours]:
    """Return all times of an expression, sorted, and its rules, in which each time is its place among these.

    opening_hours evaluates hours after midnight by the rules of the next date. So it gets the place of each time, as
    minutes after midnight: 17:00-26:00 is 00:00-00:01.
    """
    ends = sorted({time for match in _SPAN.finditer(expression) for time in _span(match)})

    def places(match: re.Match[str]) -> str:
        return "-".join(_clock(ends.index(time)) for time in _span(match))

    return ends, OpeningHours(_SPAN.sub(places, expression), country=country)


# A year of ten locations, which often have the same hours.
@lru_cache(maxsize=10_000)
def _intervals(expression: str, country: str | None, day: datetime) -> list[tuple[int, int]]:
    """Return when a meal opens and closes by the rules of a date, in minutes from its midnight."""
    ends, rules = _day_rules(expression, country)
    return [
        (ends[(start - day) // _MINUTE], ends[(end - day) // _MINUTE])
        for start, end, state, _ in rules.intervals(day, day + timedelta(days=1))
        if state == State.OPEN
    ]


def _span(match: re.Match[str]) -> tuple[int, int]:
    """Return the start and the end of a span of time in minutes from midnight."""
    if match[0] == "24/7":
        return 0, _DAY
    first_hour, first_minute, last_hour, last_minute = map(int, match.groups())
    start = first_hour * 60 + first_minute
    end = last_hour * 60 + last_minute
    return start, end if end > start else end + _DAY


def _clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"
