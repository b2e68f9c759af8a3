"""Export files as text: opened, unpacked, decoded and hashed while they are read."""

import csv
import gc
import gzip
import hashlib
import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TextIO

from loaders.errors import UnreadableFileError
from loaders.readers.result import ReadResult, SourceLocation

STANDARD_INPUT = Path("-")

_PIECE = 1 << 16
_GZIP = b"\x1f\x8b"
_PACKED_BY_GZIP = 31
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Export:
    """An open export: its text, to be read once, and its beginning."""

    path: Path
    text: TextIO
    head: str


@contextmanager
def open_export(path: Path, reading: ReadResult) -> Iterator[Export]:
    """Open an export and, once it was read, add it to the reading's sources.

    `-` is standard input; what is packed with gzip is unpacked; the sha256 is that of the file as it came.
    UnreadableFileError when the file cannot be read or unpacked or is not UTF-8.
    """
    try:
        with _open(path) as file:
            hashed = _Hashed(file)
            unpacked = _unpacked(hashed)
            head = unpacked.peek(_PIECE).decode("utf-8-sig", errors="replace")
            lines = _Lines(unpacked)
            with io.TextIOWrapper(lines, encoding="utf-8-sig", newline="") as text:
                yield Export(path, text, head)
                _read_out(text)
            reading.sources.append({"file": file_name(path), "sha256": hashed.sha256.hexdigest()})
    except UnicodeDecodeError as error:
        line = lines.before + error.object.count(b"\n", 0, error.start) + 1
        raise UnreadableFileError(path, _encoding(error), line) from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UnreadableFileError(path, f"cannot be unpacked: {error}") from error
    except OSError as error:
        raise UnreadableFileError(path, f"cannot be read: {error.strerror or error}") from error


def read_head(path: Path) -> str:
    """Return how an export begins, "" where that would take something from a pipe.

    UnreadableFileError when it cannot be read.
    """
    try:
        beginning = _waiting_bytes() if path == STANDARD_INPUT else _first_bytes(path)
    except OSError as error:
        raise UnreadableFileError(path, f"cannot be read: {error.strerror or error}") from error
    if beginning.startswith(_GZIP):
        # What is wrong with a packed file is told when it is read.
        with suppress(zlib.error):
            beginning = zlib.decompressobj(wbits=_PACKED_BY_GZIP).decompress(beginning, _PIECE)
    return beginning.decode("utf-8-sig", errors="replace")


def file_name(path: Path) -> str:
    """Return the name of a file as text that a database takes, whatever its bytes."""
    name = "standard input" if path == STANDARD_INPUT else path.name
    return os.fsencode(name).decode("utf-8", errors="replace")


def csv_rows(export: Export) -> Iterator[tuple[SourceLocation, list[str]]]:
    """Yield each row of a CSV export that is not empty, with the line it begins on."""
    reader = csv.reader(export.text, strict=True)
    begins = 1
    try:
        for values in reader:
            if values:
                yield SourceLocation(begins), values
            begins = reader.line_num + 1
    except csv.Error as error:
        raise UnreadableFileError(export.path, f"is not CSV: {error}", begins) from error


@contextmanager
def gc_disabled() -> Iterator[None]:
    """Disable cyclic garbage collection during bulk reads: records contain no cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class _Hashed(io.RawIOBase):
    """The bytes of a file, hashed as they are read."""

    def __init__(self, file: IO[bytes]) -> None:
        self.sha256 = hashlib.sha256()
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:
        data = self._file.read(len(buffer))
        self.sha256.update(data)
        buffer[: len(data)] = data
        return len(data)


class _Lines(io.BufferedIOBase):
    """Bytes whose lines are counted: `before` are those before the piece that was read last."""

    def __init__(self, file: IO[bytes]) -> None:
        self.before = 0
        self._file, self._last = file, b""

    def readable(self) -> bool:
        return True

    def read1(self, size: int = -1) -> bytes:
        self.before += self._last.count(b"\n")
        self._last = self._file.read(size)
        return self._last

    read = read1


def _open(path: Path) -> IO[bytes]:
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise UnreadableFileError(path, "standard input is closed")
        return nullcontext(sys.stdin.buffer)
    return path.open("rb")


def _waiting_bytes() -> bytes:
    # Standard input may be closed, and what stands in for it need not be able to peek.
    buffer = getattr(sys.stdin, "buffer", None)
    return buffer.peek() if hasattr(buffer, "peek") else b""


def _first_bytes(path: Path) -> bytes:
    if path.is_fifo():
        return b""
    with path.open("rb") as file:
        return file.read(_PIECE)


def _unpacked(file: io.RawIOBase) -> io.BufferedReader:
    buffered = io.BufferedReader(file, _PIECE)
    if buffered.peek(2)[:2] != _GZIP:
        return buffered
    return io.BufferedReader(gzip.GzipFile(fileobj=buffered), _PIECE)


def _read_out(text: TextIO) -> None:
    while text.read(_PIECE):
        pass


def _encoding(error: UnicodeDecodeError) -> str:
    if error.object[:2] in _UTF_16:
        return "is UTF-16, not UTF-8: export it as UTF-8"
    return f"is not UTF-8 (byte 0x{error.object[error.start]:02X}): export it as UTF-8"
