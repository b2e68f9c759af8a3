"""`campus-load check` reports whether an export can be published, and writes nothing."""

import json

import pytest

from loaders.map_formats import BUILDING_FORMATS
from loaders.menu_formats import DINING_FORMATS
from tests.factories import feature, foodpro_row, huds_line

ESRI = {
    "spatialReference": {"wkid": 4326},
    "features": [{"attributes": {"id": 1}, "geometry": {"x": -71.11, "y": 42.37}}],
}

# A data set and an export for each format.
FORMATS = {
    "geojson": ("buildings", json.dumps({"type": "FeatureCollection", "features": [feature(1)]})),
    "esri": ("buildings", json.dumps(ESRI)),
    "foodpro": ("dining", json.dumps([foodpro_row()])),
    "huds": ("dining", huds_line()),
}
every_format = pytest.mark.parametrize(
    ("format_", "dataset", "content"), [(format_, *values) for format_, values in FORMATS.items()], ids=FORMATS
)


def verdict(result):
    return result.exit_code, result.stdout.splitlines()[-1]


@every_format
@pytest.mark.parametrize("explicit", [False, True], ids=["detected", "explicit"])
def test_a_new_export_can_be_published(campus_load, save, format_, dataset, content, explicit):
    result = campus_load("check", save(content), *["--profile", format_][: 2 * explicit])

    message = f"{dataset}: dry run, nothing was written; this would be revision 1"
    assert (result.stdout.splitlines()[0], verdict(result)) == (message, (0, "verdict: can be published"))


@every_format
def test_a_live_export_is_unchanged(campus_load, save, format_, dataset, content):
    campus_load(dataset, save(content), "--profile", format_)

    result = campus_load("check", save(content))

    assert verdict(result) == (0, "verdict: nothing to change")


@every_format
def test_a_load_without_a_profile_detects_the_format(campus_load, mongod_database, save, format_, dataset, content):
    result = campus_load(dataset, save(content))

    assert (result.exit_code, mongod_database.datasets.find_one()["_id"]) == (0, dataset)


@every_format
def test_a_check_writes_nothing(campus_load, mongod_database, save, format_, dataset, content):
    campus_load("check", save(content))

    assert mongod_database.list_collection_names() == []


def test_an_export_that_violates_a_guard_would_be_refused(campus_load, save_features):
    campus_load("buildings", save_features(feature(1), feature(2)))

    result = campus_load("check", save_features(feature(1)))

    assert verdict(result) == (3, "verdict: would be refused")
    assert "refused by removed-buildings: buildings would lose 1 (50%) of 2" in result.stderr.splitlines()


def test_limits_of_a_profile_apply_to_a_check(campus_load, save, save_features):
    campus_load("buildings", save_features(feature(1), feature(2)))
    profile = save('format = "geojson"\n[limits]\nlost_documents = 0.5\n', "profile.toml")

    result = campus_load("check", save_features(feature(1)), "--profile", profile)

    assert verdict(result) == (0, "verdict: can be published")


def test_an_export_with_invalid_records_cannot_be_used(campus_load, save_features):
    result = campus_load("check", save_features(feature(1), feature("x")))

    assert verdict(result) == (2, "verdict: cannot be used")
    assert result.stderr.startswith("buildings.geojson, line 1 (record 2): id 'x' is not an integer")


def test_errors_may_be_allowed(campus_load, save_features):
    result = campus_load("check", save_features(feature(1), feature("x")), "--max-errors", 1)

    assert verdict(result) == (0, "verdict: can be published")


def test_an_export_without_valid_records_cannot_be_used(campus_load, save_features):
    assert verdict(campus_load("check", save_features(feature("x")))) == (2, "verdict: cannot be used")


def test_several_files_are_one_export(campus_load, save_features):
    paths = [save_features(feature(id_), name=f"{id_}.geojson") for id_ in (1, 2)]

    result = campus_load("check", *paths)

    assert result.stdout.splitlines()[2].split() == ["buildings", "2", "0", "0", "0"]


def test_an_unknown_format_is_an_error(campus_load, save):
    path = save("id,name\n1,Widener\n", "list.csv")

    result = campus_load("check", path)

    hint = "it looks like CSV, but neither of a map nor of menus; its first line has 2 columns: 'id', 'name'"
    message = f"campus-load: {path}: is not in a known format: {hint}; buildings need "
    assert (result.exit_code, result.stdout, result.stderr.startswith(message)) == (2, "", True)


def test_a_profile_with_an_unknown_format_is_an_error(campus_load, save, save_features):
    profile = save('format = "shapefile"\n', "profile.toml")

    result = campus_load("check", save_features(feature(1)), "--profile", profile)

    names = ", ".join([*BUILDING_FORMATS, *DINING_FORMATS])
    message = f"campus-load: profile {profile}: format 'shapefile' is not one of {names}\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)


@pytest.mark.parametrize(
    ("options", "state", "status"), [([], "refused", 3), (["--profile", "openstreetmap"], "invalid", 2)]
)
def test_the_verdict_as_json_is_the_state(campus_load, save_features, options, state, status):
    campus_load("buildings", save_features(feature(1), feature(2)))

    result = campus_load("check", save_features(feature(1)), "--json", *options)

    assert (result.exit_code, json.loads(result.stdout)["state"]) == (status, state)


def test_options_of_buildings_apply_to_a_check(campus_load, save_features):
    path = save_features(feature("way/7", ref=7, image="a.jpg"))
    options = ["--id-field", "ref", "--city", "Cambridge", "--image-base", "https://example.edu/"]
    campus_load("buildings", path, *options)

    assert verdict(campus_load("check", path, *options)) == (0, "verdict: nothing to change")


def test_a_spatial_reference_applies_to_a_check(campus_load, save):
    path = save(json.dumps({"features": [{"attributes": {"id": 1}, "geometry": {"x": -7915000, "y": 5215000}}]}))

    assert campus_load("check", path, "--profile", "esri").exit_code == 2
    assert campus_load("check", path, "--profile", "esri", "--wkid", 3857).exit_code == 0


def test_a_guard_may_be_overridden_in_a_check(campus_load, save_features):
    campus_load("buildings", save_features(feature(1), feature(2)))

    result = campus_load("check", save_features(feature(1)), "--override", "removed-buildings")

    assert verdict(result) == (0, "verdict: can be published")


def test_options_of_buildings_are_an_error_for_menus(campus_load, save_rows):
    result = campus_load("check", save_rows(foodpro_row()), "--city", "Cambridge")

    message = "Error: --city is an option for buildings, and this export has menus"
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (2, message)


@pytest.mark.parametrize("command", ["buildings", "dining", "check"])
def test_a_second_profile_is_an_error(campus_load, save_features, command):
    profiles = ["--profile", "geojson", "--profile", "esri"]

    result = campus_load(command, save_features(feature(1)), *profiles)

    assert (result.exit_code, "there are 2, but a load has one profile" in result.stderr) == (2, True)
