"""Assigned ids in dumps, which restore them."""

import json

import pytest

from loaders.inference import propose
from loaders.publishing.assigned_ids import read_assigned_ids
from loaders.publishing.checks import id_table_lost
from loaders.result import BuildingRead
from tests.factories import feature
from tests.loaders.live import live_data

WAYS = [feature(f"way/{name}", building="yes", name=f"{name} House") for name in "abc"]
TABLE = """date;meal;location;category;dish
2026-11-23;lunch;North;Pasta;Spaghetti
2026-11-23;lunch;South;Grill;Burger
2026-11-24;dinner;South;Soup;Minestrone
"""


@pytest.fixture
def load_ways(campus_load, save_features):
    """Load an extract whose ids are assigned, twice, so that the first building is gone."""
    for ways in (WAYS, WAYS[1:]):
        campus_load("buildings", save_features(*ways), "--profile", "openstreetmap", "--override", "all")


@pytest.fixture
def load_table(campus_load, save):
    """Load a table, by default this one, with the profile that is proposed for it."""

    def load_table(text=TABLE):
        path = save(text, "menu.csv")
        return campus_load("dining", path, "--profile", save(propose.profile(path), "menu.toml"))

    assert load_table().exit_code == 0
    return load_table


@pytest.mark.usefixtures("load_ways")
def test_ids_are_not_assigned_anew_to_live_buildings_but_restored_by_a_dump(campus_load, database, dump, save_features):
    path, ids = dump("buildings"), read_assigned_ids(database)
    database.building_ids.drop()

    refused = campus_load("buildings", save_features(*reversed(WAYS)), "--profile", "openstreetmap")

    reason = "3 buildings would get new ids: none are stored of the live ones; a dump that has them restores them"
    assert (refused.exit_code, f"refused by new-ids: {reason}" in refused.stderr.splitlines()) == (3, True)
    assert campus_load("check", path).stdout.splitlines()[-1] == "verdict: nothing to change"
    assert read_assigned_ids(database) == {}
    assert campus_load("buildings", path).stdout.startswith("buildings: unchanged, revision 2 stays")
    assert read_assigned_ids(database) == ids == {"way/a": 1, "way/b": 2, "way/c": 3}
    reading = BuildingRead(assigned_ids={"way/d": 4}, restored_ids=ids)
    assert [*id_table_lost("building", reading, {})] == []


def test_ids_of_a_table_are_not_assigned_anew_but_restored_by_a_dump(campus_load, load_table, database, dump):
    header, *rows = TABLE.splitlines()
    reversed_rows = "\n".join([header, *reversed(rows)]) + "\n"
    ids, before = read_assigned_ids(database, "dining"), live_data(database, "dining")
    path = dump("dining")
    database.dining_ids.drop()

    refused = load_table(reversed_rows)

    reason = "8 names would get new ids: none are stored of the live ones; a dump that has them restores them"
    assert (refused.exit_code, f"refused by new-ids: {reason}" in refused.stderr.splitlines()) == (3, True)
    assert read_assigned_ids(database, "dining") == {}
    database.client.drop_database(database.name)
    assert campus_load("dining", path).exit_code == 0
    assert (len(ids), live_data(database, "dining")) == (8, before)
    assert load_table(reversed_rows).exit_code == 0
    assert read_assigned_ids(database, "dining") == ids


@pytest.mark.usefixtures("load_ways")
def test_assigned_ids_of_other_data_are_an_error(campus_load, database, dump):
    path = dump("buildings")
    database.building_ids.delete_many({})
    database.building_ids.insert_one({"_id": "way/z", "id": 1})
    path.write_text(path.read_text().replace("b House", "B House"))

    result = campus_load("buildings", path)

    assert (result.exit_code, "those of a dump differ" in result.stderr) == (1, True)
    assert read_assigned_ids(database) == {"way/z": 1}


@pytest.mark.usefixtures("load_ways", "load_table")
def test_an_invalid_id_in_a_dump_is_an_error(campus_load, dump):
    for dataset in ("buildings", "dining"):
        path, field = dump(dataset), f"{dataset.removesuffix('s')}_ids"
        path.write_text(json.dumps({**json.loads(path.read_bytes()), field: [{"text": "a", "id": "x"}]}))

        result = campus_load(dataset, path)

        reason = f"has an invalid record in {field}: id is invalid: Expected `int`, got `str`"
        assert (result.exit_code, reason in result.stderr) == (2, True), dataset
