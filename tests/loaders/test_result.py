from collections import Counter

import pytest

from loaders.errors import DataWarning, UnreadableFileError
from loaders.result import BuildingRead, ReadResult, RecordError, SourceLocation, no_progress


def test_an_error_is_one_line_with_file_location_field_value_and_reason():
    error = RecordError("menu.csv", SourceLocation(96), "meal", "TEA", "is not one of BRK, LUN, DIN")

    assert str(error) == "menu.csv, line 96: meal 'TEA' is not one of BRK, LUN, DIN"


def test_an_error_without_a_value_shows_none():
    error = RecordError("menu.csv", SourceLocation(96), "date", None, "is missing")

    assert str(error) == "menu.csv, line 96: date is missing"


@pytest.mark.parametrize(("length", "shown"), [(58, "'" + "x" * 58 + "'"), (59, "'" + "x" * 59 + "…")])
def test_an_error_shows_at_most_60_characters_of_a_value(length, shown):
    error = RecordError("menu.csv", SourceLocation(96), "date", "x" * length, "is not a date")

    assert str(error) == f"menu.csv, line 96: date {shown} is not a date"


LONG = "x" * 1_000_000


@pytest.mark.parametrize(
    "text",
    [
        str(UnreadableFileError("campus.json", f"has the remark {LONG}")),
        str(RecordError("campus.csv", SourceLocation(2), LONG, None, "is missing")),
        str(RecordError("campus.csv", SourceLocation(2), "geometry", None, f"cannot be read: {LONG}")),
        *ReadResult(unread=Counter([LONG])).describe(),
        str(ReadResult(unread=Counter([LONG])).statistics),
        BuildingRead(invalid_ids=1, integer_fields=Counter([LONG])).hint(),
    ],
    ids=["reason", "field", "reason of a record", "report", "JSON", "hint"],
)
def test_long_texts_of_an_export_are_shown_in_part(text):
    assert "xxx" in text
    assert len(text) < 2100


def test_line_ends_in_a_value_are_escaped():
    error = RecordError("menu.csv", SourceLocation(96), "date", "a\nb", "is not a date")

    assert str(error) == r"menu.csv, line 96: date 'a\nb' is not a date"


def test_a_location_in_json_has_a_line_and_an_index():
    error = RecordError("menu.json", SourceLocation(7, 2), "date", None, "is missing")

    assert str(error) == "menu.json, line 7 (record 2): date is missing"


def test_equal_warnings_are_counted_at_their_first_location():
    result = ReadResult()

    for line, name in ((2, "Tea"), (3, "Supper"), (4, "Tea")):
        result.add_warning("menu.csv", SourceLocation(line), DataWarning("meal", name, "is an unknown meal"))

    assert [(str(error), times) for error, times in result.warnings.values()] == [
        ("menu.csv, line 2: meal 'Tea' is an unknown meal", 2),
        ("menu.csv, line 3: meal 'Supper' is an unknown meal", 1),
    ]


def test_no_progress_yields_the_records():
    assert list(no_progress([1, 2, 3])) == [1, 2, 3]
