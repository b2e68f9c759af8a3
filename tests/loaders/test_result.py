from collections import Counter

from loaders.errors import DataWarning, InvalidValue, UnreadableFileError
from loaders.result import AppliedCorrection, BuildingRead, DiningRead, ReadResult, RecordError, SourceLocation
from tests.loaders.errors import error_of

LONG = "x" * 1_000_000
MISSING = InvalidValue("date", None, "is missing")


def test_an_error_is_one_line_with_file_location_field_value_and_reason():
    line = SourceLocation(96)
    for location, value, text in [
        (line, "TEA", "line 96: meal 'TEA' is no meal"),
        (SourceLocation(7, 2), "TEA", "line 7 (record 2): meal 'TEA' is no meal"),
        (SourceLocation(None, 2), "TEA", "record 2: meal 'TEA' is no meal"),
        (SourceLocation(), None, "the whole file: meal is no meal"),
        (line, "a\nb", r"line 96: meal 'a\nb' is no meal"),
        (line, "x" * 58, f"line 96: meal '{'x' * 58}' is no meal"),
        (line, "x" * 59, f"line 96: meal '{'x' * 59}… is no meal"),
    ]:
        read = ReadResult()
        read.add_error("menu.csv", location, InvalidValue("meal", value, "is no meal"))
        assert list(map(str, read.errors)) == [f"menu.csv, {text}"], location


def test_long_texts_of_an_export_are_shown_in_part():
    for text in (
        str(UnreadableFileError("campus.json", f"has the remark {LONG}")),
        str(RecordError("campus.csv", SourceLocation(2), LONG, None, "is missing")),
        str(RecordError("campus.csv", SourceLocation(2), "geometry", None, f"cannot be read: {LONG}")),
        *ReadResult(unread=Counter([LONG])).describe(),
        str(ReadResult(unread=Counter([LONG])).statistics),
        BuildingRead(lists=Counter([LONG])).hint(),
    ):
        assert "xxx" in text, text[:99]
        assert len(text) < 2100, text[:99]


def test_a_geometry_is_not_held_in_memory():
    read = ReadResult()

    read.add_error("a.json", SourceLocation(1), InvalidValue("geometry", [1] * 1000, "is not a ring"))

    [error] = read.errors
    assert (error.value, error.message) == (f"[{'1, ' * 19}1,…", f"geometry [{'1, ' * 19}1,… is not a ring")


def test_too_many_errors_end_the_reading():
    read = ReadResult(max_errors=2)

    errors = [error_of(read.add_error, "menu.csv", SourceLocation(line), MISSING) for line in (1, 2, 3)]

    assert errors[:2] == [None, None]
    assert str(errors[2]).startswith("menu.csv: line 3 and those before have over 2 invalid records")


def test_equal_warnings_are_counted_at_their_first_location():
    result = ReadResult()

    for line, name in ((2, "Tea"), (3, "Supper"), (4, "Tea")):
        result.add_warning("menu.csv", SourceLocation(line), DataWarning("meal", name, "is an unknown meal"))

    tea = "menu.csv, line 2: meal 'Tea' is an unknown meal (2 times)"
    supper = "menu.csv, line 3: meal 'Supper' is an unknown meal"
    assert [*map(str, result.warnings.values())] == [tea, supper]


def test_what_was_left_out_or_changed_is_described_for_people_and_programs():
    renamed, retired = AppliedCorrection(7, "name", "LAMONT", "Lamont"), AppliedCorrection(8, "retired", False, True)
    counts = {"duplicates": 1, "filtered": 2, "merged": 3}
    unread = Counter({f"c{number:02}": 1 for number in range(30)} | {"floors": 2})
    missing = Counter({"image": 1})
    result = BuildingRead(**counts, corrections=[renamed, retired], unread=unread, missing_counts=missing)
    result.assigned_ids["way/1"] = 7
    result.add_error("menu.csv", SourceLocation(1), MISSING)

    columns = ", ".join(f"c{number:02} (1)" for number in range(19))
    assert list(result.describe()) == [
        "1 duplicate left out",
        "1 invalid record left out",
        f"not read: floors (2), {columns}, and 11 more names",
        "2 features left out by the filter",
        "3 features merged into others with the same id",
        "1 without image",
        "1 new id",
        "id 7 of way/1",
        "2 corrections applied",
        "corrected 7: name 'LAMONT' -> 'Lamont'",
        "corrected 8: retired",
    ]
    assert result.statistics == {
        **counts,
        "corrections": [
            {"id": 7, "field": "name", "old": "LAMONT", "new": "Lamont"},
            {"id": 8, "field": "retired", "old": False, "new": True},
        ],
        "assigned_ids": {"way/1": 7},
        "unread": unread,
    }
    assert list(DiningRead(assigned_ids={"dish/soup": 1}).describe()) == ["1 new id assigned"]


def test_an_export_without_records_says_why():
    reason = "2 features left out by the filter, nothing was published"
    assert BuildingRead(filtered=2).explain_no_records() == reason
    assert DiningRead().explain_no_records() == "the export has no records, nothing was published"
