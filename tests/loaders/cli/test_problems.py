"""Many problems are summarized by reason; `--problems` writes all of them to a file."""

from loaders.cli.problems import print_problems, problems_as_json, warnings_as_json
from loaders.errors import DataWarning, InvalidValue
from loaders.publishing.load import LoadResult
from loaders.result import DiningRead, ReadResult, SourceLocation
from tests.factories import foodpro_row

WRONG_MEAL = InvalidValue("Meal_Number", 9, "is not one of 1, 2, 3")


def printed(capsys, reading):
    """Print the problems of an export that cannot be used, and return the lines."""
    print_problems(LoadResult("dining", "invalid", reading))
    return capsys.readouterr().err.splitlines()


def add_errors(reading, number, error=WRONG_MEAL, file="menu.json", first=1):
    for index in range(first, first + number):
        reading.add_error(file, SourceLocation(1, index), error)


def test_more_errors_are_one_line_per_reason_with_a_count(capsys):
    reading = DiningRead(records=[None])
    add_errors(reading, 1)
    add_errors(reading, 1499, file="other.json")
    reading.add_error("menu.json", SourceLocation(1, 2), InvalidValue("Location_Number", "x", "is not an integer"))

    assert printed(capsys, reading) == [
        "menu.json, line 1 (record 1): Meal_Number 9 is not one of 1, 2, 3 (1,500 times)",
        "menu.json, line 1 (record 2): Location_Number 'x' is not an integer",
        "campus-load: 1,501 invalid records, nothing was published (1 valid).",
        "campus-load: --problems FILE writes all of them to a file.",
    ]
    [problem, _] = problems_as_json(LoadResult("dining", "invalid", reading))
    reason = "record 1: Meal_Number 9 is not one of 1, 2, 3"
    assert problem == {"file": "menu.json", "line": 1, "reason": reason, "guard": None, "times": 1500}


def test_many_problems_are_summarized_by_reason_whatever_their_values(capsys):
    reading = ReadResult()
    for id_ in range(30):
        crossing = DataWarning("id", id_, f"crosses '{id_}' near 42.{id_}")
        reading.add_warning("map.json", SourceLocation(1, id_), crossing)
        add_errors(reading, 1, InvalidValue("id", id_, f"is the id of 2 buildings like '{'x' * id_}'"), first=id_)

    [warning] = warnings_as_json(reading)
    assert (warning["times"], warning["reason"]) == (30, "record 0: id 0 crosses '0' near 42.0")
    start = "menu.json, line 1 (record 0): id 0 is the id of 2 buildings like '' (30 "
    assert printed(capsys, reading)[0].startswith(start)


def test_at_most_twenty_reasons_are_reported(capsys):
    for reasons, more in [(21, "and 1 more reason"), (25, "and 5 more reasons")]:
        reading = ReadResult()
        for number in range(reasons):
            add_errors(reading, 1, InvalidValue("x" * number, None, "is missing"))

        assert printed(capsys, reading)[20] == more, reasons
        others = {"file": None, "line": None, "reason": more, "guard": None, "times": reasons - 20}
        assert problems_as_json(LoadResult("dining", "invalid", reading))[20:] == [others], reasons


def test_all_problems_are_written_to_a_file(campus_load, save_rows, tmp_path):
    contradictions = [foodpro_row(Recipe_Number=number, Meal_Name="Dinner") for number in (1, 2)]
    invalid = [foodpro_row(Meal_Number="9") for _ in range(30)]

    campus_load("check", save_rows(*contradictions, *invalid), "--problems", tmp_path / "problems.txt")

    lines = (tmp_path / "problems.txt").read_text().splitlines()
    reason = "Meal_Number '9' is not in [meals] of the profile: add \"9\" = 0"
    assert (len(lines), lines[0]) == (31, f"foodpro.json, line 1 (record 3): {reason}")
    assert lines[30].startswith("warning: foodpro.json, line 1 (record 1): Meal_Name 'Dinner' contradicts ")
    assert lines[30].endswith(" (2 times)")
