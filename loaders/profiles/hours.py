"""Checks of opening_hours expressions: whether they are lists of times, and whose public holidays they have."""

import re

from opening_hours import OpeningHours, ParserError, UnknownCountryError  # type: ignore[attr-defined]

from campus_api.domain.hours import ALWAYS

_COLUMN = re.compile(r"--> \d+:(\d+)")
# School holidays, the position of the sun, open ends, intervals, comments and fallbacks: none of them says when a meal
# is served, or not to a program that knows neither calendar nor position.
_UNSUPPORTED = re.compile(r'\b(?:SH|dawn|sunrise|sunset|dusk|unknown)\b|(?<=:\d\d)[+/]|\|\||"', re.IGNORECASE)
# A comma without a space is between the days or the times of one rule.
_RULE = re.compile(r"(?:[^\s;,]|,(?!\s))(?:[^;,]|,(?!\s))*")
# What a rule without any of them says is open all day.
_TIME = re.compile(rf"\d:\d\d|{ALWAYS}|\b(?:off|closed)\b", re.IGNORECASE)
_PUBLIC_HOLIDAY = re.compile(r"\bPH\b", re.IGNORECASE)


def check_expression(expression: str, country: str | None) -> None:
    """Raise ValueError, whose message is the reason, if an expression is no list of times."""
    try:
        OpeningHours(expression, country=country)
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
