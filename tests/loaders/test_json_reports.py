"""--json: one JSON object on standard output, whatever became of a load."""

import json

import pytest

from tests.factories import feature, foodpro_row

KEYS = {"dataset", "state", "revision", "collections", "problems"}
PROBLEM = {"file", "line", "reason", "guard"}
COUNTS = {"added": 1, "changed": 0, "removed": 0, "unchanged": 0}


def said(ended):
    """Return the one JSON object of standard output, of which programs know these keys."""
    value = json.loads(ended.stdout)
    assert value.keys() >= KEYS
    assert all(problem.keys() == PROBLEM for problem in value["problems"])
    return {key: value[key] for key in KEYS}


def test_a_published_load(campus_load, save_features):
    ended = campus_load("buildings", save_features(feature(1)), "--json")

    collections = {"buildings": COUNTS}
    assert (ended.exit_code, ended.stderr) == (0, "")
    assert said(ended) == {
        "dataset": "buildings",
        "state": "published",
        "revision": 1,
        "collections": collections,
        "problems": [],
    }


def test_a_published_load_of_dining(campus_load, save_rows):
    ended = campus_load("dining", save_rows(foodpro_row()), "--json")

    assert said(ended)["collections"] == dict.fromkeys(["categories", "locations", "recipes", "menus"], COUNTS)


def test_an_unchanged_load(campus_load, save_features):
    path = save_features(feature(1))
    campus_load("buildings", path)

    ended = campus_load("buildings", path, "--json")

    found = said(ended)
    assert (ended.exit_code, found["state"], found["revision"]) == (0, "unchanged", 1)


def test_a_dry_run(campus_load, save_features):
    ended = campus_load("buildings", save_features(feature(1)), "--json", "--dry-run")

    found = said(ended)
    assert (ended.exit_code, found["state"], found["revision"], found["collections"]) == (
        0,
        "dry-run",
        None,
        {"buildings": COUNTS},
    )


@pytest.mark.parametrize(
    ("options", "status", "state", "revision"), [([], 3, "refused", 1), (["--override", "all"], 0, "published", 2)]
)
def test_a_load_that_a_guard_refuses(campus_load, save_features, options, status, state, revision):
    campus_load("buildings", save_features(feature(1), feature(2)))

    ended = campus_load("buildings", save_features(feature(1)), "--json", *options)

    found = said(ended)
    reason = "buildings would lose 1 (50%) of 2"
    problem = {"file": None, "line": None, "reason": reason, "guard": "removed-buildings"}
    assert (ended.exit_code, found["state"], found["revision"]) == (status, state, revision)
    assert found["problems"] == [problem]


def test_a_building_out_of_place_has_its_file_and_line(campus_load, save_features):
    far = feature(3, {"type": "Point", "coordinates": [0, 0]})

    ended = campus_load("buildings", save_features(feature(1), feature(2), far), "--json")

    [problem] = said(ended)["problems"]
    assert (problem["file"], problem["line"]) == ("buildings.geojson", 1)


@pytest.mark.parametrize("command", [["dining"], ["check"]])
def test_a_load_with_bad_records(campus_load, save_rows, command):
    ended = campus_load(*command, save_rows(foodpro_row(), foodpro_row(Meal_Number="9")), "--json")

    reason = "record 2: Meal_Number 9 is not one of 1 (breakfast), 2 (lunch), 3 (dinner)"
    assert ended.exit_code == 2
    assert said(ended) == {
        "dataset": "dining",
        "state": "invalid",
        "revision": None,
        "collections": {},
        "problems": [{"file": "foodpro.json", "line": 1, "reason": reason, "guard": None}],
    }
    assert ended.stderr.startswith("foodpro.json, line 1 (record 2): Meal_Number 9 ")


def test_problems_of_a_load_that_may_have_some_are_told(campus_load, save_features):
    ended = campus_load("buildings", save_features(feature("x"), feature(1)), "--json", "--max-errors", 1)

    found = said(ended)
    assert (ended.exit_code, found["state"], len(found["problems"])) == (0, "published", 1)


def test_menus_that_change_are_told_by_location_and_meal(campus_load, save_rows):
    campus_load("dining", save_rows(foodpro_row(), foodpro_row(Recipe_Number="2", Recipe_Print_As_Name="Rice")))

    ended = campus_load(
        "dining", save_rows(foodpro_row(), foodpro_row(Recipe_Number="3", Recipe_Print_As_Name="Soup")), "--json"
    )

    assert json.loads(ended.stdout)["menus"] == [
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


def test_warnings_are_told_with_how_often_they_occur(campus_load, save_rows):
    rows = [foodpro_row(Recipe_Number=number, Meal_Name="Lunch") for number in "123"]

    ended = campus_load("dining", save_rows(*rows), "--json")

    reason = "record 1: Meal_Name 'Lunch' contradicts Meal_Number 1 (breakfast); the number is used"
    assert json.loads(ended.stdout)["warnings"] == [{"file": "foodpro.json", "line": 1, "reason": reason, "times": 3}]
