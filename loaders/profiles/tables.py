"""Checks of the tables of a profile; the ValueErrors name the key."""

from collections.abc import Mapping
from typing import Any


def check_keys(prefix: str, table: Mapping[str, Any], keys: set[str]) -> None:
    """Raise ValueError if a table has another key than these."""
    for key in table:
        if key not in keys:
            raise ValueError(f"{prefix}{key} is not one of {', '.join(sorted(keys))}")


def subtable(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return a table of a table, empty if it is absent."""
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise ValueError(f"{key} is not a table")
    return value


def require_text(key: str, value: object) -> str:
    """Return a value that must be text."""
    if not isinstance(value, str):
        raise ValueError(f"{key} is not text")
    return value
