"""Serving hours: OpenStreetMap's opening_hours expressions, and the times of a date.

https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache

from opening_hours import OpeningHours, ParserError, State, UnknownCountryError  # type: ignore[attr-defined]

from campus_api.domain.models import MealHours

_DAY = timedelta(days=1)
_COLUMN = re.compile(r"--> \d+:(\d+)")
# School holidays, the position of the sun, open ends, intervals, comments and fallbacks: none of them says when a meal
# is served, or not to a program that knows neither calendar nor position.
_UNSUPPORTED = re.compile(r'\b(?:SH|dawn|sunrise|sunset|dusk|unknown)\b|(?<=:\d\d)[+/]|\|\||"', re.IGNORECASE)
# A comma without a space is between the days or the times of one rule.
_RULE = re.compile(r"(?:[^\s;,]|,(?!\s))(?:[^;,]|,(?!\s))*")
# But not in "week 2-24/7", every seventh week.
_ALWAYS = r"(?<![\d-])24/7(?!\d)"
# What a rule without any of them says is open all day.
_TIME = re.compile(rf"\d:\d\d|{_ALWAYS}|\b(?:off|closed)\b", re.IGNORECASE)
_PUBLIC_HOLIDAY = re.compile(r"\bPH\b", re.IGNORECASE)
# Hours of more than a year before the date until which they hold are those of another year.
_MAX_AGE = timedelta(days=366)
# The years that opening_hours knows.
_FIRST_DATE, _LAST_DATE = "1900-01-02", "9999-12-29"


def check_expression(expression: str, country: str | None) -> None:
    """Raise ValueError, whose message is the reason, if an expression is no list of times."""
    try:
        _parse(expression, country)
    except ParserError as error:
        column = _COLUMN.search(str(error))
        where = f" from column {column[1]} on" if column else ""
        raise ValueError(f"is not in the syntax of opening_hours{where}") from None
    if unsupported := _UNSUPPORTED.search(expression):
        raise ValueError(f"has {unsupported[0]} in column {unsupported.start() + 1}, which is not a time")
    if country is None and (holiday := _PUBLIC_HOLIDAY.search(expression)):
        raise ValueError(f"has PH in column {holiday.start() + 1}, but no country defines the public holidays")
    for rule in _RULE.finditer(expression):
        if not _TIME.search(rule[0]):
            raise ValueError(f"has {rule[0].rstrip()} in column {rule.start() + 1} without a time, off or 24/7")


def check_country(code: str) -> None:
    """Raise ValueError, whose message is the reason, if the public holidays of a country are not known."""
    try:
        OpeningHours("24/7", country=code)
    except UnknownCountryError:
        raise ValueError("is not the ISO 3166 code of a country with known public holidays, such as US") from None


def times(hours: MealHours, date: str) -> list[tuple[str, str]]:
    """Return when a meal opens and closes on a date, as local HH:MM.

    There are none after the date until which they hold, and over a year before it. A time of closing that is not later
    than that of opening is on the next day.
    """
    if not _FIRST_DATE <= date <= min(hours.until, _LAST_DATE):
        return []
    day = datetime.fromisoformat(date)
    if datetime.fromisoformat(hours.until) - day > _MAX_AGE:
        return []
    return [
        (f"{opens:%H:%M}", f"{closes:%H:%M}")
        for opens, closes in _servings(_parse(hours.expression, hours.country), day)
        if day <= opens < day + _DAY
    ]


def _servings(expression: OpeningHours, day: datetime) -> Iterator[tuple[datetime, datetime]]:
    """Yield when a meal opens and closes around a day; at midnights, too, if it is open for a day or longer."""
    for start, end, state, _ in expression.intervals(day - _DAY, day + 2 * _DAY):
        if state != State.OPEN:
            continue
        while end - start >= _DAY:
            midnight = start.replace(hour=0, minute=0) + _DAY
            yield start, midnight
            start = midnight
        if start < end:
            yield start, end


@lru_cache(maxsize=1024)
def _parse(expression: str, country: str | None) -> OpeningHours:
    return OpeningHours(expression, country=country)
