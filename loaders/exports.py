"""What reading exports yields: records, the problems of those that cannot be used, and counts."""

import hashlib
import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

Track = Callable[[Sequence[Any]], Iterable[Any]]


class UnreadableExport(Exception):
    """A file of which nothing can be used; the message names it."""


class BadValue(ValueError):
    """A value that makes its record useless: the field it is in, the value and the reason."""

    def __init__(self, field: str, value: object, reason: str) -> None:
        """Take the provider's name of the field, its value and what is wrong with it."""
        super().__init__(field, value, reason)
        self.field, self.value, self.reason = field, value, reason


@dataclass(frozen=True)
class Problem:
    """A record that cannot be used, and why; `place` is "line 96" or "record 3", both counted from 1."""

    file: str
    place: str
    field: str
    value: object
    reason: str

    def __str__(self) -> str:
        """Return one line for a person."""
        given = "" if self.value is None else f" {_short(self.value)}"
        return f"{self.file}, {self.place}: {self.field}{given} {self.reason}"


@dataclass
class Reading:
    """All that a set of export files says; `notes` counts what is odd but usable."""

    sources: list[dict[str, str]] = field(default_factory=list)
    records: list[Any] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    duplicates: int = 0
    notes: dict[str, int] = field(default_factory=dict)

    def note(self, what: str) -> None:
        """Count one more of something odd."""
        self.notes[what] = self.notes.get(what, 0) + 1


def open_export(path: Path, reading: Reading) -> str:
    """Return the text of a file and add it to the reading's sources; UnreadableExport if it is not UTF-8 text."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UnreadableExport(f"{path}: cannot be read: {error.strerror}") from error
    reading.sources.append({"file": file_name(path), "sha256": hashlib.sha256(content).hexdigest()})
    try:
        return content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = content[error.start]
        raise UnreadableExport(f"{path}: line {line} is not UTF-8 (byte 0x{byte:02X})") from error


def file_name(path: Path) -> str:
    """Return the name of a file as text that a database takes, whatever its bytes."""
    return os.fsencode(path.name).decode("utf-8", errors="replace")


def parse_json(path: Path, text: str) -> Any:
    """Return the JSON value that `text` writes; UnreadableExport names the line where it is broken."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise UnreadableExport(f"{path}: line {error.lineno} is not JSON: {error.msg}") from error


def text_of(field: str, value: object) -> str:
    """Return a provider's text with single spaces, "" for none; BadValue for what nobody can read."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadValue(field, value, "is neither text nor a number")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = " ".join(str(value).split())
    if any(unicodedata.category(char) == "Cc" for char in text):
        raise BadValue(field, value, "has a control character")
    return text


def everything(records: Sequence[Any]) -> Iterator[Any]:
    """Go through the records without showing progress."""
    return iter(records)


def _short(value: object) -> str:
    try:
        text = repr(value)
    except RecursionError:
        return "(deeply nested)"
    return text if len(text) <= 60 else f"{text[:60]}…"
