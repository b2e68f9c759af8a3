"""Rows of a table as values by column: CSV with a header or without, or the objects that a jq program makes."""

import json
import signal
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from subprocess import PIPE, Popen
from typing import IO, Any, NamedTuple, cast

import orjson

from loaders.errors import InvalidValue, UnreadableFileError, require_valid
from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.syntax import jq_process
from loaders.syntax.csv_rows import csv_rows, widest_delimiter
from loaders.syntax.json_scanner import MAX_VALUE_LENGTH
from loaders.syntax.json_stream import is_json
from loaders.text import HEAD_ROWS, header_position

Row = tuple[SourceLocation, dict[str, Any] | InvalidValue]


class ProgramLimits(NamedTuple):
    """The processor time and the memory of a program, and the length of its document."""

    seconds: int = 60
    max_bytes: int = 4_000_000_000
    max_characters: int = 1 << 26


_LIMITS = ProgramLimits()


def csv_objects(export: Export, delimiter: str, header: Sequence[str] = ()) -> tuple[Sequence[str], Iterator[Row]]:
    """Return the names of the columns, those of the first row below titles without a `header`, and the rows below.

    A row that does not fit is an InvalidValue; one that repeats the header is none. Columns beyond those of a `header`
    are named by their number.
    """
    rows = csv_rows(export, delimiter)
    if header:
        return header, ((location, _by_name(row, header, is_whole=False)) for location, row in rows)
    first = list(islice(rows, HEAD_ROWS))
    position = header_position([row for _, row in first])
    cells = first[position][1] if first else []
    names, below = [*map(str.strip, cells)], chain(first[position + 1 :], rows)
    # The last cells of a sheet are its name and heading.
    own = cells[: sum(not name.startswith("$") for name in names)]
    return names, ((location, _by_name(row, names)) for location, row in below if row[: len(own)] != own)


def require_object(row: Any) -> dict[str, Any]:
    """Return the values of a row by column; InvalidValue if it is none."""
    if not isinstance(require_valid(row), dict):
        raise InvalidValue("row", row, "is not a JSON object")
    return row


def require_unique(export: Export, names: Sequence[str], columns: Iterable[str]) -> None:
    """Raise UnreadableFileError if the name of one of these columns stands twice in a header."""
    if duplicate := next((name for name in columns if name and names.count(name) > 1), None):
        raise UnreadableFileError(export.path, f"has a duplicate column {duplicate}", 1)


def _by_name(row: Sequence[str], names: Sequence[str], *, is_whole: bool = True) -> dict[str, Any] | InvalidValue:
    if len(row) == len(names):
        values = dict(zip(names, row, strict=True))
        return parse_objects(values) if "{" in "".join(row) else values
    if is_whole or len(row) < len(names):
        return InvalidValue("row", ",".join(row), f"has {len(row)} columns instead of {len(names)}")
    others = (f"column {number}" for number in range(len(names) + 1, len(row) + 1))
    return dict(zip(chain(names, others), row, strict=True))


def parse_objects(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a row, of texts that are an object of JSON, such as GeoJSON, the object."""
    return {name: _parse_object(value) for name, value in row.items()}


def _parse_object(value: Any) -> Any:
    if isinstance(value, str) and value.lstrip().startswith("{"):
        with suppress(orjson.JSONDecodeError):
            return orjson.loads(value)
    return value


def program_rows(
    export: Export, program: str, columns: Collection[Collection[str]] = (), limits: ProgramLimits = _LIMITS
) -> Iterator[tuple[SourceLocation, Any]]:
    """Yield the values that a jq program makes of a document, numbered, with `export.source` as `$source`.

    CSV is a document `[{"sheet": "name of the file", "rows": [["cell", ...], ...]}]`.
    UnreadableFileError if the program fails, or no row has any of the names of a column.
    """
    names: set[str] = set()
    number = 0
    document = export.text.read(limits.max_characters + 1)
    if len(document) > limits.max_characters:
        reason = f"has more than {limits.max_characters:,} characters, too many for the rows of a profile"
        raise UnreadableFileError(export.path, reason)
    is_csv = not (is_json(export.head) or export.head.lstrip().startswith("<"))
    delimiter = widest_delimiter(export.head) if is_csv else ""
    request = {"program": program, "source": export.source, "sheet": export.path.stem, "delimiter": delimiter}
    with _running(request, document, limits) as process:
        for number, line in enumerate(_lines(process, export), 1):
            row = orjson.loads(line)
            if isinstance(row, dict):
                names.update(row)
            yield SourceLocation(record=number), row
        if reason := _failure(process, number, limits):
            raise UnreadableFileError(export.path, reason)
    # "location.lat" is in the object "location" of a row.
    missing = [each for each in columns if names.isdisjoint({*each, *(name.partition(".")[0] for name in each)})]
    if number and missing:
        reason = f"has no {', '.join(map(' or '.join, missing))}, which the profile names"
        raise UnreadableFileError(export.path, f"{reason}, in any row that its rows make")


@contextmanager
def _running(request: Mapping[str, str], document: str, limits: ProgramLimits) -> Iterator["Popen[str]"]:
    """Start the process of a program with a document; end it when the context is left."""
    # Nothing is imported from the working directory.
    command = [sys.executable, "-P", "-m", jq_process.__name__, str(limits.seconds), str(limits.max_bytes)]
    with Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, encoding="utf-8") as process:
        try:
            # It ends early if its memory is too small; the reason is on its standard error.
            with suppress(BrokenPipeError), cast("IO[str]", process.stdin) as stdin:
                stdin.write(json.dumps(request) + "\n")
                stdin.write(document)
            yield process
        finally:
            process.kill()


def _lines(process: "Popen[str]", export: Export) -> Iterator[str]:
    """Yield each line of the output; UnreadableFileError if one is too long."""
    stdout = cast("IO[str]", process.stdout)
    while line := stdout.readline(MAX_VALUE_LENGTH + 1):
        if len(line) > MAX_VALUE_LENGTH:
            raise UnreadableFileError(export.path, f"makes a row of more than {MAX_VALUE_LENGTH:,} characters")
        yield line


def _failure(process: "Popen[str]", rows: int, limits: ProgramLimits) -> str:
    """Return why a program has failed, after how many rows; "" if it has not."""
    message, status = cast("IO[str]", process.stderr).read(), process.wait()
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        return f"takes more than {limits.seconds} seconds of processor time in the rows of the profile"
    if status == jq_process.BROKEN_DOCUMENT:
        return message
    if status in (0, 1) and "MemoryError" not in message:
        return f"does not suit the rows of the profile: {message.strip()}, after {rows:,} rows" if status else ""
    return f"takes more than {limits.max_bytes // 1_000_000:,} MB of memory in the rows of the profile"
