"""Settings of dining profiles: encoding, delimiter, date format, meals, columns of facts, units, and labels."""

import codecs
import io
import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache, partial
from typing import Any

from campus_api.domain.models import FACTS, NUTRIENTS
from campus_api.domain.text import normalize
from loaders.profiles.values import (
    Parsers,
    check_keys,
    parse_names,
    parse_program,
    require_table,
    require_text,
    require_texts,
    subtable,
)
from loaders.text import parse_text

MAX_MEAL = 9
# Those with an id, or a code that stands for an id and a name.
_ENTITY_COLUMNS = ("meal", "location", "category", "dish")
_COLUMNS = {"date", "closed", *_ENTITY_COLUMNS, *(f"{name}_id" for name in _ENTITY_COLUMNS)}

_EXAMPLE = datetime(2026, 11, 20)
# The keys of the columns with the daily values of the nutrients.
DAILY_VALUES = {nutrient: f"{nutrient}_daily_value" for nutrient in NUTRIENTS}
_DERIVED_FACTS = {"nutrients", "contains", "without", "as_of"}
_KEYS = {*FACTS, "label_names", *DAILY_VALUES, *DAILY_VALUES.values()} - _DERIVED_FACTS


def parse_meals(table: Mapping[str, Any]) -> dict[str, int]:
    """Return the meals of a table such as `"LATE NIGHT" = 3` by folded key; ValueError if one is invalid."""
    meals: dict[str, int] = {}
    for key, value in subtable(table, "meals").items():
        meal = value.get("id") if isinstance(value, dict) else value
        if type(meal) is not int or not 0 <= meal <= MAX_MEAL:
            raise ValueError(f"meals.{key} {meal!r} is not a number from 0 to {MAX_MEAL}")
        if meals.setdefault(fold_meal(key), meal) != meal:
            raise ValueError(f"meals.{key} is defined twice")
    return meals


# Every row has one of a few meals.
@lru_cache
def fold_meal(key: str) -> str:
    """Return the key of a meal in the table: a number, which pandas writes "2.0", or a name in lower case."""
    text = " ".join(normalize("NFC", key).split()).casefold()
    number = re.fullmatch(r"0*([0-9]+)(\.0)?", text)
    return number[1] if number else text


def _parse_encoding(key: str, value: object) -> str:
    text = require_text(key, value)
    try:
        io.TextIOWrapper(io.BytesIO(), encoding=text)
    except LookupError:
        raise ValueError(f"{key} {value!r} is not an encoding that Python knows, such as cp1252") from None
    # A byte order mark is no character of the first column.
    return "utf-8-sig" if codecs.lookup(text).name == "utf-8" else text


def _parse_delimiter(key: str, value: object) -> str:
    text = require_text(key, value)
    if len(text) != 1 or text in '"\r\n ' or text.isalnum():
        raise ValueError(f"{key} {value!r} is not one character such as ; or \\t")
    return text


def _parse_date_format(key: str, value: object) -> str:
    text = require_text(key, value)
    try:
        formatted = _EXAMPLE.strftime(text)
        # Python 3.13 warns of days without a year.
        has_year = formatted != _EXAMPLE.replace(year=2027).strftime(text)
        is_complete = has_year and datetime.strptime(formatted, text) == _EXAMPLE
    except ValueError:
        is_complete = False
    if not is_complete:
        raise ValueError(f"{key} {value!r} is not a format with day, month and year, such as %d/%m/%Y")
    return text


def parse_columns(key: str, value: object) -> dict[str, tuple[str, ...]]:
    """Return the names of each column of a table such as `dish = "Item"`; ValueError if date or dish is missing."""
    columns = require_table(key, value)
    check_keys(f"{key}.", columns, _COLUMNS)
    if columns and not {"date", "dish"} <= columns.keys():
        raise ValueError(f"{key} has no date or no dish")
    return {name: _parse_column(f"{key}.{name}", names) for name, names in columns.items()}


def _parse_column(key: str, value: object) -> tuple[str, ...]:
    names = value if isinstance(value, list) else [value]
    if not names:
        raise ValueError(f"{key} has no name")
    return tuple(require_text(key, name) for name in names)


def _parse_units(key: str, value: object) -> dict[str, tuple[str, str]]:
    """Return the singular and the plural of each unit of a table such as `CUP = ["cup", "cups"]` by folded code."""
    return {code.casefold(): _parse_unit(f"{key}.{code}", words) for code, words in require_table(key, value).items()}


def _parse_unit(key: str, value: object) -> tuple[str, str]:
    words = value if isinstance(value, list) else [value, value]
    if len(words) != 2:
        raise ValueError(f"{key} is neither a text nor a list of two")
    singular, plural = (parse_text(key, require_text(key, word)) for word in words)
    return singular, plural


def _parse_labels(key: str, value: object) -> dict[str, str]:
    """Return the names of labels such as `VGT = "vegetarian"` by code."""
    return {code: _parse_label(f"{key}.{code}", label) for code, label in require_table(key, value).items()}


def _parse_label(key: str, value: object) -> str:
    # Older profiles have tables such as `VGT = {name = "vegetarian"}`.
    name = value.get("name") if isinstance(value, dict) else value
    return parse_text(key, require_text(key, name))


COMMON_SETTINGS: Parsers = {"namespace": require_text, "rows": parse_program, "encoding": _parse_encoding}
DINING_SETTINGS: Parsers = {
    **COMMON_SETTINGS,
    "header": parse_names,
    "delimiter": _parse_delimiter,
    "date_format": _parse_date_format,
    "columns": parse_columns,
    "defaults": partial(require_texts, keys={"location", "meal", "category"}),
    "facts": partial(require_texts, keys=_KEYS),
    "units": _parse_units,
    "labels": _parse_labels,
}
