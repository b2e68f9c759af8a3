"""What reading exports yields: records, the problems of those that cannot be used, warnings and counts."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

Track = Callable[[Iterable[Any]], Iterable[Any]]

# Far beyond any name, and far below what a document can hold.
_LONGEST = 10_000
_UNREADABLE = {"Cc": "a control character", "Cs": "half a character"}
# Breaks of lines and pages count as spaces, as str.split has it.
_BREAKS = re.compile(r"[\t\n\v\f\r\x1c-\x1f\x85]")


class Place(NamedTuple):
    """Where a record begins: its line, and in JSON its number in the list; both counted from 1."""

    line: int
    record: int | None = None

    def __str__(self) -> str:
        """Return the place for a person."""
        return f"line {self.line}" if self.record is None else f"line {self.line} (record {self.record})"


class UnreadableExport(Exception):
    """A file of which nothing can be used; the message names it and, where it can be told, the line."""

    def __init__(self, path: Path, reason: str, line: int | None = None) -> None:
        """Take the file, what is wrong with it, and the line on which that stands."""
        super().__init__(f"{path}: {reason}" if line is None else f"{path}: line {line} {reason}")
        self.path, self.reason, self.line = path, reason, line


class BadValue(ValueError):
    """A value that makes its record useless: the field it is in, the value and the reason."""

    def __init__(self, field: str, value: object, reason: str) -> None:
        """Take the provider's name of the field, its value and what is wrong with it."""
        super().__init__(field, value, reason)
        self.field, self.value, self.reason = field, value, reason


@dataclass(frozen=True)
class Problem:
    """A record that cannot be used, or one that looks odd, and why."""

    file: str
    place: Place
    field: str
    value: object
    reason: str

    def __str__(self) -> str:
        """Return one line for a person."""
        return f"{self.file}, {self.place}: {self.text}"

    @property
    def text(self) -> str:
        """Return what is wrong, without the place."""
        given = "" if self.value is None else f" {_short(self.value)}"
        return f"{self.field}{given} {self.reason}"


@dataclass
class Reading:
    """All that a set of export files says.

    `warnings` are the first places of what is odd but usable with how often it occurs, `notes` count what is lacking,
    `places` are the files and places of buildings by id, `integer_fields` the fields with integers in records whose id
    is bad: where ids might stand.
    """

    sources: list[dict[str, str]] = field(default_factory=list)
    records: Collection[Any] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    warnings: dict[str, tuple[Problem, int]] = field(default_factory=dict)
    places: dict[int, tuple[str, Place]] = field(default_factory=dict)
    duplicates: int = 0
    notes: Counter[str] = field(default_factory=Counter)
    integer_fields: Counter[str] = field(default_factory=Counter)

    def bad(self, file: str, place: Place, error: BadValue) -> None:
        """Add a record that cannot be used."""
        self.problems.append(Problem(file, place, error.field, error.value, error.reason))

    def warn(self, file: str, place: Place, odd: BadValue) -> None:
        """Add a record that looks odd; what is odd in the same way again is counted."""
        problem = Problem(file, place, odd.field, odd.value, odd.reason)
        first, times = self.warnings.get(problem.text, (problem, 0))
        self.warnings[problem.text] = (first, times + 1)


def text_of(field: str, value: object) -> str:
    """Return a provider's text with single spaces, "" for none; BadValue for what nobody can read."""
    return " ".join(raw_text_of(field, value).split())


def raw_text_of(field: str, value: object) -> str:
    """Return a provider's text as it is but for the spaces around it, "" for none; BadValue as `text_of`."""
    if value is None:
        return ""
    if isinstance(value, str) and len(value) > _LONGEST:
        raise BadValue(field, value, f"is longer than {_LONGEST} characters")
    if type(value) is str and value.isprintable():
        return value.strip()
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadValue(field, value, "is neither text nor a number")
    if isinstance(value, float):
        if not math.isfinite(value):
            raise BadValue(field, value, "is a number that is too large")
        value = int(value) if value.is_integer() else value
    text = _BREAKS.sub(" ", str(value)).strip()
    for char in () if text.isprintable() else text:
        if unicodedata.category(char) in _UNREADABLE:
            raise BadValue(field, value, f"has {_UNREADABLE[unicodedata.category(char)]}")
    return text


def everything(records: Iterable[Any]) -> Iterable[Any]:
    """Go through the records without showing progress."""
    return records


def _short(value: object) -> str:
    try:
        text = repr(value)
    except RecursionError:
        return "(deeply nested)"
    return text if len(text) <= 60 else f"{text[:60]}…"
