"""Columns of a table by their names, whatever their letter case, separators and composition of letters."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from campus_api.domain.text import normalize
from loaders.text import SHEET_COLUMN, is_blank

_SEPARATORS = re.compile(r"[\s_.-]+")


@lru_cache(maxsize=4096)
def fold_name(name: str) -> str:
    """Return a name that is equal for all spellings of a column: "Serve_Date", "serve.date", "serveDate"."""
    return _SEPARATORS.sub("", normalize("NFC", name)).casefold()


def find_columns(
    common_names: Mapping[str, str], header: Iterable[str], fold: Callable[[str], str] = fold_name
) -> dict[str, str]:
    """Return the column of each name that has one: that of the first of its common names, separated by "|".

    Each column is used once, of several spellings the first one.
    """
    folded = {fold(column): column for column in reversed([*header])}
    columns = {}
    for name, each in common_names.items():
        known = next((common_name for common_name in map(fold_name, each.split("|")) if common_name in folded), None)
        if known:
            columns[name] = folded.pop(known)
    return columns


class Columns:
    """The columns of a table that are read, by their `names`; rows may spell these in other ways."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = frozenset(names)
        # Of members of objects, such as "dish.de", each with the object.
        self._members = {name: name.rpartition(".") for name in self.names if "." in name}
        self._read = self.names.union([SHEET_COLUMN], (parent for parent, *_ in self._members.values()))
        self._by_folded = {fold_name(name): name for name in self.names}
        # The columns by their other spellings in rows with these names.
        self._spellings: dict[tuple[str, ...], dict[str, str]] = {}

    def values(self, members: dict[str, Any]) -> dict[str, Any]:
        """Return the values of a row by column; of several spellings the first one with a value counts."""
        for name, (parent, _, member) in self._members.items():
            if isinstance(members.get(parent), dict):
                members = {name: members[parent].get(member), **members}
        names = tuple(members)
        if names not in self._spellings:
            others = {name: self._by_folded.get(fold_name(name)) for name in names if name not in self.names}
            self._spellings[names] = {name: column for name, column in others.items() if column}
        spellings = self._spellings[names]
        if not spellings:
            return members
        values = {name: value for name, value in members.items() if name not in spellings}
        for name, column in spellings.items():
            is_needed = is_blank(values.get(column))
            values[column if is_needed else name] = members[name]
        return values

    def others(self, names: Iterable[str]) -> list[str]:
        """Return the names that are not those of columns that are read."""
        return [name for name in names if name not in self._read and name.strip()]
