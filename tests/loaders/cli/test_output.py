"""`--json` prints one JSON object for every result of a load."""

import json

import pytest

from tests.factories import feature, foodpro_row

KEYS = {"dataset", "state", "revision", "collections", "problems"}
PROBLEM = {"file", "line", "reason", "guard", "times"}
COUNTS = {"added": 1, "changed": 0, "removed": 0, "unchanged": 0}


@pytest.fixture
def report(campus_load):
    """Run campus-load and return its exit status and the documented keys of its JSON."""

    def report(*arguments):
        result = campus_load(*arguments, "--json")
        value = json.loads(result.stdout)
        assert value.keys() >= KEYS
        assert all(problem.keys() == PROBLEM for problem in value["problems"])
        return result.exit_code, {key: value[key] for key in KEYS}

    return report


def test_loads_of_all_states_are_reported(report, save_features):
    path = save_features(feature(1))
    for options, state, revision, counts in [
        (["--dry-run"], "dry-run", None, COUNTS),
        ([], "published", 1, COUNTS),
        ([], "unchanged", 1, {**COUNTS, "added": 0, "unchanged": 1}),
    ]:
        expected = {"dataset": "buildings", "state": state, "revision": revision, "problems": []}
        assert report("buildings", path, *options) == (0, {**expected, "collections": {"buildings": counts}})


def test_a_violated_guard_is_a_problem_even_if_it_is_overridden(report, save_features):
    report("buildings", save_features(feature(1), feature(2)))
    reason = "buildings would lose 1 (50%) of 2"
    problem = {"file": None, "line": None, "reason": reason, "guard": "removed-buildings", "times": 1}
    for options, status, state, revision in [([], 3, "refused", 1), (["--override", "all"], 0, "published", 2)]:
        exit_code, value = report("buildings", save_features(feature(1)), *options)

        assert (exit_code, value["state"], value["revision"]) == (status, state, revision)
        assert value["problems"] == [problem], options


def test_changed_menus_are_reported_by_location_and_meal(campus_load, save_rows):
    both = [foodpro_row(), foodpro_row(Recipe_Number="2", Recipe_Print_As_Name="Rice")]
    campus_load("dining", save_rows(*both))

    result = campus_load("dining", save_rows(both[0], {**both[1], "Recipe_Print_As_Name": "Soup"}), "--json")

    [menu] = json.loads(result.stdout)["menus"]
    place = {"date": "2026-11-20", "location": 30, "name": "Annenberg Hall", "meal": 0}
    assert menu == {**place, "before": 2, "after": 2, "removed": ["Rice"], "added": ["Soup"]}
