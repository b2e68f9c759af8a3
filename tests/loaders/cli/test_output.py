"""`--json` prints one JSON object for every result of a load."""

import json

from tests.factories import feature, foodpro_row


def test_a_violated_guard_is_a_problem_even_if_it_is_overridden(campus_load, save_features):
    campus_load("buildings", save_features(feature(1), feature(2)))
    reason = "buildings would lose 1 (50%) of 2"
    problem = {"file": None, "line": None, "reason": reason, "guard": "removed-buildings", "times": 1}
    for options, status, state, revision in [([], 3, "refused", 1), (["--override", "all"], 0, "published", 2)]:
        result = campus_load("buildings", save_features(feature(1)), *options, "--json")

        report = json.loads(result.stdout)
        assert (result.exit_code, report["state"], report["revision"]) == (status, state, revision)
        assert (report["dataset"], report["problems"]) == ("buildings", [problem]), options


def test_changed_menus_are_reported_by_location_and_meal(campus_load, save_rows):
    both = [foodpro_row(), foodpro_row(Recipe_Number="2", Recipe_Print_As_Name="Rice")]
    campus_load("dining", save_rows(*both))

    result = campus_load("dining", save_rows(both[0], {**both[1], "Recipe_Print_As_Name": "Soup"}), "--json")

    [menu] = json.loads(result.stdout)["menus"]
    place = {"date": "2026-11-20", "location": 30, "name": "Annenberg Hall", "meal": 0}
    assert menu == {**place, "before": 2, "after": 2, "removed": ["Rice"], "added": ["Soup"]}
