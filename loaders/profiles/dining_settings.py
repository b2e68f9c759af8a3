"""Settings of dining profiles: encoding, delimiter, date format, meals, columns of facts and names of labels."""

import codecs
import io
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from campus_api.domain.models import FACTS, NUTRIENTS
from loaders.profiles.values import check_keys, require_text, subtable

MAX_MEAL = 9

_EXAMPLE = datetime(2026, 11, 20)
# The keys of the columns with the daily values of the nutrients.
DAILY_VALUES = {nutrient: f"{nutrient}_daily_value" for nutrient in NUTRIENTS}
_KEYS = {*FACTS, "label_names", *DAILY_VALUES, *DAILY_VALUES.values()} - {"nutrients", "as_of"}


def parse_meals(table: Mapping[str, Any]) -> dict[str, int]:
    """Return the meals of a table such as `"LATE NIGHT" = 3` by folded key; ValueError if one is invalid."""
    meals: dict[str, int] = {}
    for key, meal in table.items():
        if type(meal) is not int or not 0 <= meal <= MAX_MEAL:
            raise ValueError(f"meals.{key} {meal!r} is not a number from 0 to {MAX_MEAL}")
        if meals.setdefault(fold_meal(key), meal) != meal:
            raise ValueError(f"meals.{key} is defined twice")
    return meals


def fold_meal(key: str) -> str:
    """Return the key of a meal in the table: a number without leading zeros, or a name in lower case."""
    text = " ".join(key.split()).casefold()
    return str(int(text)) if text.isascii() and text.isdigit() else text


def _parse_encoding(value: object) -> str:
    text = require_text("encoding", value)
    try:
        io.TextIOWrapper(io.BytesIO(), encoding=text)
    except LookupError:
        raise ValueError(f"encoding {value!r} is not an encoding that Python knows, such as cp1252") from None
    # A byte order mark is no character of the first column.
    return "utf-8-sig" if codecs.lookup(text).name == "utf-8" else text


def _parse_delimiter(value: object) -> str:
    text = require_text("delimiter", value)
    if len(text) != 1 or text in '"\r\n ' or text.isalnum():
        raise ValueError(f"delimiter {value!r} is not one character such as ; or \\t")
    return text


def _parse_date_format(value: object) -> str:
    text = require_text("date_format", value)
    try:
        is_complete = datetime.strptime(_EXAMPLE.strftime(text), text) == _EXAMPLE
    except ValueError:
        is_complete = False
    if not is_complete:
        raise ValueError(f"date_format {value!r} is not a format with day, month and year, such as %d/%m/%Y")
    return text


DINING_SETTINGS = {"encoding": _parse_encoding, "delimiter": _parse_delimiter, "date_format": _parse_date_format}


def parse_fact_columns(table: Mapping[str, Any]) -> dict[str, str]:
    """Return the columns of a table such as `sodium = "Sodium"` by fact; ValueError if one is invalid."""
    columns = subtable(table, "facts")
    check_keys("facts.", columns, _KEYS)
    return {fact: require_text(f"facts.{fact}", column) for fact, column in columns.items()}


def parse_label_names(table: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of a table such as `VGN = "vegan"` by code; ValueError if one is not text."""
    return {code: require_text(f"labels.{code}", name) for code, name in subtable(table, "labels").items()}
