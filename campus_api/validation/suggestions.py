"""Corrections of invalid parameters of menu queries ("did you mean")."""

import difflib
import re
from datetime import datetime

from campus_api.domain.models import MEALS

_MEALS = {name: str(meal) for meal, name in MEALS.items()}
_DATE_FORMATS = ("%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%m/%d/%Y", "%m-%d-%Y", "%Y-%m-%dT%H:%M:%S")
_SEPARATORS = re.compile(r"[\s,;|]+")
_INTEGER = re.compile(r"\+?([0-9]{1,18})(\.0*)?")


def suggest(name: str, value: str, parameters: list[str]) -> list[tuple[str, str]] | None:
    """Return the pairs that should replace an invalid pair, or None if that is unknown.

    `parameters` are the valid names. An empty value is removed, a list in one value is split.
    """
    parameter = name if name in parameters else _closest_name(name, parameters)
    if parameter is None:
        return None
    values = [_correct_value(parameter, part) for part in _split(value)]
    corrected = [(parameter, text) for text in values if text is not None]
    return corrected if len(corrected) == len(values) else None


def _closest_name(name: str, parameters: list[str]) -> str | None:
    close = difflib.get_close_matches(name.casefold(), parameters, n=1, cutoff=0.75)
    return close[0] if close else None


def _split(value: str) -> list[str]:
    return [part for part in _SEPARATORS.split(value) if part]


def _correct_value(parameter: str, text: str) -> str | None:
    if parameter == "date":
        return _correct_date(text)
    if parameter == "meal" and text.casefold() in _MEALS:
        return _MEALS[text.casefold()]
    integer = _INTEGER.fullmatch(text)
    return str(int(integer[1])) if integer else None


def _correct_date(text: str) -> str | None:
    if len(text) < len("2026-1-1"):
        return None
    for format_ in _DATE_FORMATS:
        try:
            return datetime.strptime(text, format_).date().isoformat()
        except ValueError:
            continue
    return None
