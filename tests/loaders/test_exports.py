import hashlib
import os
from codecs import BOM_UTF8

import pytest

from loaders.exports import BadValue, Problem, Reading, UnreadableExport, everything, open_export, parse_json, text_of


@pytest.mark.parametrize(
    "content", ["Café".encode(), BOM_UTF8 + "Café".encode()], ids=["without a mark", "with a byte order mark"]
)
def test_an_export_is_read_as_utf_8(save, content):
    path = save(content)

    assert open_export(path, Reading()) == "Café"


def test_line_ends_are_left_to_the_format(save):
    path = save(b"one\r\ntwo\n")

    assert open_export(path, Reading()) == "one\r\ntwo\n"


def test_an_export_is_noted_as_a_source_with_its_name_and_checksum(save):
    reading = Reading()

    open_export(save(b"some bytes", "menu.csv"), reading)

    assert reading.sources == [{"file": "menu.csv", "sha256": hashlib.sha256(b"some bytes").hexdigest()}]


def test_a_file_that_does_not_exist_is_named(tmp_path):
    path = tmp_path / "nowhere.csv"

    with pytest.raises(UnreadableExport) as error:
        open_export(path, Reading())

    assert str(error.value) == f"{path}: cannot be read: No such file or directory"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xe9", "line 1 is not UTF-8 (byte 0xE9)"),
        (b"first\nsecond\nCaf\xe9\nfourth\n", "line 3 is not UTF-8 (byte 0xE9)"),
        (b"first\r\nsecond\xff\r\n", "line 2 is not UTF-8 (byte 0xFF)"),
        (BOM_UTF8 + b"first\n\xe9", "line 2 is not UTF-8 (byte 0xE9)"),
        ("Café".encode("utf-16"), "line 1 is not UTF-8 (byte 0xFF)"),
    ],
    ids=["at the start", "after line feeds", "after CRLF", "after a byte order mark", "UTF-16"],
)
def test_bytes_that_are_not_utf_8_are_named_with_their_line(save, content, said):
    path = save(content)

    with pytest.raises(UnreadableExport) as error:
        open_export(path, Reading())

    assert str(error.value) == f"{path}: {said}"


def test_json_is_parsed(tmp_path):
    assert parse_json(tmp_path, '{"features": [1, "a", null]}') == {"features": [1, "a", None]}


@pytest.mark.parametrize(
    ("text", "line"),
    [("", 1), ("nonsense", 1), ('{\n"a": 1,\n"b": }', 3), ("[\n1,\n2\n", 4), ("[\nNaN]", 2), ("[1e999]", 1)],
)
def test_what_is_not_json_is_named_with_its_line(save, text, line):
    path = save(text)

    with pytest.raises(UnreadableExport) as error:
        parse_json(path, text)

    assert str(error.value).startswith(f"{path}: line {line} is not JSON: ")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("", ""),
        ("   ", ""),
        ("Annenberg Hall  ", "Annenberg Hall"),
        (" Dunster \t and\nMather ", "Dunster and Mather"),
        (7, "7"),
        (7.0, "7"),
        (0, "0"),
        (1.5, "1.5"),
    ],
)
def test_a_value_is_text_with_single_spaces(value, text):
    assert text_of("Name", value) == text


@pytest.mark.parametrize("value", [True, False, [], ["Annenberg"], {"name": "Annenberg"}])
def test_a_value_that_is_neither_text_nor_a_number_is_bad(value):
    with pytest.raises(BadValue) as bad:
        text_of("Name", value)

    assert (bad.value.field, bad.value.value, bad.value.reason) == ("Name", value, "is neither text nor a number")


def test_a_problem_is_one_line_with_file_place_field_value_and_reason():
    problem = Problem("menu.csv", "line 96", "meal", "TEA", "is none of BRK, LUN and DIN")

    assert str(problem) == "menu.csv, line 96: meal 'TEA' is none of BRK, LUN and DIN"


def test_a_problem_without_a_value_does_not_show_one():
    problem = Problem("menu.csv", "line 96", "date", None, "is missing")

    assert str(problem) == "menu.csv, line 96: date is missing"


@pytest.mark.parametrize(("length", "shown"), [(58, "'" + "x" * 58 + "'"), (59, "'" + "x" * 59 + "…")])
def test_a_problem_shows_at_most_60_characters_of_a_value(length, shown):
    problem = Problem("menu.csv", "line 96", "date", "x" * length, "is not a date")

    assert str(problem) == f"menu.csv, line 96: date {shown} is not a date"


def test_a_value_with_line_ends_stays_on_the_line_of_its_problem():
    problem = Problem("menu.csv", "line 96", "date", "a\nb", "is not a date")

    assert str(problem) == r"menu.csv, line 96: date 'a\nb' is not a date"


def test_notes_are_counted():
    reading = Reading()

    for what in ("without city", "without name", "without city"):
        reading.note(what)

    assert reading.notes == {"without city": 2, "without name": 1}


def test_records_can_be_gone_through_without_showing_progress():
    assert list(everything([1, 2, 3])) == [1, 2, 3]


@pytest.mark.parametrize("value", ["Wide\0ner", "\0", "Widener\x07", "\x7f", "Caf\x96"])
def test_a_control_character_is_bad(value):
    with pytest.raises(BadValue) as bad:
        text_of("NAME", value)

    assert (bad.value.field, bad.value.value, bad.value.reason) == ("NAME", value, "has a control character")


def test_a_file_name_that_is_not_utf_8_is_kept_as_text(tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.json")
    path.write_text("[]")
    reading = Reading()

    open_export(path, reading)

    assert reading.sources[0]["file"] == "caf\ufffd.json"
