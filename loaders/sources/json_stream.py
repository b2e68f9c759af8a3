"""Strict, incremental JSON reader: the records of one list, in bounded memory, with line numbers."""

import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NoReturn, TextIO

from loaders.errors import InvalidValue, UnreadableFileError
from loaders.result import SourceLocation
from loaders.sources.files import Export

_CHUNK_SIZE = 1 << 18
# RFC 8142 puts a record separator before each value of a sequence.
_RECORD_SEPARATOR = "\x1e"
_TOKEN_START = re.compile(rf"[^ \t\n\r{_RECORD_SEPARATOR}]")
_LIST = re.compile(r'"([^"\\]+)"\s*:\s*\[\s*\{')
_MAX_DEPTH = 3
# A syntax error this close to the end of the buffer may be caused by a value that is not yet complete.
_LOOKAHEAD = 16
# MongoDB stores at most 16 MB in a document, and Python objects take up to 30 times as much memory as their text.
_MAX_VALUE_LENGTH = 1 << 24


class JsonRecordReader:
    """Iterator over the records of a JSON array, of a sequence of values, or of lists in a JSON object.

    The lists may be in a nested object. `members` has the members of that object that were read so far: those before
    the list while iterating, all of them afterwards. `list_name` is the name of the current list. In place of a record
    with a duplicate key it yields the InvalidValue that says so. Of duplicate keys outside of the records the last one
    is used, but `unique_names` and lists with two values raise UnreadableFileError, as do NaN and Infinity.
    """

    def __init__(self, export: Export, list_names: Collection[str] = (), unique_names: Collection[str] = ()) -> None:
        self.members: dict[str, Any] = {}
        self.list_name: str | None = None
        self._scanner = _Scanner(export.path, export.text)
        self._list_names = list_names
        self._unique_names = {*list_names, *unique_names}
        self._is_sequence = _is_sequence(export.head)
        self._members_length = 0

    def __iter__(self) -> Iterator[tuple[SourceLocation, Any]]:
        """Yield each record with its location; can be iterated only once."""
        scanner = self._scanner
        if self._is_sequence:
            yield from self._sequence()
        elif scanner.peek() == "[":
            yield from self._records()
        elif scanner.peek() == "{":
            yield from self._object(self.members)
        else:
            self.members[""] = scanner.value()
        if scanner.peek():
            scanner.fail("has data after the end of its JSON value")

    @property
    def line(self) -> int:
        """Return the current line."""
        return self._scanner.line

    def _object(self, members: dict[str, Any], depth: int = 1) -> Iterator[tuple[SourceLocation, Any]]:
        for _ in self._scanner.items("{", "}"):
            key = self._key()
            if key in self._list_names and self._scanner.peek() == "[":
                self._start_list(key, members)
                yield from self._records()
            elif self.list_name is None and depth < _MAX_DEPTH and self._scanner.peek() == "{":
                nested: dict[str, Any] = {}
                yield from self._object(nested, depth + 1)
                self._add(key, nested, members)
            else:
                self._add(key, self._member(), members)

    def _member(self) -> Any:
        """Return a value outside of the records; together they are limited, because they stay in memory."""
        start = self._scanner.offset
        value = self._scanner.value()
        self._members_length += self._scanner.offset - start
        if self._members_length > _MAX_VALUE_LENGTH:
            self._scanner.fail(f"has more than {_MAX_VALUE_LENGTH:,} characters outside of its records")
        return value

    def _key(self) -> str:
        if self._scanner.peek() != '"':
            self._scanner.fail("is not JSON: expected a key in double quotes")
        key = self._scanner.value()
        self._scanner.expect(":")
        return key

    def _start_list(self, key: str, members: dict[str, Any]) -> None:
        if key in members or (self.list_name is not None and members is not self.members):
            self._scanner.fail(f"has another list of records {key!r}")
        self.list_name = key
        self.members = members
        members[key] = []

    def _add(self, key: str, value: Any, members: dict[str, Any]) -> None:
        if key in self._unique_names and members is self.members and members.get(key, value) != value:
            self._scanner.fail(f"has a duplicate key {key!r}")
        members[key] = value

    def _sequence(self) -> Iterator[tuple[SourceLocation, Any]]:
        index = 0
        while self._scanner.peek():
            index += 1
            location = SourceLocation(self._scanner.line, index)
            yield location, self._scanner.record()

    def _records(self) -> Iterator[tuple[SourceLocation, Any]]:
        for index in self._scanner.items("[", "]"):
            self._scanner.peek()
            location = SourceLocation(self._scanner.line, index)
            yield location, self._scanner.record()


