"""Export files as text: opened, decompressed, decoded and hashed while they are read."""

import gzip
import hashlib
import io
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from loaders.code_pages import code_page, needed_encoding, wide_encoding
from loaders.errors import DataWarning, UnreadableFileError
from loaders.result import ReadResult
from loaders.sources.content import MAX_EXPANDED_BYTES, MAX_EXPANSION, ZIP_MAGIC, describe_foreign, is_bomb, open_member

CHUNK_SIZE = 1 << 16

_GZIP_MAGIC = b"\x1f\x8b"
_READ_ERRORS = (OSError, EOFError, zipfile.BadZipFile, zlib.error)
UTF_8 = "utf-8-sig"
# Between the names of a workbook and of a sheet in the names of its files.
SHEET = ", sheet "
# Bytes that are not UTF-8, as Python escapes them, and the characters of cp1252 for them. Older encodings have accented
# letters in place of its rarer ones.
_ESCAPED = re.compile("[\udc80-\udcff]")
# The first bytes of a last letter of UTF-8, unlike an accented one of cp1252: "CafÃ" is no word.
_CUT = re.compile("[^\udc80-\udcff]*(\udcc3|(?<=[a-z])[\udcc2-\udcdf]|[\udce0-\udcf4][\udc80-\udcbf]{1,2})")
_CP1252 = {
    0xDC00 + byte: bytes([byte]).decode("cp1252") for byte in (0x85, *range(0x91, 0x98), 0x99, *range(0xA0, 0x100))
}


@dataclass(frozen=True)
class Export:
    """An open export: its text or its bytes, of which one can be read once, its first characters, and its source.

    The source is its path or its URL, `code_page` that of text that is not UTF-8, if it is known. `is_plain_file` is
    whether the path is that of a file or folder with the same bytes. `reopen` opens it another time.
    """

    path: Path
    text: "_ExportText"
    head: str
    source: str
    binary: io.BufferedIOBase
    code_page: str | None
    is_plain_file: bool
    reopen: Callable[[], AbstractContextManager["Export"]]


@contextmanager
def open_export(path: Path, result: ReadResult | None, encoding: str | None = UTF_8) -> Iterator[Export]:
    """Open an export and, after reading it, add its name, SHA-256 and URL to the sources of the result, if any.

    Gzip files, and ZIP archives of one text file, are decompressed; the hash is that of the compressed file. Without an
    encoding it is UTF-16, or else UTF-8, or cp1252 where bytes are not UTF-8: providers join exports of several
    programs. It is recorded with the source unless all is UTF-8.
    UnreadableFileError if the file cannot be read, decompressed or decoded.
    """
    with ExitStack() as stack:
        try:
            raw = stack.enter_context(main_file(path).open("rb", buffering=0))
            file: io.BufferedReader = io.BufferedReader(raw, CHUNK_SIZE)
            size = os.fstat(raw.fileno()).st_size
            decompressed = stack.enter_context(_decompress(file, path))
            first_bytes = decompressed.peek(CHUNK_SIZE)
        except _READ_ERRORS as error:
            raise _unreadable(path, error) from error
        if foreign := describe_foreign(first_bytes):
            raise UnreadableFileError(path, f"is {foreign}")
        detected = encoding or wide_encoding(first_bytes) or UTF_8
        page = None if encoding or detected != UTF_8 else code_page(first_bytes, "cp1252")
        counting = _LineCountingReader(decompressed, size, path)
        with _ExportText(counting, detected, page, is_guess=not encoding) as text:
            reopen = partial(open_export, path, result and ReadResult(origins=result.origins), encoding)
            source = str(result.origins.get(path, path)) if result else str(path)
            yield Export(path, text, text.decode(first_bytes), source, counting, page, decompressed is file, reopen)
        if result is None:
            return
        file.seek(0)
        digested = {"file": file_name(main_file(path)), "sha256": hashlib.file_digest(file, "sha256").hexdigest()}
        if isinstance(url := result.origins.get(path), str):
            digested["url"] = url
        used = "cp1252" if text.has_cp1252 else detected
        if page not in (None, "cp1252") and text.has_cp1252:
            result.add_warnings(file_name(path), [DataWarning("text", None, needed_encoding(page))])
        result.sources.append(digested if used == UTF_8 else digested | {"encoding": used})


def read_head(path: Path) -> str:
    """Return the first characters of an export; UnreadableFileError if it cannot be read."""
    with open_export(path, None, None) as export:
        return export.head


def main_file(path: Path) -> Path:
    """Return the first .shp file of a folder, otherwise the path."""
    files = sorted(path.iterdir()) if path.is_dir() else []
    return next((file for file in files if file.suffix.lower() == ".shp"), path)


def sheet_name(path: Path) -> str:
    """Return the name of the sheet of a workbook that a file is, "" if it is none."""
    return path.name.partition(SHEET)[2]


def file_name(path: Path) -> str:
    """Return the name of a file as valid Unicode, whatever its bytes."""
    return os.fsencode(path.name).decode("utf-8", errors="replace")


