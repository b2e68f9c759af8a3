"""Dumps of menus from a table keep the assigned ids, and a reload restores them."""

import json

import pytest

from loaders.inference import propose
from loaders.publishing.assigned_ids import read_assigned_ids
from tests.loaders.live import live_data

MENU = """date;meal;location;category;dish
2026-11-23;lunch;North;Pasta;Spaghetti
2026-11-23;lunch;South;Grill;Burger
2026-11-24;dinner;South;Soup;Minestrone
"""
REORDERED = "\n".join([*MENU.splitlines()[:1], *MENU.splitlines()[:0:-1]]) + "\n"


@pytest.fixture
def load_menu(campus_load, save):
    """Load a table with the profile that is proposed for it."""

    def load_menu(text=MENU, *options):
        path = save(text, "menu.csv")
        profile = save(propose.profile(path), "menu.toml")
        return campus_load("dining", path, "--profile", profile, *options)

    return load_menu


@pytest.fixture
def dump(campus_load, load_menu, tmp_path):
    assert load_menu().exit_code == 0
    path = tmp_path / "dump.json"
    assert campus_load("dump", "dining", path).exit_code == 0
    return path


def test_a_reload_restores_assigned_ids(campus_load, load_menu, mongod_database, dump):
    ids = read_assigned_ids(mongod_database, "dining")
    before = live_data(mongod_database, "dining")
    mongod_database.client.drop_database(mongod_database.name)

    assert campus_load("dining", dump).exit_code == 0

    assert len(ids) == 8
    assert read_assigned_ids(mongod_database, "dining") == ids
    assert live_data(mongod_database, "dining") == before
    assert load_menu(REORDERED).exit_code == 0
    assert read_assigned_ids(mongod_database, "dining") == ids


def test_ids_are_not_assigned_anew_to_live_names(load_menu, mongod_database, dump):
    mongod_database.dining_ids.drop()

    result = load_menu(REORDERED)

    reason = "8 names would get new ids: none are stored of the live ones; a dump that has them restores them"
    assert (result.exit_code, f"refused by new-ids: {reason}" in result.stderr.splitlines()) == (3, True)
    assert read_assigned_ids(mongod_database, "dining") == {}


def test_two_names_with_one_integer_in_a_dump_are_an_error(campus_load, dump):
    dumped = json.loads(dump.read_bytes())
    dumped["dining_ids"][1]["id"] = dumped["dining_ids"][0]["id"]
    dump.write_text(json.dumps(dumped))

    result = campus_load("dining", dump)

    assert result.exit_code == 2
    assert "has the integer 1 for 'category/pasta', that of" in result.stderr


def test_an_invalid_id_in_a_dump_is_an_error(campus_load, dump):
    dumped = json.loads(dump.read_bytes())
    dumped["dining_ids"][0] = {"text": "dish/soup"}
    dump.write_text(json.dumps(dumped))

    result = campus_load("dining", dump)

    assert result.exit_code == 2
    assert "has an invalid record in dining_ids: record" in result.stderr
    assert "is not an object with a text and an integer id" in result.stderr
