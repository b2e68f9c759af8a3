from tests.factories import feature, huds_line
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
