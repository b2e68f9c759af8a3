import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_api.validation.suggestions import correct

PARAMETERS = ["date", "meal", "location", "category", "recipe"]


@pytest.mark.parametrize(
    "text",
    [
        "2026/11/20",
        "20261120",
        "11/20/2026",
        "11-20-2026",
        "2026-11-20T12:30:00",
        " 2026-11-20 ",
    ],
)
def test_a_date_written_otherwise_is_understood(text):
    assert correct("date", text, PARAMETERS) == [("date", "2026-11-20")]


@pytest.mark.parametrize("text", ["2026-1-5", "2026/1/5", "1/5/2026", "01-05-2026"])
def test_a_date_gets_its_zeros(text):
    assert correct("date", text, PARAMETERS) == [("date", "2026-01-05")]


@pytest.mark.parametrize(
    "text",
    ["today", "tomorrow", "2026-02-30", "20/11/2026", "11/20/26", "2026-11", "2026112", "112026", "1120", "0000-01-01"],
)
def test_a_date_that_might_be_any_is_not_guessed(text):
    assert correct("date", text, PARAMETERS) is None


@pytest.mark.parametrize(
    ("text", "meal"), [("breakfast", "0"), ("lunch", "1"), ("dinner", "2"), ("Breakfast", "0"), ("LUNCH", "1")]
)
def test_a_meal_by_its_name_becomes_its_number(text, meal):
    assert correct("meal", text, PARAMETERS) == [("meal", meal)]


@pytest.mark.parametrize("text", ["brunch", "lunches", "dinn", "b"])
def test_a_meal_that_there_is_not_is_not_guessed(text):
    assert correct("meal", text, PARAMETERS) is None


@pytest.mark.parametrize("parameter", ["date", "location", "category", "recipe"])
def test_only_meals_have_names(parameter):
    assert correct(parameter, "lunch", PARAMETERS) is None


@pytest.mark.parametrize("text", ["7", " 7", "7 ", "7.", "7.0", "7.000", "007"])
@pytest.mark.parametrize("parameter", ["meal", "location", "category", "recipe"])
def test_a_number_loses_what_does_not_count(parameter, text):
    assert correct(parameter, text, PARAMETERS) == [(parameter, "7")]


@pytest.mark.parametrize("text", ["7.5", "7.0.0", "7e3", "0x7", "seven", "٧", "--7", "#7", "7th", "7" * 19])
def test_a_number_that_might_be_any_is_not_guessed(text):
    assert correct("recipe", text, PARAMETERS) is None


@pytest.mark.parametrize("text", ["1,2", "1;2", "1|2", "1 2", "1, 2", ",1,,2,", "1\t2"])
def test_a_list_in_one_value_is_taken_apart(text):
    assert correct("location", text, PARAMETERS) == [("location", "1"), ("location", "2")]


def test_each_part_of_a_list_is_corrected():
    pairs = correct("meal", "Breakfast,2.0", PARAMETERS)

    assert pairs == [("meal", "0"), ("meal", "2")]


def test_one_part_that_cannot_be_told_spoils_the_list():
    assert correct("meal", "1,soup,2", PARAMETERS) is None


@pytest.mark.parametrize("text", ["", " ", ",", ";;"])
def test_an_empty_value_is_taken_out(text):
    assert correct("meal", text, PARAMETERS) == []


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        ("meals", "meal"),
        ("Meal", "meal"),
        ("MEAL", "meal"),
        ("locations", "location"),
        ("loction", "location"),
        ("categories", "category"),
        ("Recipes", "recipe"),
    ],
)
def test_a_name_that_is_nearly_right_is_corrected(name, parameter):
    assert correct(name, "7", PARAMETERS) == [(parameter, "7")]


def test_a_name_and_its_value_are_corrected_together():
    pairs = correct("Dates", "20261120,11/21/2026", PARAMETERS)

    assert pairs == [("date", "2026-11-20"), ("date", "2026-11-21")]


@pytest.mark.parametrize("name", ["", "q", "id", "page", "name", "format", "callback", "mealtime", "d\udcff"])
def test_a_name_that_resembles_none_is_not_guessed(name):
    assert correct(name, "7", PARAMETERS) is None


@given(st.sampled_from([*PARAMETERS, "meals", "Dates"]) | st.text(), st.text("0123456789-/.,T: ") | st.text())
def test_a_correction_uses_only_parameters_that_exist(name, value):
    pairs = correct(name, value, PARAMETERS)

    assert {name for name, _ in pairs or []} <= set(PARAMETERS)
