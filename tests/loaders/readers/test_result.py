import pytest

from loaders.errors import DataWarning, InvalidValue
from loaders.readers.result import ReadResult, RecordError, SourceLocation, no_progress
from loaders.text import parse_raw_text, parse_text


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
    assert parse_text("Name", value) == text


@pytest.mark.parametrize("value", [True, False, [], ["Annenberg"], {"name": "Annenberg"}])
def test_a_value_that_is_neither_text_nor_a_number_is_bad(value):
    with pytest.raises(InvalidValue) as bad:
        parse_text("Name", value)

    assert (bad.value.field, bad.value.value, bad.value.reason) == ("Name", value, "is neither text nor a number")


def test_a_problem_is_one_line_with_file_place_field_value_and_reason():
    problem = RecordError("menu.csv", SourceLocation(96), "meal", "TEA", "is not one of BRK, LUN, DIN")

    assert str(problem) == "menu.csv, line 96: meal 'TEA' is not one of BRK, LUN, DIN"


def test_a_problem_without_a_value_does_not_show_one():
    problem = RecordError("menu.csv", SourceLocation(96), "date", None, "is missing")

    assert str(problem) == "menu.csv, line 96: date is missing"


@pytest.mark.parametrize(("length", "shown"), [(58, "'" + "x" * 58 + "'"), (59, "'" + "x" * 59 + "…")])
def test_a_problem_shows_at_most_60_characters_of_a_value(length, shown):
    problem = RecordError("menu.csv", SourceLocation(96), "date", "x" * length, "is not a date")

    assert str(problem) == f"menu.csv, line 96: date {shown} is not a date"


def test_a_value_with_line_ends_stays_on_the_line_of_its_problem():
    problem = RecordError("menu.csv", SourceLocation(96), "date", "a\nb", "is not a date")

    assert str(problem) == r"menu.csv, line 96: date 'a\nb' is not a date"


def test_a_place_in_json_has_a_line_and_a_number():
    problem = RecordError("menu.json", SourceLocation(7, 2), "date", None, "is missing")

    assert str(problem) == "menu.json, line 7 (record 2): date is missing"


def test_what_is_odd_in_the_same_way_is_counted_at_its_first_place():
    reading = ReadResult()

    for line, name in ((2, "Tea"), (3, "Supper"), (4, "Tea")):
        reading.add_warning("menu.csv", SourceLocation(line), DataWarning("meal", name, "is an unknown meal"))

    assert [(str(problem), times) for problem, times in reading.warnings.values()] == [
        ("menu.csv, line 2: meal 'Tea' is an unknown meal", 2),
        ("menu.csv, line 3: meal 'Supper' is an unknown meal", 1),
    ]


def test_records_can_be_gone_through_without_showing_progress():
    assert list(no_progress([1, 2, 3])) == [1, 2, 3]


@pytest.mark.parametrize("value", ["Wide\0ner", "\0", "Widener\x07", "\x7f", "Caf\x96"])
def test_a_control_character_is_bad(value):
    with pytest.raises(InvalidValue) as bad:
        parse_text("NAME", value)

    assert (bad.value.field, bad.value.value, bad.value.reason) == ("NAME", value, "has a control character")


def test_half_a_character_is_bad():
    with pytest.raises(InvalidValue, match="a lone surrogate"):
        parse_text("NAME", "Caf\ud83d")


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_a_number_beyond_all_numbers_is_bad(value):
    with pytest.raises(InvalidValue, match="too large"):
        parse_text("NAME", value)


def test_spaces_inside_a_raw_text_stay():
    assert parse_raw_text("PHOTO", " hall  west.jpg\n") == "hall  west.jpg"
