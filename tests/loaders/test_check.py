"""campus-load check: a verdict on an export of any format, and nothing written."""

import json

import pytest

from tests.factories import feature, foodpro_row, huds_line

ESRI = {
    "spatialReference": {"wkid": 4326},
    "features": [{"attributes": {"id": 1}, "geometry": {"x": -71.11, "y": 42.37}}],
}

# What is in a file of each format, and the data set that it is for.
FORMATS = {
    "geojson": ("buildings", json.dumps({"type": "FeatureCollection", "features": [feature(1)]})),
    "esri": ("buildings", json.dumps(ESRI)),
    "foodpro": ("dining", json.dumps([foodpro_row()])),
    "huds": ("dining", huds_line()),
}
every_format = pytest.mark.parametrize(
    ("form", "dataset", "content"), [(form, *given) for form, given in FORMATS.items()], ids=FORMATS
)


def verdict(ended):
    return ended.exit_code, ended.stdout.splitlines()[-1]


@every_format
@pytest.mark.parametrize("named", [False, True], ids=["told by the content", "named"])
def test_an_export_that_is_new_can_be_published(campus_load, save, form, dataset, content, named):
    ended = campus_load("check", save(content), *["--profile", form][: 2 * named])

    said = f"{dataset}: dry run, nothing was written; this would be revision 1"
    assert (ended.stdout.splitlines()[0], verdict(ended)) == (said, (0, "verdict: can be published"))


@every_format
def test_an_export_that_is_live_changes_nothing(campus_load, save, form, dataset, content):
    campus_load(dataset, save(content), "--profile", form)

    ended = campus_load("check", save(content))

    assert verdict(ended) == (0, "verdict: nothing to change")


@every_format
def test_a_load_without_a_profile_reads_what_check_reads(campus_load, mongod_database, save, form, dataset, content):
    ended = campus_load(dataset, save(content))

    assert (ended.exit_code, mongod_database.datasets.find_one()["_id"]) == (0, dataset)


@every_format
def test_a_check_writes_nothing(campus_load, mongod_database, save, form, dataset, content):
    campus_load("check", save(content))

    assert mongod_database.list_collection_names() == []


def test_an_export_that_a_guard_refuses_would_be_refused(campus_load, save_features):
    campus_load("buildings", save_features(feature(1), feature(2)))

    ended = campus_load("check", save_features(feature(1)))

    assert verdict(ended) == (3, "verdict: would be refused")
    assert "refused by removed-buildings: buildings would lose 1 (50%) of 2" in ended.stderr.splitlines()


def test_limits_of_a_profile_hold_for_a_check(campus_load, save, save_features):
    campus_load("buildings", save_features(feature(1), feature(2)))
    own = save('format = "geojson"\n[limits]\nlost_documents = 0.5\n', "own.toml")

    ended = campus_load("check", save_features(feature(1)), "--profile", own)

    assert verdict(ended) == (0, "verdict: can be published")


def test_an_export_with_bad_records_cannot_be_used(campus_load, save_features):
    ended = campus_load("check", save_features(feature(1), feature("x")))

    assert verdict(ended) == (2, "verdict: cannot be used")
    assert ended.stderr.startswith("buildings.geojson, line 1 (record 2): id 'x' is not an integer")


def test_errors_may_be_allowed(campus_load, save_features):
    ended = campus_load("check", save_features(feature(1), feature("x")), "--max-errors", 1)

    assert verdict(ended) == (0, "verdict: can be published")


def test_an_export_without_records_cannot_be_used(campus_load, save_features):
    assert verdict(campus_load("check", save_features())) == (2, "verdict: cannot be used")


def test_several_files_are_one_export(campus_load, save_features):
    paths = [save_features(feature(id_), name=f"{id_}.geojson") for id_ in (1, 2)]

    ended = campus_load("check", *paths)

    assert ended.stdout.splitlines()[2].split() == ["buildings", "2", "0", "0", "0"]


def test_a_file_in_no_known_format_is_named(campus_load, save):
    path = save("id,name\n1,Widener\n", "list.csv")

    ended = campus_load("check", path)

    looks = "it looks like CSV, but not of menus; its first line has 2 columns: 'id', 'name'"
    said = f"campus-load: {path}: is not in a known format: {looks}\n"
    assert (ended.exit_code, ended.stdout, ended.stderr) == (2, "", said)


def test_a_profile_without_a_format_that_is_known_is_named(campus_load, save, save_features):
    own = save('format = "shapefile"\n', "own.toml")

    ended = campus_load("check", save_features(feature(1)), "--profile", own)

    said = f"campus-load: profile {own}: format 'shapefile' is not one of geojson, esri, foodpro, huds\n"
    assert (ended.exit_code, ended.stdout, ended.stderr) == (2, "", said)


@pytest.mark.parametrize(
    ("options", "state", "status"), [([], "refused", 3), (["--profile", "openstreetmap"], "invalid", 2)]
)
def test_the_verdict_as_json_is_the_state(campus_load, save_features, options, state, status):
    campus_load("buildings", save_features(feature(1), feature(2)))

    ended = campus_load("check", save_features(feature(1)), "--json", *options)

    assert (ended.exit_code, json.loads(ended.stdout)["state"]) == (status, state)
