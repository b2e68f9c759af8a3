"""Many problems are summarized by reason; `--problems` writes all of them to a file."""

import json

import pytest

from loaders.cli.problems import print_problems, problems_as_json
from loaders.errors import InvalidValue, UnreadableFileError
from loaders.publishing.load import LoadResult
from loaders.result import ReadResult, SourceLocation
from tests.factories import feature, foodpro_row

WRONG_MEAL = "Meal_Number 9 is not one of 1 (breakfast), 2 (lunch), 3 (dinner)"


def wrong_meals(number):
    return [foodpro_row(Meal_Number="9") for _ in range(number)]


def test_up_to_twenty_errors_are_printed_one_per_line(campus_load, save_rows):
    outcome = campus_load("dining", save_rows(*wrong_meals(20)))

    lines = [line for line in outcome.stderr.splitlines() if WRONG_MEAL in line]
    assert (len(lines), lines[19]) == (20, f"foodpro.json, line 1 (record 20): {WRONG_MEAL}")


def test_more_errors_are_one_line_per_reason_with_a_count_and_the_first_places(campus_load, save_rows):
    rows = [foodpro_row(), *wrong_meals(1500), foodpro_row(Location_Number="x")]

    outcome = campus_load("dining", save_rows(*rows))

    places = "line 1 (record 3), line 1 (record 4)"
    assert outcome.stderr.splitlines() == [
        f"foodpro.json, line 1 (record 2): {WRONG_MEAL} (1,500 times, also {places})",
        "foodpro.json, line 1 (record 1502): Location_Number 'x' is not an integer of zero or more",
        "campus-load: 1,501 invalid records, nothing was published (--max-errors 1501 publishes the rest).",
        "campus-load: --problems FILE writes all of them to a file.",
    ]


def test_places_in_other_files_are_named(campus_load, save_rows):
    one, other = save_rows(*wrong_meals(1), name="one.json"), save_rows(*wrong_meals(20), name="other.json")

    outcome = campus_load("dining", one, other)

    assert "(21 times, also other.json, line 1 (record 1), " in outcome.stderr.splitlines()[0]


def test_reasons_that_differ_in_values_are_one(campus_load, save_features):
    pairs = [feature(id_, name=name) for id_ in range(11) for name in ("Adams", "Boylston")]

    outcome = campus_load("buildings", save_features(*pairs))

    assert outcome.stderr.splitlines()[0].startswith(
        "buildings.geojson, line 1 (record 1): id 0 is the id of 2 different buildings (22 times, also line 1 "
    )


def test_many_errors_are_summarized_as_json_too(campus_load, save_rows):
    outcome = campus_load("dining", save_rows(*wrong_meals(21)), "--json")

    [problem] = json.loads(outcome.stdout)["problems"]
    reason = f"record 1: {WRONG_MEAL}"
    assert problem == {"file": "foodpro.json", "line": 1, "reason": reason, "guard": None, "times": 21}


def test_many_warnings_are_summarized_by_reason(campus_load, save_features):
    bow_tie = {"type": "Polygon", "coordinates": [[[-71, 42], [-71.1, 42.1], [-71, 42.1], [-71.1, 42], [-71, 42]]]}

    outcome = campus_load("buildings", save_features(*(feature(id_, bow_tie) for id_ in range(30))), "--json")

    [warning] = json.loads(outcome.stdout)["warnings"]
    assert (warning["times"], outcome.stderr.count("\n")) == (30, 1)
    assert "building 0 geometry crosses itself near 42.05000, -71.05000 (30 times, also line 1 " in outcome.stderr


@pytest.mark.parametrize(("reasons", "more"), [(21, "and 1 more reason"), (25, "and 5 more reasons")])
def test_at_most_twenty_reasons_are_reported(capsys, reasons, more):
    read = ReadResult()
    for number in range(reasons):
        read.add_error("menu.csv", SourceLocation(number), InvalidValue("x" * number, None, "is missing"))
    invalid = LoadResult("dining", "invalid", read)

    print_problems(invalid)

    assert capsys.readouterr().err.splitlines()[20] == more
    assert problems_as_json(invalid)[20:] == [
        {"file": None, "line": None, "reason": more, "guard": None, "times": reasons - 20}
    ]


def test_all_problems_are_written_to_a_file(campus_load, save_rows, tmp_path):
    rows = [foodpro_row(Meal_Name="Dinner"), foodpro_row(Recipe_Number=2, Meal_Name="Dinner"), *wrong_meals(30)]

    campus_load("check", save_rows(*rows), "--problems", tmp_path / "problems.txt")

    lines = (tmp_path / "problems.txt").read_text().splitlines()
    assert (len(lines), lines[0]) == (31, f"foodpro.json, line 1 (record 3): {WRONG_MEAL}")
    assert lines[30].startswith("warning: foodpro.json, line 1 (record 1): Meal_Name 'Dinner' contradicts ")
    assert lines[30].endswith(" (2 times)")


@pytest.mark.parametrize("command", ["dining", "check"])
def test_a_file_of_problems_that_cannot_be_written_is_an_error(campus_load, save_rows, tmp_path, command):
    outcome = campus_load(command, save_rows(foodpro_row()), "--problems", tmp_path / "missing" / "problems.txt")

    assert (outcome.exit_code, "'--problems'" in outcome.stderr) == (2, True)


def test_too_many_errors_end_the_reading():
    read = ReadResult(max_errors=2)

    error = InvalidValue("date", None, "is missing")
    read.add_error("menu.csv", SourceLocation(1), error)
    read.add_error("menu.csv", SourceLocation(2), error)

    with pytest.raises(UnreadableFileError, match="line 3 and those before have over 2 invalid records"):
        read.add_error("menu.csv", SourceLocation(3), error)


def test_a_geometry_is_not_held_in_memory():
    read = ReadResult()

    read.add_error("a.json", SourceLocation(1), InvalidValue("geometry", [1] * 1000, "is not a ring"))

    [error] = read.errors
    assert (len(error.value), error.message) == (61, f"geometry [{'1, ' * 19}1,… is not a ring")


def test_an_export_without_records_has_its_reason_in_the_json(campus_load, save_features):
    outcome = campus_load("buildings", save_features(), "--json")

    [problem] = json.loads(outcome.stdout)["problems"]
    assert (outcome.exit_code, problem["reason"]) == (2, "has no records")
