"""Units of nutrients that the names of columns have, or the law."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from campus_api.domain.models import NUTRIENTS
from loaders.errors import DataWarning
from loaders.syntax.columns import fold_name

_NAMED = re.compile(r"^(?P<first>g|mg|mcg|µg) |[ ,(\[/]+(?P<last>g|mg|mcg|µg)[)\]]?$")
_NUMBER = re.compile(r"\s*[0-9]+([.,][0-9]+)?\s*")
# https://www.ecfr.gov/current/title-21/section-101.9
_OF_LAW = dict.fromkeys(NUTRIENTS, "g") | {"cholesterol": "mg", "sodium": "mg"}


def without_unit(column: str) -> str:
    """Return the folded name of a column without its unit: "protein" for "Protein (g)"."""
    return _NAMED.sub("", fold_name(column)).strip()


class ColumnUnits:
    """The units of numbers without any, by column: that of its name, or of the law if none of its values has one."""

    def __init__(self, columns: Mapping[str, str], all_rows: Callable[[], Iterable[Sequence[Any]]]) -> None:
        self._columns = {position: each for position, each in enumerate(columns.items()) if each[0] in NUTRIENTS}
        self._all_rows = all_rows

    def complete(self, values: Sequence[Any]) -> tuple[tuple[Any, ...], list[DataWarning]]:
        """Return the values of a row with their units, and a warning for each that is that of the law."""
        completed, warnings = [*values], []
        for position, (fact, column) in self._columns.items():
            if not _is_number(values[position]):
                continue
            unit = _named_unit(column)
            if not unit and position not in self._with_units:
                unit = _OF_LAW[fact]
                warnings.append(DataWarning(column, None, f"has numbers without a unit, which are read as {unit}"))
            completed[position] = f"{values[position]} {unit}".strip()
        return tuple(completed), warnings

    @cached_property
    def _with_units(self) -> set[int]:
        """Return the positions of the columns of which any value is more than a number."""
        positions = set(self._columns)
        return {
            position
            for row in self._all_rows()
            for position in positions
            if isinstance(row[position], str) and row[position].strip()[-1:].isalpha()
        }


def _named_unit(column: str) -> str:
    match = _NAMED.search(fold_name(column))
    return match["first"] or match["last"] if match else ""


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return bool(_NUMBER.fullmatch(value))
    return type(value) in (int, float)
