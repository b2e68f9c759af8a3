"""Columns of a table by their names, whatever their letter case and separators."""

import re
from collections.abc import Iterable, Mapping

_SEPARATORS = re.compile(r"[\s_-]+")


def fold_name(name: str) -> str:
    """Return a name that is equal for all spellings of a column: "Serve_Date", "serve date"."""
    return _SEPARATORS.sub(" ", name.strip()).casefold()


def find_columns(common_names: Mapping[str, str], header: Iterable[str]) -> dict[str, str]:
    """Return the column of each name that has one: that of the first of its common names, separated by "|".

    Each column is used once.
    """
    folded: dict[str, str] = {}
    for column in header:
        folded.setdefault(fold_name(column), column)
    columns = {}
    for name, each in common_names.items():
        known = next((common_name for common_name in each.split("|") if common_name in folded), None)
        if known:
            columns[name] = folded.pop(known)
    return columns
