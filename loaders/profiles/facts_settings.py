"""Settings of dining profiles for facts: the columns of an export, and the names of labels."""

from collections.abc import Mapping
from typing import Any

from campus_api.domain.models import Nutrients
from loaders.profiles.tables import check_keys, require_text, subtable

# The keys of the columns with the daily values of the nutrients.
DAILY_VALUES = {nutrient: f"{nutrient}_daily_value" for nutrient in Nutrients._fields}
_TEXTS = {"serving_size", "calories", "calories_from_fat", "ingredients", "allergens", "labels", "label_names"}
_KEYS = {*_TEXTS, *DAILY_VALUES, *DAILY_VALUES.values()}


def parse_fact_columns(table: Mapping[str, Any]) -> dict[str, str]:
    """Return the columns of a table such as `sodium = "Sodium"` by fact; ValueError if one is invalid."""
    columns = subtable(table, "facts")
    check_keys("facts.", columns, _KEYS)
    return {fact: require_text(f"facts.{fact}", column) for fact, column in columns.items()}


def parse_label_names(table: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of a table such as `VGN = "vegan"` by code; ValueError if one is not text."""
    return {code: require_text(f"labels.{code}", name) for code, name in subtable(table, "labels").items()}
