"""The commands that read exports: buildings, dining, check and profile."""

import json

import pytest

from campus_api.db.connection import read_dataset
from tests.factories import TODAY, feature, foodpro_row
from tests.loaders.live import live_buildings, live_collection


def test_buildings_are_published(campus_load, database, save_features):
    complete = feature(1, name="Widener", address="Harvard Yard", city="Cambridge")

    result = campus_load("buildings", save_features(complete, complete, feature(2, floors=3)))

    assert (result.exit_code, result.stderr) == (0, "")
    head, _, counts, *others = result.stdout.splitlines()
    assert (head, counts) == ("buildings: published as revision 1", "buildings       2        0        0          0")
    assert others[:2] == ["  1 duplicate left out", "  not read: floors (1)"]
    assert [document["name"] for document in live_buildings(database)] == ["Widener", None]


def test_menus_are_published(campus_load, database, save_csv):
    result = campus_load("dining", save_csv(foodpro_row(Recipe_Print_As_Name="Café"), encoding="cp1252"))

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("dining: published as revision 1\n")
    assert result.stdout.splitlines()[-2:] == ["  foodpro.csv: encoding cp1252", "  not read: ID (1)"]
    assert [day["_id"] for day in live_collection(database, "menus").find()] == [TODAY]


def test_max_errors_publishes_the_valid_records(campus_load, database, save_features):
    path = save_features(feature("x"), feature("y"), feature(3, name="Gym"))
    assert campus_load("buildings", path, "--dry-run").exit_code == 2
    assert database.list_collection_names() == []
    for allowed in (0, 1):
        result = campus_load("buildings", path, "--max-errors", allowed)

        message = "campus-load: 2 invalid records, nothing was published (1 valid)."
        assert (result.exit_code, message in result.stderr.splitlines()) == (2, True), allowed
        assert database.list_collection_names() == ["loads"], allowed

    report = json.loads(campus_load("check", path, "--max-errors", 2, "--json").stdout)
    result = campus_load("buildings", path, "--max-errors", 2)

    assert (report["state"], [problem["line"] for problem in report["problems"]]) == ("dry-run", [1, 1])
    assert (result.exit_code, len(result.stderr.splitlines())) == (0, 2)
    assert "  2 invalid records left out" in result.stdout.splitlines()
    assert [document["_id"] for document in live_buildings(database)] == [3]
    assert database.loads.find_one(sort=[("_id", -1)])["errors"] == 2


def test_nested_lists_need_rows(run, save):
    result = run("profile", save(json.dumps([[{"id": 1, "name": "Gym", "lat": 44.1, "lng": -73.1}]])), config=None)

    assert (result.exit_code, "the rows of a profile (docs/data.md) can make them" in result.stderr) == (2, True)


def test_an_export_without_records_publishes_nothing_of_the_others(run, save, save_rows):
    path, other = save("[]", "empty.json"), save_rows(foodpro_row(), name="hall.json")

    for paths in ([path], [path, other], [other, path]):
        result = run("dining", *paths, "--max-errors", 5, "--profile", "foodpro")
        message = f"campus-load: {path}: has no records\n"
        assert (result.exit_code, result.stdout, result.stderr) == (2, "", message), paths


def test_records_that_are_all_invalid_or_left_out_are_explained(campus_load, save, save_features, save_rows):
    profile = save('format = "geojson"\n[filter]\nbuilding = "yes"\n', "custom.toml")
    invalid, filtered = save_features(feature("x", ref=7), name="x"), save_features(feature(1))
    none = "1 invalid record, nothing was published (there are no valid records)."
    for arguments, message in [
        (["dining", save_rows(foodpro_row(Meal_Number="9")), "--max-errors", 5], none),
        (["buildings", invalid], "campus-load profile lists the fields that may be the id"),
        (["buildings", filtered, "--profile", profile], "1 feature left out by the filter, nothing was published."),
    ]:
        result = campus_load(*arguments)

        assert (result.exit_code, result.stdout) == (2, ""), arguments
        assert result.stderr.splitlines()[-1].startswith(f"campus-load: {message}"), arguments


def test_a_profile_may_be_a_file_or_a_name_and_options_apply_to_loads_and_checks(
    campus_load, database, save, save_features
):
    profile = save('format = "geojson"\n[fields]\nid = "x"\nname = "TITLE"\nimage = "image"\n', "custom.toml")
    metres = {"type": "Point", "coordinates": [-7915940.12, 5217123.31]}
    path = save_features(feature("x", metres, ref=7, TITLE="Widener", name="a decoy", image="a b.jpg"))
    options = ["--id-field", "ref", "--city", "Cambridge", "--image-base", "https://example.edu/", "--wkid", 3857]

    campus_load("buildings", path, "--profile", profile, *options)

    [document] = live_buildings(database)
    assert (document["_id"], document["name"], document["city"]) == (7, "Widener", "Cambridge")
    assert document["image"] == "https://example.edu/a%20b.jpg"
    assert document["point"] == pytest.approx([42.3737, -71.1101], abs=0.00001)
    check = campus_load("check", path, "--profile", profile, *options)
    assert check.stdout.splitlines()[-1] == "verdict: nothing to change"
    campus_load("buildings", save_features(feature(7)), "--profile", "cambridge", "--override", "all")
    assert [each["city"] for each in live_buildings(database)] == ["Cambridge"]


