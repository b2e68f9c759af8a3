"""The result of reading exports: records, errors, warnings and counts."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from loaders.documents.serving import DiningLists
from loaders.errors import DataWarning, InvalidValue, UnreadableFileError

ProgressCallback = Callable[[Iterable[Any]], Iterable[Any]]

# The field of warnings about rows whose meal has the name of another one.
MEAL_NAME = "Meal_Name"

_MAX_SHOWN = 60
_MAX_HELD = 1000
_MAX_ERRORS = 500_000


class SourceLocation(NamedTuple):
    """Where a record begins: its line and, if there are lists or no lines, its index, both counted from 1."""

    line: int | None = None
    record: int | None = None

    def __str__(self) -> str:
        """Return for example "line 7 (record 2)" or "record 2"."""
        if self.line is None:
            return "the whole file" if self.record is None else f"record {self.record}"
        return f"line {self.line}" if self.record is None else f"line {self.line} (record {self.record})"


class _Excerpt(str):
    """The shortened text of a list or an object, shown without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True)
class AppliedCorrection:
    """A field of a building that a correction of the profile replaced; "retired" if it left out the building."""

    id: int
    field: str
    old: Any
    new: Any

    def __str__(self) -> str:
        """Return for example "7: name 'LAMONT' -> 'Lamont Library'"."""
        return (
            f"{self.id}: {self.field}"
            if self.field == "retired"
            else f"{self.id}: {self.field} {self.old!r} -> {self.new!r}"
        )


@dataclass
class ReadResult:
    """Records, errors and statistics of a set of export files.

    `records` is a BuildingSpool or a list of MenuRows. `warnings` has the first occurrence of each message and the
    number of occurrences. `filtered` counts the features that the filter of the profile leaves out, `merged` those that
    became part of another building, `missing_counts` the optional fields that are empty. `assigned_ids` has the new
    integers by the text ids of the provider, which are not in the database yet. `locations` has the file and location
    of each building by id. `integer_fields` counts fields with integers in records whose id is invalid: candidates for
    the id field. `is_truncated` is whether the server that wrote the last file has more records. `lists` are those of a
    dining export. More than `max_errors` raise UnreadableFileError.
    """

    sources: list[dict[str, str]] = field(default_factory=list)
    records: Any = field(default_factory=list)
    errors: list[RecordError] = field(default_factory=list)
    warnings: dict[str, tuple[RecordError, int]] = field(default_factory=dict)
    locations: dict[int, tuple[str, SourceLocation]] = field(default_factory=dict)
    duplicates: int = 0
    filtered: int = 0
    merged: int = 0
    corrections: list[AppliedCorrection] = field(default_factory=list)
    assigned_ids: dict[str, int] = field(default_factory=dict)
    missing_counts: Counter[str] = field(default_factory=Counter)
    integer_fields: Counter[str] = field(default_factory=Counter)
    is_truncated: bool = False
    max_errors: int = _MAX_ERRORS
    lists: DiningLists = field(default_factory=DiningLists)

    def require_size(self, records: int, limit: int, noun: str, file: str, location: SourceLocation) -> None:
        """Raise UnreadableFileError if there are more records than memory is planned for."""
        if records > limit:
            raise UnreadableFileError(Path(file), f"and those before have over {limit:,} {noun}", location.line)

    def add_error(self, file: str, location: SourceLocation, error: InvalidValue) -> None:
        """Add a rejected record."""
        if len(self.errors) == self.max_errors:
            reason = f"and those before have over {self.max_errors:,} invalid records: is this the right profile?"
            raise UnreadableFileError(Path(file), reason, location.line)
        self.errors.append(RecordError(file, location, error.field, _excerpt(error.value), error.reason))

    def add_warning(self, file: str, location: SourceLocation, warning: DataWarning) -> None:
        """Add a warning, or count it if the same message was added before."""
        record = RecordError(file, location, warning.field, _excerpt(warning.value), warning.reason)
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


def _excerpt(value: object) -> object:
    """Return a value that shows the same and takes little memory, unlike a geometry."""
    if isinstance(value, str):
        return value[:_MAX_HELD]
    shown = _shorten(value)
    return _Excerpt(shown) if len(shown) > _MAX_SHOWN else value
