"""Export files as text: opened, decompressed, decoded and hashed while they are read."""

import csv
import gc
import gzip
import hashlib
import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TextIO

from loaders.errors import UnreadableFileError
from loaders.readers.result import ReadResult, SourceLocation

STDIN = Path("-")
CHUNK_SIZE = 1 << 16

_HEAD_LINES = 20
_GZIP_MAGIC = b"\x1f\x8b"
# 16 selects the gzip format, 15 the largest window: https://docs.python.org/3/library/zlib.html#zlib.decompressobj
_GZIP_WBITS = 16 + zlib.MAX_WBITS
_UTF_16_BOMS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Export:
    """An open export: its text or its bytes, of which one can be read once, and its first characters.

    `is_plain_file` is whether the path is that of a file or folder with the same bytes.
    """

    path: Path
    text: TextIO
    head: str
    binary: io.BufferedIOBase
    is_plain_file: bool


@contextmanager
def open_export(path: Path, result: ReadResult) -> Iterator[Export]:
    """Open an export and, after reading it, add its name and SHA-256 to the sources of the result.

    `-` is standard input. Gzip files are decompressed; the hash is that of the compressed file.
    UnreadableFileError if the file cannot be read or decompressed, or is not UTF-8.
    """
    try:
        with _open(path) as file:
            hashing = _HashingReader(file)
            decompressed = _decompress(hashing)
            head = decompressed.peek(CHUNK_SIZE).decode("utf-8-sig", errors="replace")
            counting = _LineCountingReader(decompressed)
            # typeshed requires a buffer with a name, which only `text.name` reads.
            with io.TextIOWrapper(counting, encoding="utf-8-sig", newline="") as text:  # type: ignore[type-var]
                is_plain_file = decompressed.raw is hashing and main_file(path).is_file() and path != STDIN
                yield Export(path, text, head, counting, is_plain_file)
                _drain(counting)
            result.sources.append({"file": file_name(main_file(path)), "sha256": hashing.sha256.hexdigest()})
    except UnicodeDecodeError as error:
        line = counting.lines_before + error.object.count(b"\n", 0, error.start) + 1
        raise UnreadableFileError(path, _describe_encoding(error), line) from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UnreadableFileError(path, f"cannot be decompressed: {error}") from error
    except OSError as error:
        raise UnreadableFileError(path, f"cannot be read: {error.strerror or error}") from error


def read_head(path: Path) -> str:
    """Return the first characters of an export without consuming them, "" for a pipe.

    UnreadableFileError if the file cannot be read.
    """
    try:
        head = _peek_stdin() if path == STDIN else _read_first_bytes(path)
    except OSError as error:
        raise UnreadableFileError(path, f"cannot be read: {error.strerror or error}") from error
    if head.startswith(_GZIP_MAGIC):
        # open_export reports corrupt files.
        with suppress(zlib.error):
            head = zlib.decompressobj(wbits=_GZIP_WBITS).decompress(head, CHUNK_SIZE)
    return head.decode("utf-8-sig", errors="replace")


def main_file(path: Path) -> Path:
    """Return the first .shp file of a folder, otherwise the path."""
    files = sorted(path.iterdir()) if path.is_dir() else []
    return next((file for file in files if file.suffix.lower() == ".shp"), path)


def file_name(path: Path) -> str:
    """Return the name of a file as valid Unicode, whatever its bytes."""
    name = "standard input" if path == STDIN else path.name
    return os.fsencode(name).decode("utf-8", errors="replace")


def is_json(head: str) -> bool:
    """Return whether a text begins like a JSON array, object or sequence (RFC 8142)."""
    return head.lstrip(" \t\r\n\x1e")[:1] in ("[", "{")


def csv_head(head: str) -> list[list[str]]:
    """Return the first rows of a text that begins like CSV, none of JSON."""
    return [] if is_json(head) else list(csv.reader(head.splitlines()[:_HEAD_LINES]))


def csv_rows(export: Export, delimiter: str = ",") -> Iterator[tuple[SourceLocation, list[str]]]:
    """Yield each row of a CSV export that is not empty, with its first line."""
    reader = csv.reader(export.text, strict=True, delimiter=delimiter)
    first_line = 1
    try:
        for values in reader:
            if values:
                yield SourceLocation(first_line), values
            first_line = reader.line_num + 1
    except csv.Error as error:
        raise UnreadableFileError(export.path, f"is not CSV: {error}", first_line) from error


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


class _HashingReader(io.RawIOBase):
    """A raw stream that hashes the bytes read from a file."""

    def __init__(self, file: IO[bytes]) -> None:
        self.sha256 = hashlib.sha256()
        self._file = file

    def readable(self) -> bool:
        return True

    # BufferedReader always passes a memoryview.
    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._file.read(len(buffer))
        self.sha256.update(data)
        buffer[: len(data)] = data
        return len(data)


class _LineCountingReader(io.BufferedIOBase):
    """A buffered stream that counts lines; `lines_before` excludes the last chunk."""

    def __init__(self, file: io.BufferedReader) -> None:
        self.lines_before = 0
        self._file = file
        self._last_chunk = b""

    def readable(self) -> bool:
        return True

    def read1(self, size: int | None = -1) -> bytes:
        self.lines_before += self._last_chunk.count(b"\n")
        self._last_chunk = self._file.read(size)
        return self._last_chunk

    read = read1


def _open(path: Path) -> AbstractContextManager[IO[bytes]]:
    if path == STDIN:
        if sys.stdin is None:
            raise UnreadableFileError(path, "standard input is closed")
        return nullcontext(sys.stdin.buffer)
    return main_file(path).open("rb")


def _peek_stdin() -> bytes:
    # sys.stdin is None if closed, and a replacement may have no buffer or no peek().
    buffer: Any = getattr(sys.stdin, "buffer", None)
    return buffer.peek() if hasattr(buffer, "peek") else b""


def _read_first_bytes(path: Path) -> bytes:
    if path.is_fifo():
        return b""
    with main_file(path).open("rb") as file:
        return file.read(CHUNK_SIZE)


def _decompress(file: io.RawIOBase) -> io.BufferedReader:
    buffered: io.BufferedReader = io.BufferedReader(file, CHUNK_SIZE)
    if buffered.peek(2)[:2] != _GZIP_MAGIC:
        return buffered
    return io.BufferedReader(gzip.GzipFile(fileobj=buffered), CHUNK_SIZE)


def _drain(file: io.BufferedIOBase) -> None:
    while file.read(CHUNK_SIZE):
        pass


def _describe_encoding(error: UnicodeDecodeError) -> str:
    if error.object[:2] in _UTF_16_BOMS:
        return "is UTF-16, not UTF-8: export it as UTF-8"
    return f"is not UTF-8 (byte 0x{error.object[error.start]:02X}): export it as UTF-8"
