"""Rows of a table as values by column: CSV with a header or without, or JSON objects."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from loaders.errors import InvalidValue, UnreadableFileError, require_valid
from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.syntax.csv_rows import csv_rows

Row = tuple[SourceLocation, dict[str, Any] | InvalidValue]


def csv_objects(export: Export, delimiter: str, header: Sequence[str] = ()) -> tuple[Sequence[str], Iterator[Row]]:
    """Return the names of the columns, those of the first row without a `header`, and the rows below.

    A row that does not fit is an InvalidValue. Columns beyond those of a `header` are named by their number.
    """
    rows = csv_rows(export, delimiter)
    if header:
        return header, ((location, _number_others(row, header)) for location, row in rows)
    names = [name.strip() for name in next(rows, (None, []))[1]]
    return names, ((location, _by_name(row, names)) for location, row in rows)


def require_object(row: Any) -> dict[str, Any]:
    """Return the values of a row by column; InvalidValue if it is none."""
    if not isinstance(require_valid(row), dict):
        raise InvalidValue("row", row, "is not a JSON object")
    return row


def require_unique(export: Export, names: Sequence[str], columns: Iterable[str]) -> None:
    """Raise UnreadableFileError if the name of one of these columns stands twice in a header."""
    if duplicate := next((name for name in columns if name and names.count(name) > 1), None):
        raise UnreadableFileError(export.path, f"has a duplicate column {duplicate}", 1)


def _by_name(row: Sequence[str], names: Sequence[str]) -> dict[str, Any] | InvalidValue:
    if len(row) != len(names):
        return InvalidValue("row", ",".join(row), f"has {len(row)} columns, unlike the header")
    return dict(zip(names, row, strict=True))


def _number_others(row: Sequence[str], header: Sequence[str]) -> dict[str, Any] | InvalidValue:
    if len(row) < len(header):
        return InvalidValue("row", ",".join(row), f"has {len(row)} columns instead of {len(header)}")
    others = (f"column {number}" for number in range(len(header) + 1, len(row) + 1))
    return dict(zip((*header, *others), row, strict=True))
