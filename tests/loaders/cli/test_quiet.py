"""`--quiet` prints only what needs attention."""

import json

import pytest

from tests.factories import feature, foodpro_row

every_command = pytest.mark.parametrize("command", [["buildings"], ["buildings", "--dry-run"], ["check"]])


@every_command
def test_a_success_prints_nothing(campus_load, save_features, command):
    result = campus_load(*command, save_features(feature(1)), "--quiet")

    assert (result.exit_code, result.output) == (0, "")


def test_new_warnings_are_printed(campus_load, save_rows):
    result = campus_load("dining", save_rows(foodpro_row(Meal_Name="Dinner")), "--quiet")

    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (0, "", 1)


@pytest.mark.parametrize("command", [["dining"], ["dining", "--dry-run"], ["check"]])
def test_a_hall_whose_only_live_date_is_replaced_by_that_of_another_is_a_warning(campus_load, save_rows, command):
    campus_load("dining", save_rows(foodpro_row(), name="annenberg.json"))

    result = campus_load(*command, save_rows(foodpro_row(Location_Number="7", Location_Name="Quincy")), "--quiet")

    reason = "vanishes from 1 of 1 live date: a load replaces the menus of its dates"
    assert (result.exit_code, result.stderr.count("\n")) == (0, 2)
    assert f"the whole file: menus 'Annenberg Hall' {reason}" in result.stderr
    assert f"the whole file: menus 'most items' {reason}" in result.stderr


@pytest.mark.parametrize(("command", "status"), [("buildings", 3), ("check", 3)])
def test_a_refused_load_prints_everything(campus_load, save_features, command, status):
    campus_load("buildings", save_features(feature(1), feature(2)))

    result = campus_load(command, save_features(feature(1)), "--quiet")

    assert (result.exit_code, "removed-buildings" in result.stderr) == (status, True)
    assert result.stdout.startswith("buildings: refused, nothing was changed\n")


def test_the_json_is_printed_anyway(campus_load, save_features):
    result = campus_load("buildings", save_features(feature(1)), "--quiet", "--json")

    assert json.loads(result.stdout)["state"] == "published"
