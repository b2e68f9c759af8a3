"""A new last date of a file that has lost many halls of the date before it is a warning."""

import pytest

from tests.factories import foodpro_row

FRIDAY, SATURDAY, MONDAY = "11/20/2026", "11/21/2026", "11/23/2026"


@pytest.fixture
def load(campus_load, save_rows):
    """Load a file for each argument, which has the numbers of the halls of each date, and return the warnings."""

    def load(*files, override="all"):
        paths = [save_rows(*_rows(dates), name=f"menus{number}.json") for number, dates in enumerate(files)]
        result = campus_load("dining", *paths, "--override", override)
        assert result.exit_code == (0 if override == "all" else 3), files
        return [line for line in result.stderr.splitlines() if line.startswith("warning: ")]

    return load


def _rows(dates):
    return [
        foodpro_row(Serve_Date=day, Location_Number=hall, Location_Name=f"Hall {hall}", Recipe_Number=hall)
        for day, halls in dates.items()
        for hall in halls
    ]


def test_a_new_last_date_that_has_lost_over_20_percent_of_the_halls_of_the_date_before_it_is_a_warning(load, empty):
    for *files, number in [
        ({FRIDAY: range(4), SATURDAY: range(3)}, 1),
        *(({FRIDAY: range(5), SATURDAY: halls}, 0) for halls in (range(4), range(5), range(9))),
        # Other halls do not replace those that are lost.
        ({FRIDAY: range(4), SATURDAY: range(2, 6)}, 1),
        ({FRIDAY: range(4), SATURDAY: [1], MONDAY: range(4)}, 0),
        ({FRIDAY: range(4), MONDAY: [1]}, 1),
        # Each file is compared by itself.
        ({FRIDAY: [1, 2], SATURDAY: [1, 2]}, {FRIDAY: [3, 4]}, {SATURDAY: [5]}, 0),
    ]:
        empty()
        assert len(load(*files)) == number, files
    assert load({MONDAY: [1, 2]}, {"11/24/2026": [1, 2], "11/25/2026": [1]}) == [
        "warning: menus1.json, the whole file: date '2026-11-25' has lost 1 of the 2 halls of 2026-11-24, the date "
        "before it in the file: is it truncated?"
    ]


def test_neither_a_live_last_date_nor_that_of_a_refused_load_is_compared(load):
    load({FRIDAY: range(4), SATURDAY: range(4)})

    assert load({"11/19/2026": range(9), FRIDAY: range(8), SATURDAY: range(5)}) == []
    assert load({FRIDAY: range(2), MONDAY: [1]}, override="new-ids") == []
