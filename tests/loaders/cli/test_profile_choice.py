from tests.factories import feature, huds_line
from tests.loaders.live import live_buildings, live_collection


def test_a_profile_may_be_a_file(campus_load, mongod_database, save, save_features):
    own = save('format = "geojson"\n[fields]\nid = "ref"\nname = "TITLE"\n', "own.toml")

    campus_load("buildings", save_features(feature("x", ref=7, TITLE="Widener", name="a decoy")), "--profile", own)

    assert [(document["_id"], document["name"]) for document in live_buildings(mongod_database)] == [(7, "Widener")]


def test_menus_may_be_in_another_format(campus_load, mongod_database, save):
    campus_load("dining", save(huds_line(meal="DIN")), "--profile", "huds")

    assert [item["meal"] for item in live_collection(mongod_database, "menus").find_one()["items"]] == [2]