def read_array(export: Export, items: str) -> Iterator[tuple[SourceLocation, Any]]:
    """Yield each record of an array, a sequence or the first list of objects in an object, with its location.

    UnreadableFileError for anything else.
    """
    reader = JsonRecordReader(export, [name for name in _LIST.findall(export.head)[:1] if not _is_array(export.head)])
    yield from reader
    if reader.members and reader.list_name is None:
        raise UnreadableFileError(export.path, f"is not a JSON array of {items}")


class StrictJsonError(ValueError):
    """JSON that Python's decoder accepts but RFC 8259 forbids or discourages."""


class _Scanner:
    """JSON tokens from a buffer that is refilled from a text stream."""

    def __init__(self, path: Path, text: TextIO) -> None:
        self.line = 1
        self.offset = 0
        self._path = path
        self._text = text
        self._buffer = ""
        self._position = 0
        self._duplicates: list[str] = []
        self._decoder = json.JSONDecoder(object_pairs_hook=self._object, parse_constant=_reject_constant)

    def items(self, opening: str, closing: str) -> Iterator[int]:
        """Yield the index, from 1, of each item of an array or object; the caller consumes the item."""
        self.expect(opening)
        index = 0
        while index or self.peek() != closing:
            index += 1
            yield index
            if self.peek() == closing:
                break
            self.expect(",")
        self.expect(closing)

    def peek(self) -> str:
        """Return the next character that is not whitespace, "" at the end."""
        while True:
            token = _TOKEN_START.search(self._buffer, self._position)
            self._advance(token.start() if token else len(self._buffer))
            if token:
                return token[0]
            if not self._fill():
                return ""

    def expect(self, char: str) -> None:
        """Consume this character."""
        if self.peek() != char:
            self.fail(f"is not JSON: expected {char!r}")
        self._advance(self._position + 1)

    def record(self) -> Any:
        """Consume and return the next value, or an InvalidValue if one of its objects has a duplicate key."""
        value = self.value()
        return InvalidValue(self._duplicates[0], None, "is a duplicate key") if self._duplicates else value

    def value(self) -> Any:
        """Consume and return the next value."""
        self.peek()
        while True:
            self._duplicates.clear()
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._position)
            except json.JSONDecodeError as error:
                if not (self._may_be_incomplete(error) and self._fill()):
                    self._advance(min(error.pos, len(self._buffer)))
                    self.fail(f"is not JSON: {error.msg}")
            except StrictJsonError as error:
                self.fail(str(error))
            except ValueError:
                self.fail("has a number with too many digits")
            except RecursionError:
                self.fail("is nested too deeply")
            else:
                # A number at the end of the buffer may continue in the next chunk.
                if end < len(self._buffer) or not self._fill():
                    self._advance(end)
                    return value

    def fail(self, reason: str) -> NoReturn:
        """Raise UnreadableFileError for the current line."""
        raise UnreadableFileError(self._path, reason, self.line) from None

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            keys = [key for key, _ in pairs]
            self._duplicates.append(next(key for key in keys if keys.count(key) > 1))
        return members

    def _may_be_incomplete(self, error: json.JSONDecodeError) -> bool:
        return error.msg.startswith("Unterminated string") or error.pos > len(self._buffer) - _LOOKAHEAD

    def _advance(self, position: int) -> None:
        self.line += self._buffer.count("\n", self._position, position)
        self.offset += position - self._position
        self._position = position

    def _fill(self) -> bool:
        """Read another chunk, doubling the buffer for long values; return whether there was any."""
        rest = self._buffer[self._position :]
        if len(rest) > _MAX_VALUE_LENGTH:
            self.fail(f"has a JSON value of more than {_MAX_VALUE_LENGTH:,} characters")
        chunk = self._text.read(max(_CHUNK_SIZE, len(rest)))
        self._buffer = rest + chunk
        self._position = 0
        return bool(chunk)


def _is_array(head: str) -> bool:
    return head.lstrip().startswith("[")


def _is_sequence(head: str) -> bool:
    """Return whether a text is a sequence of JSON objects: newline-delimited, or RFC 8142."""
    if head.startswith(_RECORD_SEPARATOR):
        return True
    line, _, rest = head.lstrip().partition("\n")
    return line.startswith("{") and line.rstrip().endswith("}") and rest.lstrip().startswith("{")


def _reject_constant(name: str) -> NoReturn:
    raise StrictJsonError(f"has {name}, which is not a JSON number")
