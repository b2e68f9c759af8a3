"""Corrections of invalid parameters ("did you mean")."""

import difflib
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date, datetime, timedelta

from campus_api.domain.allergens.ingredients import denied
from campus_api.domain.geography import parse_box, parse_position
from campus_api.domain.models import MEALS
from campus_api.domain.text import normalize_query
from campus_api.validation.date_ranges import PARAMETERS

# The texts that a parameter takes, by folded text.
KnownTexts = Mapping[str, str]
# The parameters of a schema, with their known texts; None for those that take any number or date.
Parameters = Mapping[str, KnownTexts | None]

_MEALS = {name: str(meal) for meal, name in MEALS.items()}
# Parameters by what other services call them.
_SYNONYMS = {"query": "q", "search": "q", "term": "q", "text": "q", "name": "q", "day": "date", "hall": "location"}
_POSITIONS = {"bbox": parse_box, "near": parse_position}
_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}
_DATE_FORMATS = ("%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%m/%d/%Y", "%m-%d-%Y", "%Y-%m-%dT%H:%M:%S")
_SEPARATORS = re.compile(r"[\s,;|]+")
_TERM_SEPARATORS = re.compile(r"[,;|]+")
_INTEGER = re.compile(r"\+?([0-9]{1,18})(\.0*)?")
_CLOSE = 0.75


def suggest(name: str, value: str, parameters: Parameters, today: str = "") -> list[tuple[str, str]] | None:
    """Return the pairs that should replace an invalid pair, or None if that is unknown.

    An empty value is removed, a list in one value is split.
    """
    parameter = _closest_name(name, parameters)
    if parameter is None:
        return None
    if parameter == "q":
        return None if normalize_query(value) is None else [(parameter, value)]
    known_texts = parameters[parameter]
    if parameter in _POSITIONS:
        values = [_correct_positions(parameter, _split(value))]
    elif known_texts is None:
        values = [_correct_value(parameter, part, today) for part in _split(value)]
    else:
        values = [_correct_term(parameter, part, known_texts) for part in _split(value, _TERM_SEPARATORS)]
    return [(parameter, text) for texts in values for text in texts] if all(values) else None


def count_terms(pairs: Iterable[tuple[str, str]], parameters: Parameters) -> int:
    """Return how many texts `suggest` would compare with all known ones."""
    termed = (value for name, value in pairs if parameters.get(_closest_name(name, parameters) or "") is not None)
    return sum(len(_split(value, _TERM_SEPARATORS)) for value in termed)


def _closest_name(name: str, parameters: Parameters) -> str | None:
    folded = name.casefold()
    close = difflib.get_close_matches(folded, parameters, n=1, cutoff=_CLOSE)
    closest = close[0] if close else _SYNONYMS.get(folded)
    return closest if closest in parameters else None


def _split(value: str, separators: re.Pattern[str] = _SEPARATORS) -> list[str]:
    return [part.strip() for part in separators.split(value) if part.strip()]


def _correct_term(parameter: str, text: str, known_texts: KnownTexts) -> list[str]:
    """Return the closest spelling, or else the allergens that a text such as "gluten free" is about."""
    folded = normalize_query(text)
    if folded is None:
        return []
    if close := difflib.get_close_matches(folded, known_texts, n=1, cutoff=_CLOSE):
        return [known_texts[close[0]]]
    return sorted(denied(folded)) if parameter == "without" else []


def _correct_value(parameter: str, text: str, today: str) -> list[str]:
    if parameter in PARAMETERS:
        return _correct_date(text, today)
    if parameter == "meal" and text.casefold() in _MEALS:
        return [_MEALS[text.casefold()]]
    integer = _INTEGER.fullmatch(text)
    return [str(int(integer[1]))] if integer else []


def _correct_positions(parameter: str, parts: list[str]) -> list[str]:
    """Return a box or a position with commas, if need be with its numbers in another order."""
    candidates: list[tuple[str, ...]] = []
    match parameter, parts:
        case "near", [first, second]:
            candidates = [(first, second), (second, first)]
        case "bbox", [west, south, east, north] | [west, south, _, east, north, _]:
            candidates = [(west, south, east, north), (west, north, east, south), (south, west, north, east)]
    for text in map(",".join, candidates):
        with suppress(ValueError):
            _POSITIONS[parameter](text)
            return [text]
    return []


def _correct_date(text: str, today: str) -> list[str]:
    if today and text.casefold() in _DAYS:
        return [(date.fromisoformat(today) + timedelta(days=_DAYS[text.casefold()])).isoformat()]
    if len(text) < len("2026-1-1"):
        return []
    for format_ in _DATE_FORMATS:
        with suppress(ValueError):
            return [datetime.strptime(text, format_).date().isoformat()]
    return []
