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


def test_a_known_warning_is_counted_but_not_repeated_even_of_another_record(campus_load, menu):
    assert WARNING in campus_load("dining", menu("Dinner")).stderr

    for known in (menu("Dinner"), menu("", "Dinner", "Dinner")):
        result = campus_load("dining", known)
        assert (result.stderr, result.stdout.splitlines()[-1]) == ("", "  1 warning as in the load before"), known
    assert len(json.loads(campus_load("dining", menu("Dinner"), "--json").stdout)["warnings"]) == 1

    new = campus_load("dining", menu("Dinner", "Lunch"))
    lunch = WARNING.replace("Dinner", "Lunch")
    assert new.stderr.splitlines() == [f"warning: foodpro.json, line 1 (record 2): {lunch}"]


def test_a_warning_that_returns_is_new(campus_load, menu):
    campus_load("dining", menu("Dinner"))
    assert "as in the load before" not in campus_load("dining", menu()).stdout

    assert WARNING in campus_load("dining", menu("Dinner")).stderr


def test_warnings_of_a_refused_load_are_known(campus_load, menu, save_rows):
    campus_load("dining", menu(*[""] * 9))
    campus_load("dining", save_rows(foodpro_row(Meal_Name="Dinner")))

    result = campus_load("dining", save_rows(foodpro_row(Meal_Name="Dinner")))

    assert (result.exit_code, WARNING in result.stderr) == (3, False)


def test_a_load_that_writes_nothing_prints_all_warnings(campus_load, menu):
    campus_load("dining", menu("Dinner"))

    for arguments in (["check"], ["dining", "--dry-run"]):
        assert WARNING in campus_load(*arguments, menu("Dinner")).stderr, arguments
