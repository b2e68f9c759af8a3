import gzip
import hashlib
import io
import os
import zipfile
from codecs import BOM_UTF8

import pytest

from loaders.result import ReadResult
from loaders.sources.content import MAX_EXPANDED_BYTES
from loaders.sources.files import open_export, read_head
from tests.loaders.errors import error_of

HTML = "HTML, perhaps a login page, and not an export"
OTHER = "a PDF, an image, a text document or a file of another program: export its table as CSV or XLSX"


def text_in(path, result=None):
    with open_export(path, result or ReadResult()) as export:
        return export.text.read()


@pytest.fixture
def reason(save):
    """Return why a file of this content cannot be read, without its path."""

    def reason(content):
        path = save(content)
        return str(error_of(text_in, path)).removeprefix(f"{path}: ")

    return reason


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def test_an_export_is_read_as_utf_8_with_its_line_ends(save):
    for mark in (b"", BOM_UTF8):
        assert text_in(save(mark + "Café\r\none\n".encode())) == "Café\r\none\n", mark


def test_an_export_is_a_source_with_its_name_and_hash_compressed_or_partly_read(save):
    packed, result = gzip.compress(b"line\n" * 100_000), ReadResult()
    assert text_in(save(packed, "menu.csv.gz"), result) == "line\n" * 100_000
    assert result.sources == [{"file": "menu.csv.gz", "sha256": sha256(packed)}]

    for length in (0, 4, 10):
        result = ReadResult()

        with open_export(save(b"some bytes", "menu.csv"), result) as export:
            export.text.read(length)

        assert result.sources == [{"file": "menu.csv", "sha256": sha256(b"some bytes")}], length


def test_a_truncated_or_corrupt_gzip_file_or_member_of_an_archive_is_an_error(reason):
    packed, archive = gzip.compress(os.urandom(100_000)), archive_of({"a.json": "[" + "1234567890" * 20_000 + "]"})
    corrupt = bytearray(packed)
    corrupt[-6] ^= 1

    for content in (packed[:20], packed[:-5], bytes(corrupt), archive.replace(archive[60:70], b"0000000000")):
        assert reason(content).startswith("cannot be decompressed: "), len(content)


def test_a_missing_file_and_a_folder_are_errors(tmp_path):
    missing = tmp_path / "nowhere.csv"

    assert str(error_of(text_in, missing)) == f"{missing}: cannot be read: No such file or directory"
    assert str(error_of(read_head, missing)) == f"{missing}: cannot be read: No such file or directory"
    assert str(error_of(text_in, tmp_path)) == f"{tmp_path}: cannot be read: Is a directory"


def test_invalid_utf_8_is_reported_with_its_line(reason):
    for content, message in [
        (b"\xe9", "line 1 is not UTF-8 (byte 0xE9)"),
        (b"first\nsecond\nCaf\xe9\nfourth\n", "line 3 is not UTF-8 (byte 0xE9)"),
        (b"first\r\nsecond\xff\r\n", "line 2 is not UTF-8 (byte 0xFF)"),
        (BOM_UTF8 + b"first\n\xe9", "line 2 is not UTF-8 (byte 0xE9)"),
        (b"line\n" * 50_000 + b"\xe9", "line 50001 is not UTF-8 (byte 0xE9)"),
        (b"line\xc3", "line 1 is not UTF-8 (byte 0xC3)"),
    ]:
        assert reason(content) == f"{message}: export it as UTF-8", content[:30]


def test_a_file_name_that_is_not_utf_8_is_valid_text(tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.json")
    path.write_text("[]")
    result = ReadResult()

    text_in(path, result)

    assert result.sources[0]["file"] == "caf\ufffd.json"


def archive_of(members, compression=zipfile.ZIP_DEFLATED):
    """Return the bytes of a ZIP archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return packed.getvalue()


def test_the_only_text_file_of_an_archive_is_read_and_of_several_none(save):
    for name in ("campus.geojson", "menus.csv", "folder/CAMPUS.JSON", "./folder//campus.csv"):
        content, result = archive_of({name: "Café", "readme.txt": "x", "__MACOSX/a.json": "x"}), ReadResult()

        path = save(content, "export.zip")

        assert (text_in(path, result), read_head(path)) == ("Café", "Café"), name
        assert result.sources == [{"file": "export.zip", "sha256": sha256(content)}], name
    assert read_head(save(archive_of({"a.json": "[]", "b.json": "[]"}))).startswith("PK")


def test_a_file_that_expands_too_much_is_an_error(reason):
    bomb = gzip.compress(b"0" * (MAX_EXPANDED_BYTES + 1))

    assert reason(bomb) == "line 1 is 200 times as large decompressed, over 100,000,000 bytes"


def test_a_file_that_is_no_export_is_named(reason):
    for content, what in [
        (b"<!DOCTYPE html>\n<title>Log in</title>", HTML),
        (BOM_UTF8 + b"\n<!-- sso --><html>", HTML),
        (archive_of({"[Content_Types].xml": "<Types/>", "word/document.xml": "<document/>"}), OTHER),
        (archive_of({"mimetype": "application/vnd.oasis.opendocument.text"}, zipfile.ZIP_STORED), OTHER),
        *((image, OTHER) for image in (b"\x89PNG\r\n\x1a\n", b"II*\0\b", b"\0\0\0\x18ftypheic")),
        *((archive, "an archive: unpack it") for archive in (b"7z\xbc\xaf\x27\x1c", b"\xfd7zXZ\0", b"BZh91AY&SY")),
        *((other, OTHER) for other in (b"%PDF-1.7", b"PAR1", bytes(100), b"x\0\0\0" + bytes(20))),
    ]:
        assert reason(content) == f"is {what}", content[:30]
