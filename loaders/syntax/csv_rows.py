"""Rows of CSV, of a whole export or of its first lines."""

import csv
import re
from collections.abc import Callable, Iterator
from io import StringIO
from itertools import islice

from loaders.errors import UnreadableFileError
from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.syntax.json_stream import is_json
from loaders.text import HEAD_ROWS

DELIMITERS = (",", ";", "\t", "|")
# A first line that tells Excel the delimiter.
_SEPARATOR_LINE = re.compile(r'\A\s*"?sep=.?"?[ \t]*\r?\n', re.IGNORECASE)

_MAX_ROW_LENGTH = 1 << 20
# By default, a longer field than 131,072 characters is an error.
csv.field_size_limit(_MAX_ROW_LENGTH)


def detect_delimiter(head: str, is_expected: Callable[[list[str]], bool]) -> str | None:
    """Return the delimiter with which one of the first rows of a CSV export is an expected one, None for JSON."""
    return next((each for each in DELIMITERS if any(map(is_expected, csv_head(head, each)))), None)


def widest_delimiter(head: str) -> str:
    """Return the delimiter with which the header has most columns: no title above it has one."""
    lines = without_separator_line(head).splitlines(keepends=True)
    start = next((number for number, line in enumerate(lines) if set(DELIMITERS) & set(line)), 0)
    text = "".join(lines[start:])
    return max(DELIMITERS, key=lambda delimiter: len(next(iter(csv_head(text, delimiter)), [])))


def without_separator_line(text: str) -> str:
    """Return a text of CSV from its header on, whose first name may be empty."""
    return _SEPARATOR_LINE.sub("", text).lstrip(" \r\n")


def csv_head(head: str, delimiter: str = ",") -> list[list[str]]:
    """Return the first rows of a text that begins like CSV, none of JSON."""
    lines = islice(StringIO(head, newline=""), HEAD_ROWS)
    return [] if is_json(head) else list(csv.reader(lines, delimiter=delimiter))


def csv_rows(export: Export, delimiter: str = ",") -> Iterator[tuple[SourceLocation, list[str]]]:
    """Yield each row of a CSV export with a cell that is not blank, with its first line, without a separator line."""
    first_line, length = 1, 0

    def lines() -> Iterator[str]:
        nonlocal length
        while line := export.text.readline(_MAX_ROW_LENGTH - length + 1):
            length += len(line)
            if length > _MAX_ROW_LENGTH:
                reason = f"has a row of more than {_MAX_ROW_LENGTH:,} characters"
                raise UnreadableFileError(export.path, reason, first_line)
            yield line

    reader = csv.reader(lines(), strict=True, delimiter=delimiter)
    try:
        for values in reader:
            is_separator_line = first_line == 1 and _SEPARATOR_LINE.match(delimiter.join(values) + "\n")
            if any(map(str.strip, values)) and not is_separator_line:
                yield SourceLocation(first_line), values
            first_line, length = reader.line_num + 1, 0
    except csv.Error as error:
        raise UnreadableFileError(export.path, f"is not CSV: {error}", first_line) from error
