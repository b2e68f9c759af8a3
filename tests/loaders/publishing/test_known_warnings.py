"""A load does not repeat the warnings of the load before."""

import json

import pytest

from tests.factories import foodpro_row

WARNING = "Meal_Name 'Dinner' contradicts Meal_Number 1 (breakfast); the number is used"


@pytest.fixture
def menu(save_rows):
    """Write a menu whose meals have these names."""
    return lambda *meals: save_rows(
        *(foodpro_row(Recipe_Number=number, Meal_Name=meal) for number, meal in enumerate(meals)),
        *(foodpro_row(Recipe_Number=number) for number in range(50, 60)),
    )


def test_a_known_warning_is_counted_but_not_repeated(campus_load, menu):
    first = campus_load("dining", menu("Dinner"))

    second = campus_load("dining", menu("Dinner"))

    assert (WARNING in first.stderr, second.stderr) == (True, "")
    assert second.stdout.splitlines()[-1] == "  1 warning as in the load before"


def test_a_known_warning_may_be_about_another_record(campus_load, menu):
    campus_load("dining", menu("Dinner"))

    assert campus_load("dining", menu("", "Dinner", "Dinner")).stderr == ""


def test_a_new_warning_is_printed(campus_load, menu):
    campus_load("dining", menu("Dinner"))

    result = campus_load("dining", menu("Dinner", "Lunch"))

    assert result.stderr.splitlines() == [
        "warning: foodpro.json, line 1 (record 2): " + WARNING.replace("Dinner", "Lunch"),
    ]


def test_a_warning_that_returns_is_new(campus_load, menu):
    for meals in (["Dinner"], []):
        campus_load("dining", menu(*meals))

    assert WARNING in campus_load("dining", menu("Dinner")).stderr


def test_warnings_of_a_refused_load_are_known(campus_load, menu, save_rows):
    campus_load("dining", menu(*[""] * 9))
    campus_load("dining", save_rows(foodpro_row(Meal_Name="Dinner")))

    result = campus_load("dining", save_rows(foodpro_row(Meal_Name="Dinner")))

    assert (result.exit_code, WARNING in result.stderr) == (3, False)


@pytest.mark.parametrize("arguments", [["check"], ["dining", "--dry-run"]], ids=["check", "dry run"])
def test_a_load_that_writes_nothing_prints_all_warnings(campus_load, menu, arguments):
    campus_load("dining", menu("Dinner"))

    assert WARNING in campus_load(*arguments, menu("Dinner")).stderr


def test_known_warnings_are_in_the_json(campus_load, menu):
    campus_load("dining", menu("Dinner"))

    assert len(json.loads(campus_load("dining", menu("Dinner"), "--json").stdout)["warnings"]) == 1
