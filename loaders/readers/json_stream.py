"""JSON exports read strictly and piece by piece: the records of one list, however long the file is."""

import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NoReturn, TextIO

from loaders.errors import UnreadableFileError
from loaders.readers.files import Export
from loaders.readers.result import SourceLocation

_PIECE = 1 << 18
_SPACE = re.compile(r"[ \t\n\r]*")
# An error this close to the end of what was read may only mean that the rest of the value is still to come.
_CUT_OFF = 16


class JsonRecordReader:
    """The records in the list of a JSON text: the outermost one, or the one that an outermost object has.

    `head` holds the members of that object that stand before the list; once all records were read, all others too.
    Duplicate keys, NaN and Infinity are errors: UnreadableFileError names the line.
    """

    def __init__(self, export: Export, lists: Collection[str] = ()) -> None:
        """Take an export to read and the names that the list may have in an outermost object."""
        self.head: dict[str, Any] = {}
        self.found: str | None = None
        self._scanner = _Scanner(export.path, export.text)
        self._lists = lists

    def __iter__(self) -> Iterator[tuple[SourceLocation, Any]]:
        """Yield every record with its place; the records can be gone through once."""
        scanner = self._scanner
        if scanner.peek() == "[":
            yield from self._records()
        elif scanner.peek() == "{":
            yield from self._members()
        else:
            self.head[""] = scanner.value()
        if scanner.peek():
            scanner.fail("goes on after the end of its JSON value")

    @property
    def line(self) -> int:
        """Return the line up to which the text was read."""
        return self._scanner.line

    def _members(self) -> Iterator[tuple[SourceLocation, Any]]:
        for _ in self._scanner.items("{", "}"):
            key = self._key()
            if key in self._lists and self._scanner.peek() == "[":
                self.found = key
                self.head[key] = []
                yield from self._records()
            else:
                self.head[key] = self._scanner.value()

    def _key(self) -> str:
        if self._scanner.peek() != '"':
            self._scanner.fail("is not JSON: a name in double quotes is missing")
        key = self._scanner.value()
        if key in self.head:
            self._scanner.fail(f"has the key {key!r} twice in one object")
        self._scanner.take(":")
        return key

    def _records(self) -> Iterator[tuple[SourceLocation, Any]]:
        for number in self._scanner.items("[", "]"):
            self._scanner.peek()
            place = SourceLocation(self._scanner.line, number)
            yield place, self._scanner.value()


class _NotStrict(ValueError):
    """What Python takes for JSON and JSON does not have."""


class _Scanner:
    """A JSON text of which only the piece at hand is in memory."""

    def __init__(self, path: Path, text: TextIO) -> None:
        self.line = 1
        self._path, self._text = path, text
        self._piece, self._at, self._ended = "", 0, False
        self._decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)

    def items(self, opening: str, closing: str) -> Iterator[int]:
        """Stand at each item of a list or an object, which the caller takes; yield numbers from 1."""
        self.take(opening)
        number = 0
        while number or self.peek() != closing:
            number += 1
            yield number
            if self.peek() == closing:
                break
            self.take(",")
        self.take(closing)

    def peek(self) -> str:
        """Return the next character that is not space, "" at the end."""
        while True:
            self._go(_SPACE.match(self._piece, self._at).end())
            if self._at < len(self._piece):
                return self._piece[self._at]
            if not self._read_on():
                return ""

    def take(self, char: str) -> None:
        """Step over a character that must come next."""
        if self.peek() != char:
            self.fail(f"is not JSON: {char!r} is missing")
        self._go(self._at + 1)

    def value(self) -> Any:
        """Return the value that comes next."""
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._piece, self._at)
            except json.JSONDecodeError as error:
                if not (self._may_go_on(error) and self._read_on()):
                    self._go(min(error.pos, len(self._piece)))
                    self.fail(f"is not JSON: {error.msg}")
            except _NotStrict as error:
                self.fail(str(error))
            except ValueError:
                self.fail("has a number of too many digits")
            except RecursionError:
                self.fail("is nested too deeply")
            else:
                # What ends with the piece may be the beginning of a longer number.
                if end < len(self._piece) or not self._read_on():
                    self._go(end)
                    return value

    def fail(self, reason: str) -> NoReturn:
        """Say where the text is wrong."""
        raise UnreadableFileError(self._path, reason, self.line) from None

    def _may_go_on(self, error: json.JSONDecodeError) -> bool:
        return error.msg.startswith("Unterminated string") or error.pos > len(self._piece) - _CUT_OFF

    def _go(self, position: int) -> None:
        self.line += self._piece.count("\n", self._at, position)
        self._at = position

    def _read_on(self) -> bool:
        """Read another piece, the longer the longer the value is; tell whether there was any."""
        rest = self._piece[self._at :]
        new = self._text.read(max(_PIECE, len(rest)))
        self._piece, self._at = rest + new, 0
        return bool(new)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _NotStrict(f"has the key {twice!r} twice in one object")
    return found


def _constant(name: str) -> NoReturn:
    raise _NotStrict(f"has {name}, which is no number in JSON")
