"""Halls of dining profiles: their buildings, their serving hours, and when these end."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from campus_api.domain import ids
from campus_api.domain.models import MEALS, LocationDetails, MealHours
from loaders.errors import DataWarning
from loaders.profiles import hours
from loaders.profiles.dining_settings import MAX_MEAL
from loaders.profiles.values import check_keys, parse_names, require_table, require_text, subtable

_MEALS = {name: meal for meal, name in MEALS.items()} | {str(meal): meal for meal in range(MAX_MEAL + 1)}
# By the id or the name of their location.
Halls = Mapping[int | str, LocationDetails]
_KEYS = {"aliases", "building", "hours", "hours_until"}
# Before the end of hours.
_WARNING_PERIOD = timedelta(days=14)


def parse_halls(table: Mapping[str, Any]) -> Halls:
    """Return the halls of a profile by the id or the name of the location; ValueError names the table and the meal."""
    country = _parse_country(table)
    halls: dict[int | str, LocationDetails] = {}
    for key, value in subtable(table, "halls").items():
        id_ = ids.from_path(key)
        if id_ in halls:
            raise ValueError(f"halls.{key} is twice the id of a location")
        halls[key if id_ is None else id_] = _parse_hall(f"halls.{key}", value, country)
    return halls


def ending_hours(halls: Halls, today: date) -> Iterator[DataWarning]:
    """Yield the halls whose hours are over, or will be within two weeks."""
    for id_, hall in halls.items():
        for until in sorted({each.until for each in hall.hours}):
            field, end = f"halls.{id_}.hours_until", date.fromisoformat(until)
            if end < today:
                yield DataWarning(field, until, "is over: /dining/hours has no times of this hall")
            elif end - today <= _WARNING_PERIOD:
                yield DataWarning(field, until, "is at most two weeks ahead: enter the hours after that date")


def _parse_country(table: Mapping[str, Any]) -> str | None:
    if "country" not in table:
        return None
    code = require_text("country", table["country"])
    try:
        hours.check_country(code)
    except ValueError as error:
        raise ValueError(f"country {code!r} {error}") from None
    return code


def _parse_hall(key: str, value: object, country: str | None) -> LocationDetails:
    table = require_table(key, value)
    check_keys(f"{key}.", table, _KEYS)
    building = table.get("building")
    if building is not None and (type(building) is not int or ids.from_path(str(building)) is None):
        raise ValueError(f"{key}.building {building!r} is not the id of a building")
    expressions = table.get("hours", {})
    if not isinstance(expressions, dict):
        raise ValueError(f'{key}.hours is not of the form {{lunch = "Mo-Fr 11:30-14:00"}}')
    aliases = parse_names(f"{key}.aliases", table.get("aliases", []))
    if not expressions:
        return LocationDetails(building, aliases=aliases)
    until = _parse_until(f"{key}.hours_until", table.get("hours_until"))
    parsed = [_parse_meal(f"{key}.hours.", meal, text, until, country) for meal, text in expressions.items()]
    if len({each.meal for each in parsed}) < len(parsed):
        raise ValueError(f"{key}.hours has a meal twice")
    return LocationDetails(building, tuple(sorted(parsed)), aliases)


def _parse_until(key: str, value: object) -> str:
    if value is None:
        raise ValueError(f"{key} is missing: the last date on which these hours hold, such as 2026-12-20")
    if type(value) is not date:
        raise ValueError(f"{key} {str(value)!r} is not a date such as 2026-12-20, without quotes")
    return value.isoformat()


def _parse_meal(prefix: str, meal: str, value: object, until: str, country: str | None) -> MealHours:
    if meal not in _MEALS:
        raise ValueError(f"{prefix}{meal} is not a meal: breakfast, lunch, dinner, or a number from 0 to {MAX_MEAL}")
    expression = require_text(f"{prefix}{meal}", value)
    try:
        hours.check_expression(expression, country)
    except ValueError as error:
        raise ValueError(f"{prefix}{meal} {expression!r} {error}") from None
    return MealHours(_MEALS[meal], expression, until, country)
