import pytest

from tests.factories import feature, foodpro_row, huds_line
from tests.loaders.live import live_buildings, live_collection


def test_a_profile_may_be_a_file(campus_load, mongod_database, save, save_features):
    profile_path = save('format = "geojson"\n[fields]\nid = "ref"\nname = "TITLE"\n', "custom.toml")

    campus_load(
        "buildings", save_features(feature("x", ref=7, TITLE="Widener", name="a decoy")), "--profile", profile_path
    )

    assert [(document["_id"], document["name"]) for document in live_buildings(mongod_database)] == [(7, "Widener")]


def test_the_profile_sets_the_format_of_menus(campus_load, mongod_database, save):
    campus_load("dining", save(huds_line(meal="DIN")), "--profile", "huds")

    assert [item["meal"] for item in live_collection(mongod_database, "menus").find_one()["items"]] == [2]


def test_without_a_profile_the_format_decides(campus_load, mongod_database, save):
    campus_load("dining", save(huds_line(meal="DIN")))

    assert [item["meal"] for item in live_collection(mongod_database, "menus").find_one()["items"]] == [2]


def test_menus_are_not_loaded_as_buildings(campus_load, save_rows):
    path = save_rows(foodpro_row())

    result = campus_load("buildings", path)

    message = f"campus-load: {path}: is in the format foodpro: load it with campus-load dining\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)


def test_buildings_are_not_loaded_as_menus(campus_load, save_features):
    path = save_features(feature(1))

    result = campus_load("dining", path)

    message = f"campus-load: {path}: is in the format geojson: load it with campus-load buildings\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)


@pytest.mark.parametrize("command", ["buildings", "dining", "check"])
def test_an_export_in_an_unknown_format_is_described(campus_load, save, command):
    path = save("id,name\n")

    result = campus_load(command, path)

    description = "it looks like CSV, but neither of a map nor of menus; its first line has 2 columns: 'id', 'name'"
    message = f"campus-load: {path}: is not in a known format: {description}; buildings need a latitude and a longitude"
    assert (result.exit_code, result.stdout, result.stderr.startswith(message)) == (2, "", True)
