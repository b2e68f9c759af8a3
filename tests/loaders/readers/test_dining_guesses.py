import pytest

from loaders.readers.dining import guess_date_format, guess_meals

DAY_FIRST = "%d/%m/%Y"


@pytest.mark.parametrize(
    "dates",
    [
        ["20/11/2026"],
        ["13/11/2026", "30/11/2026"],
        ["09/11/2026", "10/11/2026", "11/11/2026", "12/11/2026", "13/11/2026"],
        ["01/11/2026 00:00", " 02/11/2026", "13/11/2026"],
    ],
)
def test_days_come_first_if_the_dates_are_close_together_only_so(dates):
    assert guess_date_format(dates) == DAY_FIRST


@pytest.mark.parametrize(
    "dates",
    [
        [],
        ["11/20/2026"],
        ["11/01/2026", "11/02/2026"],
        ["11/20/2026", "20/11/2026"],
        ["20/11/2026", "20261121"],
        ["20/20/2026"],
        ["20/11/2026", "None"],
    ],
    ids=["none", "months first", "either", "both", "another format", "neither", "a missing date"],
)
def test_no_format_is_guessed_without_proof(dates):
    assert guess_date_format(dates) == ""


def test_one_wrong_date_does_not_turn_the_others_around():
    dates = [f"11/{day:02}/2026" for day in range(1, 13)]

    assert guess_date_format([*dates, "13/11/2026"]) == ""


def test_meals_are_numbered_as_they_are_named():
    named = [(0, "Breakfast"), (1, "LUNCH ENTREES"), (2, "Dinnner"), (2, "Supper")]

    assert guess_meals(named) == {"0": 0, "1": 1, "2": 2}


@pytest.mark.parametrize(
    "named",
    [
        [],
        [(4, "Breakfast")],
        [(1, "Dinner"), (9, "Breakfast")],
        [(0, "Breakfast"), (1, "Late Night")],
        [(0, "Breakfast"), (1, "Lunch/Dinner")],
        [(0, "Breakfast"), (0, "Lunch")],
        [(1, "Breakfast"), (2, "Lunch"), (3, "Dinner"), (9, "Dinner")],
    ],
    ids=["none", "one", "two", "unknown", "two names", "two meals of one number", "two numbers of one meal"],
)
def test_no_meals_are_guessed_without_proof(named):
    assert guess_meals(named) == {}