def test_a_check_ends_with_a_verdict(campus_load, database, save, save_features):
    campus_load("buildings", save_features(feature(1), feature(2)))
    lenient = save('format = "geojson"\n[limits]\nlost_documents = 0.5\n', "profile.toml")
    for features, options, status, state, expected in [
        ([feature(1), feature(2)], [], 0, "unchanged", "verdict: nothing to change"),
        ([feature(1), feature(2), feature(3)], [], 0, "dry-run", "verdict: can be published"),
        ([feature(1), feature(2), feature("x")], [], 2, "invalid", "verdict: cannot be used"),
        ([feature("x")], [], 2, "invalid", "verdict: cannot be used"),
        ([feature(1), feature(2), feature(3), feature("x")], ["--max-errors", 1], 0, "dry-run", "can be published"),
        ([feature(1)], [], 3, "refused", "verdict: would be refused"),
        ([feature(1)], ["--profile", lenient], 0, "dry-run", "verdict: can be published"),
        ([feature(1)], ["--override", "removed-buildings"], 0, "dry-run", "verdict: can be published"),
    ]:
        arguments = ["check", save_features(*features), *options]
        result, report = campus_load(*arguments), json.loads(campus_load(*arguments, "--json").stdout)

        assert (result.exit_code, report["state"]) == (status, state), arguments
        assert result.stdout.splitlines()[-1].endswith(expected), arguments
    assert read_dataset(database, "buildings")["revision"] == 1


def test_quiet_prints_only_what_needs_attention(campus_load, save_features, save_rows):
    path = save_features(feature(1, name="Gym"), feature(2))
    for command in (["check"], ["buildings", "--dry-run"], ["buildings"]):
        result = campus_load(*command, path, "--quiet")
        assert (result.exit_code, result.output) == (0, ""), command
    assert json.loads(campus_load("buildings", path, "--quiet", "--json").stdout)["state"] == "unchanged"

    for command in ("check", "buildings"):
        result = campus_load(command, save_features(feature(1)), "--quiet")
        assert (result.exit_code, "removed-buildings" in result.stderr) == (3, True), command
        assert result.stdout.startswith("buildings: refused, nothing was changed\n"), command

    result = campus_load("dining", save_rows(foodpro_row(Meal_Name="Dinner")), "--quiet")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (0, "", 1)


def test_records_that_are_invalid_with_the_proposed_profile_are_reported(run, save_features, save_rows):
    rows = save_rows(foodpro_row(), foodpro_row(Meal_Number="9"))
    features = save_features(feature(1), {**feature(1), "geometry": None}, 7)
    meal = "Meal_Number '9' is not in [meals] of the profile: add \"9\" = 0"
    for path, proposed, errors, number in [
        (rows, "foodpro", [meal], "1 invalid record"),
        (features, "geojson", ["geometry is missing", "feature 7 is not a JSON object"], "2 invalid records"),
    ]:
        result = run("profile", path, config=None)

        assert (result.exit_code, f'format = "{proposed}"' in result.stdout) == (2, True), path
        *lines, last = result.stderr.splitlines()
        assert [line.partition("): ")[2] for line in lines] == errors, path
        assert last == f"campus-load: {number} with this profile: correct it.", path


def test_a_proposed_profile_has_the_loaded_buildings_of_halls(
    campus_load, mongod_uri, run, save_features, save_rows, monkeypatch
):
    path = save_rows(foodpro_row())
    assert "[halls" not in campus_load("profile", path).stdout
    campus_load("buildings", save_features(feature(100, name="Widener"), feature(101, name="ANNENBERG HALL")))

    assert "[halls.30]\nbuilding = 101 # Annenberg Hall\n" in campus_load("profile", path).stdout
    monkeypatch.setenv("CAMPUS_MONGO_URI", mongod_uri)
    assert "building = 101" in run("profile", path, config=None).stdout


def test_a_violated_guard_is_a_problem_even_if_it_is_overridden(campus_load, save_features):
    campus_load("buildings", save_features(feature(1), feature(2)))
    reason = "buildings would lose 1 (50%) of 2"
    problem = {"file": None, "line": None, "reason": reason, "guard": "removed-buildings", "times": 1}
    for options, status, state, number in [([], 3, "refused", 1), (["--override", "all"], 0, "published", 2)]:
        result = campus_load("buildings", save_features(feature(1)), *options, "--json")

        report = json.loads(result.stdout)
        assert (result.exit_code, report["state"], report["revision"]) == (status, state, number), options
        assert (report["dataset"], report["problems"]) == ("buildings", [problem]), options


def test_changed_menus_are_reported_by_location_and_meal(campus_load, save_rows):
    both = [foodpro_row(), foodpro_row(Recipe_Number="2", Recipe_Print_As_Name="Rice")]
    campus_load("dining", save_rows(*both))

    result = campus_load("dining", save_rows(both[0], {**both[1], "Recipe_Print_As_Name": "Soup"}), "--json")

    [menu] = json.loads(result.stdout)["menus"]
    place = {"date": "2026-11-20", "location": 30, "name": "Annenberg Hall", "meal": 0}
    assert menu == {**place, "before": 2, "after": 2, "removed": ["Rice"], "added": ["Soup"]}