class _LineCountingReader(io.BufferedIOBase):
    """A buffered stream that counts lines; `lines_before` excludes the `last_chunk`, which is empty at the end.

    UnreadableFileError if it cannot be read or decompressed, or if gzip has expanded the file too much.
    """

    def __init__(self, file: io.BufferedReader, size: int, path: Path) -> None:
        self.lines_before = 0
        self.path = path
        self._bytes_read = 0
        self._file = file
        self._size = size
        self.last_chunk = b""

    def readable(self) -> bool:
        return True

    def read1(self, size: int | None = -1) -> bytes:
        self.lines_before += self.last_chunk.count(b"\n")
        try:
            self.last_chunk = self._file.read(size)
        except _READ_ERRORS as error:
            raise _unreadable(self.path, error) from error
        self._bytes_read += len(self.last_chunk)
        if is_bomb(self._bytes_read, self._size):
            reason = f"is {MAX_EXPANSION} times as large decompressed, over {MAX_EXPANDED_BYTES:,} bytes"
            raise UnreadableFileError(self.path, reason, self.lines_before + 1)
        return self.last_chunk

    read = read1


class _ExportText(io.TextIOWrapper):
    """The text of an export; UnreadableFileError if it cannot be decoded.

    In UTF-8 that is a guess, what is not UTF-8 is cp1252.
    """

    def __init__(self, binary: _LineCountingReader, encoding: str, page: str | None, *, is_guess: bool) -> None:
        errors = "surrogateescape" if is_guess and encoding == UTF_8 else "strict"
        # typeshed requires a buffer with a name, which only `name` reads.
        super().__init__(binary, encoding=encoding, errors=errors, newline="")  # type: ignore[arg-type]
        self.has_cp1252 = False
        self._binary = binary
        hint = f"; it {needed_encoding(page)}" if page else "; a profile can name another encoding"
        self._hint = hint if is_guess else ""
        self._lines = 0

    def read(self, size: int | None = -1) -> str:
        try:
            return self._unescape(super().read(size))
        except UnicodeError as error:
            raise self._undecodable(error) from error

    def readline(self, size: int = -1) -> str:  # type: ignore[override]
        try:
            return self._unescape(super().readline(size))
        except UnicodeError as error:
            raise self._undecodable(error) from error

    def decode(self, first_bytes: bytes) -> str:
        """Return the first characters, with replacements for those that are not in the encoding."""
        try:
            return first_bytes.decode(self.encoding, errors="replace")
        except UnicodeError as error:
            raise self._undecodable(error) from error

    def _unescape(self, text: str) -> str:
        """Return a text with the characters of cp1252 for the bytes that are not UTF-8."""
        if not text.isascii() and _ESCAPED.search(text):
            if not (self._binary.last_chunk or self.has_cp1252) and _CUT.fullmatch(text):
                reason = "ends within a letter of UTF-8: it is cut off"
                raise UnreadableFileError(self._binary.path, reason, self._lines + text.count("\n") + 1)
            unknown = next((each for each in _ESCAPED.finditer(text) if ord(each[0]) not in _CP1252), None)
            if unknown:
                line = self._lines + text.count("\n", 0, unknown.start()) + 1
                reason = f"is not UTF-8 (byte 0x{ord(unknown[0]) - 0xDC00:02X}): export it as UTF-8{self._hint}"
                raise UnreadableFileError(self._binary.path, reason, line)
            text, self.has_cp1252 = text.translate(_CP1252), True
        self._lines += text.count("\n")
        return text

    def _undecodable(self, error: UnicodeError) -> UnreadableFileError:
        if not isinstance(error, UnicodeDecodeError):
            # Of an encoding as a whole: UTF-16 without a byte order mark, or one that is not for files.
            reason = f"is not {self.encoding}: {error}; correct encoding in the profile"
            return UnreadableFileError(self._binary.path, reason)
        line = self._binary.lines_before + error.object.count(b"\n", 0, error.start) + 1
        name = "UTF-8" if self.encoding == UTF_8 else self.encoding
        reason = f"is not {name} (byte 0x{error.object[error.start]:02X})"
        return UnreadableFileError(self._binary.path, f"{reason}: export it as UTF-8{self._hint}", line)


def _unreadable(path: Path, error: Exception) -> UnreadableFileError:
    if isinstance(error, OSError) and not isinstance(error, gzip.BadGzipFile):
        return UnreadableFileError(path, f"cannot be read: {error.strerror or error}")
    return UnreadableFileError(path, f"cannot be decompressed: {error}")


@contextmanager
def _decompress(file: io.BufferedReader, path: Path) -> Iterator[io.BufferedReader]:
    magic = file.peek(len(ZIP_MAGIC))
    if magic.startswith(_GZIP_MAGIC):
        yield io.BufferedReader(gzip.GzipFile(fileobj=file), CHUNK_SIZE)
    elif magic.startswith(ZIP_MAGIC) and path.is_file():
        with open_member(path) as member:
            yield io.BufferedReader(member, CHUNK_SIZE) if member else file  # type: ignore[arg-type]
    else:
        yield file
