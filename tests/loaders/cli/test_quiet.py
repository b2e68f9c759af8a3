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


@pytest.mark.parametrize(("command", "status"), [("buildings", 3), ("check", 3)])
def test_a_refused_load_prints_everything(campus_load, save_features, command, status):
    campus_load("buildings", save_features(feature(1), feature(2)))

    result = campus_load(command, save_features(feature(1)), "--quiet")

    assert (result.exit_code, "removed-buildings" in result.stderr) == (status, True)
    assert result.stdout.startswith("buildings: refused, nothing was changed\n")


def test_the_json_is_printed_anyway(campus_load, save_features):
    result = campus_load("buildings", save_features(feature(1)), "--quiet", "--json")

    assert json.loads(result.stdout)["state"] == "published"
