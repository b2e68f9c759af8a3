"""Errors and warnings about the content of exports."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

# What reads documents that no format is for, in the reasons of errors.
ROWS = "the rows of a profile (docs/data.md)"
NOT_SCALAR = "is neither text nor a number"
NOT_IN_DEGREES = "is in metres or feet, not in degrees"
NO_MEAL = "is missing: every dish needs a meal"
# Of a reason, which may quote megabytes of an export or of the response of a server.
_MAX_LENGTH = 2000


class UnreadableFileError(Exception):
    """A file or URL that cannot be read at all; the message names it and, if known, the line."""

    def __init__(self, path: Path | str, reason: str, line: int | None = None) -> None:
        reason = reason[:_MAX_LENGTH]
        super().__init__(f"{path}: {reason}" if line is None else f"{path}: line {line} {reason}")
        self.source, self.path = str(path), Path(path)
        self.reason, self.line = reason, line


class UnavailableFileError(UnreadableFileError):
    """A URL that cannot be downloaded now, but perhaps later."""


class MissingFileError(UnreadableFileError):
    """A URL that the server does not have."""


class InvalidValue(ValueError):
    """A value that makes its record unusable: the provider's field name, the value and the reason."""

    def __init__(self, field: str, value: object, reason: str) -> None:
        super().__init__(field, value, reason)
        self.field, self.value, self.reason = field, value, reason

    def __str__(self) -> str:
        value = "" if self.value is None else f" {self.value!r:.80}"
        return f"{self.field}{value} {self.reason}"


def require_valid(record: Any) -> Any:
    """Return a record, or raise the InvalidValue that stands for one."""
    if isinstance(record, InvalidValue):
        raise record
    return record


@dataclass(frozen=True, slots=True)
class DataWarning:
    """A suspicious value in a record that can be used."""

    field: str
    value: object
    reason: str
