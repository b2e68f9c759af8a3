"""The result of reading exports: records, errors, warnings and counts."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from campus_api.domain.building_fields import Building
from campus_api.domain.models import NamedEntity
from campus_api.domain.text import truncate
from loaders.documents.serving import DiningLists, MenuRow
from loaders.errors import NO_MEAL, NOT_IN_DEGREES, NOT_SCALAR, ROWS, DataWarning, InvalidValue, UnreadableFileError
from loaders.text import MAX_SHOWN, pluralize, shorten

ProgressCallback = Callable[[Iterable[Any]], Iterable[Any]]
# The URL or pipe of each temporary file.
Origins = Mapping[Path, Path | str]

# How reasons of warnings begin about rows whose meal has the name of another.
CONTRADICTS = "contradicts"

_MAX_HELD = 1000
# Of a field, whose name may be a megabyte.
_MAX_NAME = 200
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


@dataclass(slots=True)
class RecordError:
    """A problem with one record: it was rejected, or imported with a warning; `value` is as it is shown, or None.

    `times` is the number of records with this problem, of which it is the first one.
    """

    file: str
    location: SourceLocation
    field: str
    value: str | None
    reason: str
    times: int = 1

    def __str__(self) -> str:
        number = f" ({self.times:,} times)" if self.times > 1 else ""
        where = "" if self.field == self.file else f"{self.file}, {self.location}: "
        return f"{where}{self.message}{number}"

    @property
    def message(self) -> str:
        """Return the field, its value and the reason, without the location."""
        value = "" if self.value is None else f" {self.value}"
        return f"{truncate(self.field, _MAX_NAME)}{value} {truncate(self.reason, _MAX_HELD)}"


@dataclass(frozen=True)
class AppliedCorrection:
    """A field of a building that a correction of the profile replaced; "retired" if it left out the building."""

    id: int
    field: str
    old: Any
    new: Any

    def __str__(self) -> str:
        """Return for example "7: name 'LAMONT' -> 'Lamont Library'"."""
        change = "" if self.field == "retired" else f" {self.old!r} -> {self.new!r}"
        return f"{self.id}: {self.field}{change}"


@dataclass
class ReadResult:
    """Errors and statistics of a set of export files.

    `origins` has the URL or the pipe of each temporary file. `unread` counts the records by each element, column or
    member that is not read. `warnings` has the first occurrence of each message. `assigned_ids` has the new integers by
    the text ids of the provider, which are not in the database yet, `restored_ids` those of a dump, `database_id` the
    UUID of its database. More than `max_errors` raise UnreadableFileError.
    Of buildings, `filtered` counts the features that the filter of the profile leaves out, `merged` those that became
    part of another building.
    """

    sources: list[dict[str, str]] = field(default_factory=list)
    errors: list[RecordError] = field(default_factory=list)
    warnings: dict[str, RecordError] = field(default_factory=dict)
    duplicates: int = 0
    filtered: int = 0
    merged: int = 0
    corrections: list[AppliedCorrection] = field(default_factory=list)
    unread: Counter[str] = field(default_factory=Counter)
    assigned_ids: dict[str, int] = field(default_factory=dict)
    restored_ids: dict[str, int] = field(default_factory=dict)
    database_id: str = ""
    max_errors: int = _MAX_ERRORS
    origins: Origins = field(default_factory=dict)
    records: list[Any] = field(default_factory=list)

    @property
    def record_count(self) -> int:
        return len(self.records)

    @property
    def statistics(self) -> dict[str, Any]:
        """Return what was left out or changed, for programs."""
        counts = {"duplicates": self.duplicates, "filtered": self.filtered, "merged": self.merged}
        corrections = [asdict(each) for each in self.corrections]
        others = {"assigned_ids": self.assigned_ids, "unread": dict(self._unread())}
        return {**counts, "corrections": corrections, **others}

    def describe(self) -> Iterator[str]:
        """Yield a line for everything that was left out or changed."""
        yield from _count(self.duplicates, "duplicate", "left out")
        yield from _count(len(self.errors), "invalid record", "left out")
        if counts := [f"{name} ({number:,})" for name, number in self._unread()]:
            yield f"not read: {', '.join(shorten(counts, 'name'))}"

    def explain_no_records(self) -> str:
        if self.filtered:
            return f"{pluralize(self.filtered, 'feature')} left out by the filter, nothing was published"
        return "the export has no records, nothing was published"

    def hint(self) -> str:
        """Return what may help to read invalid records, "" if nothing does."""
        return ""

    def require_size(self, records: int, limit: int, noun: str, file: str, location: SourceLocation) -> None:
        """Raise UnreadableFileError if there are more records than memory is planned for."""
        if records > limit:
            raise UnreadableFileError(Path(file), f"and those before have over {limit:,} {noun}", location.line)

    def _unread(self) -> list[tuple[str, int]]:
        unread = sorted(self.unread.items(), key=lambda item: (-item[1], item[0]))
        return [(truncate(name, _MAX_NAME), number) for name, number in unread]

    def add_error(self, file: str, location: SourceLocation, error: InvalidValue) -> None:
        """Add a rejected record."""
        noun = "invalid records: is this the right profile?"
        self.require_size(len(self.errors) + 1, self.max_errors, noun, file, location)
        self.errors.append(RecordError(file, location, error.field, _show(error.value), error.reason))

    def add_warning(self, file: str, location: SourceLocation, warning: DataWarning) -> None:
        """Add a warning, or count it if the same message was added before."""
        first = RecordError(file, location, warning.field, _show(warning.value), warning.reason, times=0)
        self.warnings.setdefault(first.message, first).times += 1

    def add_warnings(self, file: str, warnings: Iterable[DataWarning]) -> None:
        """Add warnings about a file as a whole."""
        for warning in warnings:
            self.add_warning(file, SourceLocation(), warning)


@dataclass
class BuildingRead(ReadResult):
    """The buildings of a set of map exports.

    `missing_counts` counts the optional fields that are empty, `invalid_ids` the records whose id is invalid, `lists`
    the lists of objects in invalid records of a table. `locations` has the file and location of each building by id.
    """

    records: list[Building] = field(default_factory=list)
    locations: dict[int, tuple[str, SourceLocation]] = field(default_factory=dict)
    missing_counts: Counter[str] = field(default_factory=Counter)
    invalid_ids: int = 0
    lists: Counter[str] = field(default_factory=Counter)

    def describe(self) -> Iterator[str]:
        yield from super().describe()
        yield from _count(self.filtered, "feature", "left out by the filter")
        yield from _count(self.merged, "feature", "merged into others with the same id")
        yield from (f"{number} without {name}" for name, number in self.missing_counts.items())
        if self.assigned_ids:
            yield pluralize(len(self.assigned_ids), "new id")
            yield from shorten([f"id {id_} of {text}" for text, id_ in self.assigned_ids.items()], "new id")
        yield from _count(len(self.corrections), "correction", "applied")
        yield from shorten([f"corrected {each}" for each in self.corrections], "correction")

    def hint(self) -> str:
        if self.lists:
            return f"{ROWS} can make records of lists of objects: {_counts(self.lists)}"
        if not self.records and any(error.reason == NOT_IN_DEGREES for error in self.errors):
            return "set the CRS of the export with --wkid, the EPSG number that its publisher names"
        return "campus-load profile lists the fields that may be the id" if self.invalid_ids else ""


@dataclass
class DiningRead(ReadResult):
    """The menus of a set of dining exports, and what they list besides.

    `locations` has the ids of those that serve on each date, for each file. `provider_ids` are the name and the codes,
    by kind and id, of what has its id in an export or a profile, `codes` those whose names only a profile has, by the
    name of its table, and `unknown_allergens` lines of a profile with the number of recipes of each. `untracked`
    are the providers whose profile states no allergens.
    """

    records: list[MenuRow] = field(default_factory=list)
    lists: DiningLists = field(default_factory=DiningLists)
    locations: list[dict[str, set[int]]] = field(default_factory=list)
    untracked: Collection[str] = ()
    provider_ids: Mapping[tuple[str, int], Sequence[str]] = field(default_factory=dict)
    codes: dict[str, dict[str, NamedEntity]] = field(default_factory=dict)
    unknown_allergens: list[tuple[str, int]] = field(default_factory=list)

    @property
    def record_count(self) -> int:
        return len(self.records) + len(self.lists.closed_days or ())

    def describe(self) -> Iterator[str]:
        yield from super().describe()
        yield from _count(len(self.assigned_ids), "new id", "assigned")

    def hint(self) -> str:
        if not self.records and any(error.reason == NO_MEAL for error in self.errors):
            return 'if all dishes are lunch, the profile needs [defaults] meal = "lunch"'
        nested = Counter(error.field for error in self.errors if error.reason == NOT_SCALAR)
        return f"{ROWS} can flatten lists and objects: {_counts(nested)}" if nested else ""


def no_progress(records: Iterable[Any]) -> Iterable[Any]:
    """Return the records; the default ProgressCallback."""
    return records


def _counts(numbers: Counter[str]) -> str:
    return ", ".join(f"{truncate(name, _MAX_NAME)} (in {number})" for name, number in numbers.most_common())


def _count(number: int, noun: str, what: str) -> Iterator[str]:
    if number:
        yield f"{pluralize(number, noun)} {what}"


def _show(value: object) -> str | None:
    """Return a value as messages have it, in little memory, unlike a geometry."""
    if value is None:
        return None
    try:
        return truncate(repr(value), MAX_SHOWN)
    except RecursionError:
        return "(deeply nested)"
