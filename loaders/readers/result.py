"""The result of reading exports: records, errors, warnings and counts."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from loaders.documents.serving import DiningLists
from loaders.errors import DataWarning, InvalidValue

ProgressCallback = Callable[[Iterable[Any]], Iterable[Any]]

_MAX_SHOWN = 60


class SourceLocation(NamedTuple):
    """Where a record begins: its line and, in JSON, its index in the list, both counted from 1."""

    line: int
    record: int | None = None

    def __str__(self) -> str:
        """Return for example "line 7 (record 2)"."""
        return f"line {self.line}" if self.record is None else f"line {self.line} (record {self.record})"


@dataclass(frozen=True)
class RecordError:
    """A problem with one record: it was rejected, or imported with a warning."""

    file: str
    location: SourceLocation
    field: str
    value: object
    reason: str

    def __str__(self) -> str:
        """Return the file, the location and the message in one line."""
        return f"{self.file}, {self.location}: {self.message}"

    @property
    def message(self) -> str:
        """Return the field, its value and the reason, without the location."""
        value = "" if self.value is None else f" {_shorten(self.value)}"
        return f"{self.field}{value} {self.reason}"


@dataclass
class ReadResult:
    """Records, errors and statistics of a set of export files.

    `records` is a BuildingSpool or a list of MenuRows. `warnings` has the first occurrence of each message and the
    number of occurrences. `missing_counts` counts optional fields that are empty. `locations` has the file and location
    of each building by id. `integer_fields` counts fields with integers in records whose id is invalid: candidates for
    the id field. `is_truncated` is whether the server that wrote the last file has more records. `lists` are those of a
    dining export.
    """

    sources: list[dict[str, str]] = field(default_factory=list)
    records: Any = field(default_factory=list)
    errors: list[RecordError] = field(default_factory=list)
    warnings: dict[str, tuple[RecordError, int]] = field(default_factory=dict)
    locations: dict[int, tuple[str, SourceLocation]] = field(default_factory=dict)
    duplicates: int = 0
    missing_counts: Counter[str] = field(default_factory=Counter)
    integer_fields: Counter[str] = field(default_factory=Counter)
    is_truncated: bool = False
    lists: DiningLists = field(default_factory=DiningLists)

    def add_error(self, file: str, location: SourceLocation, error: InvalidValue) -> None:
        """Add a rejected record."""
        self.errors.append(RecordError(file, location, error.field, error.value, error.reason))

    def add_warning(self, file: str, location: SourceLocation, warning: DataWarning) -> None:
        """Add a warning, or count it if the same message was added before."""
        record = RecordError(file, location, warning.field, warning.value, warning.reason)
        first, count = self.warnings.get(record.message, (record, 0))
        self.warnings[record.message] = (first, count + 1)


def no_progress(records: Iterable[Any]) -> Iterable[Any]:
    """Return the records; the default ProgressCallback."""
    return records


def _shorten(value: object) -> str:
    try:
        text = repr(value)
    except RecursionError:
        return "(deeply nested)"
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
