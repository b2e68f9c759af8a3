"""Strict JSON values and tokens (RFC 8259) from a text stream, in bounded memory, with line numbers."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn, TextIO

from loaders.errors import InvalidValue, UnreadableFileError

# RFC 8142 puts a record separator before each value of a sequence.
RECORD_SEPARATOR = "\x1e"
# MongoDB stores at most 16 MB in a document, and Python objects take up to 30 times as much memory as their text.
MAX_VALUE_LENGTH = 1 << 24

_CHUNK_SIZE = 1 << 18
_TOKEN_START = re.compile(rf"[^ \t\n\r{RECORD_SEPARATOR}]")
# A syntax error this close to the end of the buffer may be caused by a value that is not yet complete.
_LOOKAHEAD = 16


class JsonScanner:
    """JSON tokens from a buffer that is refilled from a text stream."""

    def __init__(self, path: Path, text: TextIO) -> None:
        self.line = 1
        self.offset = 0
        self._path = path
        self._text = text
        self._buffer = ""
        self._position = 0
        self._duplicates: list[str] = []
        self._decoder = json.JSONDecoder(object_pairs_hook=self._object, parse_constant=self._reject_constant)

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
                is_cut_off = error.msg.startswith("Unterminated string") or error.pos > len(self._buffer) - _LOOKAHEAD
                if not (is_cut_off and self._fill()):
                    self._advance(min(error.pos, len(self._buffer)))
                    self.fail(f"is not JSON: {error.msg}")
            except ValueError:
                self.fail("has a number with too many digits")
            except RecursionError:
                self.fail("is nested too deeply")
            else:
                length = end - self._position
                # A number may continue in the next chunk, and the decoder leaves out a "." or "e-" before it.
                if end < len(self._buffer) - 2 or not self._fill():
                    self._advance(self._position + length)
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

    def _reject_constant(self, name: str) -> NoReturn:
        self.fail(f"has {name}, which is not a JSON number")

    def _advance(self, position: int) -> None:
        self.line += self._buffer.count("\n", self._position, position)
        self.offset += position - self._position
        self._position = position

    def _fill(self) -> bool:
        """Read another chunk, doubling the buffer for long values; return whether there was any."""
        rest = self._buffer[self._position :]
        if len(rest) > MAX_VALUE_LENGTH:
            self.fail(f"has a JSON value of more than {MAX_VALUE_LENGTH:,} characters")
        chunk = self._text.read(max(_CHUNK_SIZE, len(rest)))
        self._buffer = rest + chunk
        self._position = 0
        return bool(chunk)
