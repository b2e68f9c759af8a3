import gzip
import hashlib
import io
import os
import subprocess
import sys
import zipfile
from codecs import BOM_UTF8

import pytest

from loaders.errors import UnreadableFileError
from loaders.result import ReadResult
from loaders.sources.files import STDIN, open_export, read_head

COPY = "import sys; from loaders import result; from loaders.sources import files; result = result.ReadResult();"
COPY += "export = files.open_export(files.STDIN, result);"
COPY += "print(export.__enter__().text.read()); export.__exit__(None, None, None); print(result.sources)"

OFFICE = "an Excel workbook or another Office document: save it as CSV"


def text_in(path, result=None):
    with open_export(path, result or ReadResult()) as export:
        return export.text.read()


def error_of(path):
    with pytest.raises(UnreadableFileError) as error:
        text_in(path)
    return str(error.value).removeprefix(f"{path}: ")


@pytest.mark.parametrize(
    "content", ["Café".encode(), BOM_UTF8 + "Café".encode()], ids=["without a mark", "with a byte order mark"]
)
def test_an_export_is_read_as_utf_8(save, content):
    assert text_in(save(content)) == "Café"


def test_line_ends_are_unchanged(save):
    assert text_in(save(b"one\r\ntwo\n")) == "one\r\ntwo\n"


@pytest.mark.parametrize("read", [0, 4, 10])
def test_an_export_is_a_source_with_its_name_and_hash_even_if_partly_read(save, read):
    result = ReadResult()

    with open_export(save(b"some bytes", "menu.csv"), result) as export:
        export.text.read(read)

    assert result.sources == [{"file": "menu.csv", "sha256": hashlib.sha256(b"some bytes").hexdigest()}]


def test_the_head_of_an_export_is_not_consumed(save):
    with open_export(save(BOM_UTF8 + "Café\n".encode() * 50_000), ReadResult()) as export:
        sample, text = export.head, export.text.read()

    assert sample.startswith("Café\nCafé")
    assert text == "Café\n" * 50_000


def test_a_gzip_file_is_decompressed_and_hashed_compressed(save):
    packed, result = gzip.compress(b"line\n" * 100_000), ReadResult()

    text = text_in(save(packed, "menu.csv.gz"), result)

    assert text == "line\n" * 100_000
    assert result.sources == [{"file": "menu.csv.gz", "sha256": hashlib.sha256(packed).hexdigest()}]


@pytest.mark.parametrize("end", [20, -5])
def test_a_truncated_gzip_file_is_an_error(save, end):
    packed = gzip.compress(os.urandom(100_000))

    assert error_of(save(packed[:end], "menu.csv.gz")).startswith("cannot be decompressed: ")


def test_a_corrupt_gzip_file_is_an_error(save):
    packed = bytearray(gzip.compress(b"line\n" * 100))
    packed[-6] ^= 1

    assert error_of(save(bytes(packed), "menu.csv.gz")).startswith("cannot be decompressed: ")


def test_standard_input_is_read_like_a_file():
    result = subprocess.run([sys.executable, "-c", COPY], input="Café".encode(), capture_output=True, check=True)

    text, sources = result.stdout.decode().splitlines()
    assert (text, STDIN.name) == ("Café", "-")
    assert "'standard input'" in sources
    assert hashlib.sha256("Café".encode()).hexdigest() in sources


def test_a_missing_file_is_an_error(tmp_path):
    assert error_of(tmp_path / "nowhere.csv") == "cannot be read: No such file or directory"


def test_a_directory_is_an_error(tmp_path):
    assert error_of(tmp_path) == "cannot be read: Is a directory"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xe9", "line 1 is not UTF-8 (byte 0xE9): export it as UTF-8"),
        (b"first\nsecond\nCaf\xe9\nfourth\n", "line 3 is not UTF-8 (byte 0xE9): export it as UTF-8"),
        (b"first\r\nsecond\xff\r\n", "line 2 is not UTF-8 (byte 0xFF): export it as UTF-8"),
        (BOM_UTF8 + b"first\n\xe9", "line 2 is not UTF-8 (byte 0xE9): export it as UTF-8"),
        (b"line\n" * 50_000 + b"\xe9", "line 50001 is not UTF-8 (byte 0xE9): export it as UTF-8"),
        (b"line\xc3", "line 1 is not UTF-8 (byte 0xC3): export it as UTF-8"),
        ("Café".encode("utf-16"), "line 1 is UTF-16, not UTF-8: export it as UTF-8"),
    ],
    ids=["at the start", "after line feeds", "after CRLF", "after a byte order mark", "far on", "cut off", "UTF-16"],
)
def test_invalid_utf_8_is_reported_with_its_line(save, content, message):
    assert error_of(save(content)) == message


def test_a_file_name_that_is_not_utf_8_is_valid_text(tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.json")
    path.write_text("[]")
    result = ReadResult()

    text_in(path, result)

    assert result.sources[0]["file"] == "caf\ufffd.json"


def test_gzip_that_expands_too_much_is_an_error(save):
    path = save(gzip.compress(b"line\n" * 25_000_000))

    with (
        pytest.raises(UnreadableFileError, match="is 200 times as large decompressed, over 100,000,000 bytes"),
        open_export(path, ReadResult()),
    ):
        pass


def archive_of(members, compression=zipfile.ZIP_DEFLATED):
    """Return the bytes of a ZIP archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return packed.getvalue()


@pytest.mark.parametrize("name", ["campus.geojson", "menus.csv", "folder/CAMPUS.JSON", "./folder//campus.csv"])
def test_the_only_text_file_of_an_archive_is_read(save, name):
    content, result = archive_of({name: "Café", "readme.txt": "x", "__MACOSX/a.json": "x"}), ReadResult()

    path = save(content, "export.zip")

    assert (text_in(path, result), read_head(path)) == ("Café", "Café")
    assert result.sources == [{"file": "export.zip", "sha256": hashlib.sha256(content).hexdigest()}]


def test_of_several_text_files_of_an_archive_none_is_read(save):
    assert read_head(save(archive_of({"a.json": "[]", "b.json": "[]"}))).startswith("PK")


def test_a_damaged_member_of_an_archive_is_an_error(save):
    content = archive_of({"a.json": "[" + "1234567890" * 20_000 + "]"})

    assert error_of(save(content.replace(content[60:70], b"0000000000"))).startswith("cannot be decompressed: ")


def test_an_archive_that_expands_too_much_is_an_error(save):
    assert error_of(save(archive_of({"a.json": "1" * 100_000_001}))).startswith(
        "line 1 is 200 times as large decompressed"
    )


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"<!DOCTYPE html>\n<title>Log in</title>", "HTML, perhaps a login page, and not an export"),
        (BOM_UTF8 + b"\n<!-- sso --><html>", "HTML, perhaps a login page, and not an export"),
        (b"%PDF-1.7", "a PDF"),
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (
            archive_of({"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>"}),
            OFFICE,
        ),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OFFICE),
        (archive_of({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}, zipfile.ZIP_STORED), OFFICE),
        (b"7z\xbc\xaf\x27\x1c", "an archive: unpack it"),
    ],
)
def test_a_file_that_is_no_export_is_named(save, content, what):
    assert error_of(save(content)) == f"is {what}"
