"""`--json` prints one JSON object for every result of a load."""

import json

import pytest

from tests.factories import feature, foodpro_row

KEYS = {"dataset", "state", "revision", "collections", "problems"}
PROBLEM = {"file", "line", "reason", "guard", "times"}
COUNTS = {"added": 1, "changed": 0, "removed": 0, "unchanged": 0}


def parse_report(result):
    """Parse standard output, check its documented keys and return them."""
    value = json.loads(result.stdout)
    assert value.keys() >= KEYS
    assert all(problem.keys() == PROBLEM for problem in value["problems"])
    return {key: value[key] for key in KEYS}


def test_a_published_load_is_reported(campus_load, save_features):
    result = campus_load("buildings", save_features(feature(1)), "--json")

    collections = {"buildings": COUNTS}
    assert (result.exit_code, result.stderr) == (0, "")
    assert parse_report(result) == {
        "dataset": "buildings",
        "state": "published",
        "revision": 1,
        "collections": collections,
        "problems": [],
    }


def test_a_published_load_of_dining_has_counts_for_each_collection(campus_load, save_rows):
    result = campus_load("dining", save_rows(foodpro_row()), "--json")

    assert parse_report(result)["collections"] == dict.fromkeys(["categories", "locations", "recipes", "menus"], COUNTS)


def test_an_unchanged_load_is_reported(campus_load, save_features):
    path = save_features(feature(1))
    campus_load("buildings", path)

    result = campus_load("buildings", path, "--json")

    report = parse_report(result)
    assert (result.exit_code, report["state"], report["revision"]) == (0, "unchanged", 1)


def test_a_dry_run_is_reported(campus_load, save_features):
    result = campus_load("buildings", save_features(feature(1)), "--json", "--dry-run")

    report = parse_report(result)
    assert (result.exit_code, report["state"], report["revision"], report["collections"]) == (
        0,
        "dry-run",
        None,
        {"buildings": COUNTS},
    )


@pytest.mark.parametrize(
    ("options", "status", "state", "revision"), [([], 3, "refused", 1), (["--override", "all"], 0, "published", 2)]
)
def test_a_refused_load_is_reported_with_its_guard(campus_load, save_features, options, status, state, revision):
    campus_load("buildings", save_features(feature(1), feature(2)))

    result = campus_load("buildings", save_features(feature(1)), "--json", *options)

    report = parse_report(result)
    reason = "buildings would lose 1 (50%) of 2"
    problem = {"file": None, "line": None, "reason": reason, "guard": "removed-buildings", "times": 1}
    assert (result.exit_code, report["state"], report["revision"]) == (status, state, revision)
    assert report["problems"] == [problem]


def test_a_building_outside_the_usual_area_is_reported_with_its_location(campus_load, save_features):
    far = feature(3, {"type": "Point", "coordinates": [0, 0]})

    result = campus_load("buildings", save_features(feature(1), feature(2), far), "--json")

    [problem] = parse_report(result)["problems"]
    assert (problem["file"], problem["line"]) == ("buildings.geojson", 1)


@pytest.mark.parametrize("command", [["dining"], ["check"]])
def test_invalid_records_are_reported(campus_load, save_rows, command):
    result = campus_load(*command, save_rows(foodpro_row(), foodpro_row(Meal_Number="9")), "--json")

    reason = "record 2: Meal_Number 9 is not one of 1 (breakfast), 2 (lunch), 3 (dinner)"
    assert result.exit_code == 2
    assert parse_report(result) == {
        "dataset": "dining",
        "state": "invalid",
        "revision": None,
        "collections": {},
        "problems": [{"file": "foodpro.json", "line": 1, "reason": reason, "guard": None, "times": 1}],
    }
    assert result.stderr.startswith("foodpro.json, line 1 (record 2): Meal_Number 9 ")


def test_allowed_errors_are_reported(campus_load, save_features):
    result = campus_load("buildings", save_features(feature("x"), feature(1)), "--json", "--max-errors", 1)

    report = parse_report(result)
    assert (result.exit_code, report["state"], len(report["problems"])) == (0, "published", 1)


def test_changed_menus_are_reported_by_location_and_meal(campus_load, save_rows):
    campus_load("dining", save_rows(foodpro_row(), foodpro_row(Recipe_Number="2", Recipe_Print_As_Name="Rice")))

    result = campus_load(
        "dining", save_rows(foodpro_row(), foodpro_row(Recipe_Number="3", Recipe_Print_As_Name="Soup")), "--json"
    )

    assert json.loads(result.stdout)["menus"] == [
        {
            "date": "2026-11-20",
            "location": 30,
            "name": "Annenberg Hall",
            "meal": 0,
            "before": 2,
            "after": 2,
            "removed": ["Rice"],
            "added": ["Soup"],
        }
    ]


def test_warnings_are_reported_with_their_count(campus_load, save_rows):
    rows = [foodpro_row(Recipe_Number=number, Meal_Name="Lunch") for number in "123"]

    result = campus_load("dining", save_rows(*rows), "--json")

    reason = "record 1: Meal_Name 'Lunch' contradicts Meal_Number 1 (breakfast); the number is used"
    assert json.loads(result.stdout)["warnings"] == [{"file": "foodpro.json", "line": 1, "reason": reason, "times": 3}]
