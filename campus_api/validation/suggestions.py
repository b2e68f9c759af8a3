"""What a wrong part of a menus query probably meant."""

import difflib
import re
from datetime import datetime

_MEALS = {"breakfast": "0", "lunch": "1", "dinner": "2"}
_DATE_FORMATS = ("%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%m/%d/%Y", "%m-%d-%Y", "%Y-%m-%dT%H:%M:%S")
_BETWEEN_VALUES = re.compile(r"[\s,;|]+")
_INTEGER = re.compile(r"\+?([0-9]{1,18})(\.0*)?")


def correct(name: str, value: str, parameters: list[str]) -> list[tuple[str, str]] | None:
    """Return the pairs that should replace one wrong pair of name and value, None where that cannot be told.

    `parameters` are the names that exist. An empty value is taken out, a list in one value is taken apart.
    """
    meant = name if name in parameters else _closest(name, parameters)
    if meant is None:
        return None
    values = [_value(meant, part) for part in _parts(value)]
    return None if None in values else [(meant, text) for text in values]


def _closest(name: str, parameters: list[str]) -> str | None:
    close = difflib.get_close_matches(name.casefold(), parameters, n=1, cutoff=0.75)
    return close[0] if close else None


def _parts(value: str) -> list[str]:
    return [part for part in _BETWEEN_VALUES.split(value) if part]


def _value(parameter: str, text: str) -> str | None:
    if parameter == "date":
        return _date(text)
    if parameter == "meal" and text.casefold() in _MEALS:
        return _MEALS[text.casefold()]
    integer = _INTEGER.fullmatch(text)
    return str(int(integer[1])) if integer else None


def _date(text: str) -> str | None:
    if len(text) < len("2026-1-1"):
        return None
    for form in _DATE_FORMATS:
        try:
            return datetime.strptime(text, form).date().isoformat()
        except ValueError:
            continue
    return None
