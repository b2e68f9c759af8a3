"""A load that died and the next one, which says what is live: that stays as it is, with all that belongs to it."""

import json

import pytest

from loaders.publishing.plan import plan_dining
from tests.factories import feature, foodpro_row, serving
from tests.loaders.states import dining_of, load_that_dies

OLD, LIVE, DEAD = ([foodpro_row(Recipe_Number=number) for number in numbers] for numbers in ((1, 2), (1, 3), (1, 4)))


@pytest.fixture
def two_menus(campus_load, save_rows):
    """Publish OLD, then LIVE."""
    for rows in (OLD, LIVE):
        assert campus_load("dining", save_rows(*rows), "--accept-shrink").exit_code == 0


@pytest.mark.parametrize("at_write", range(1, 12))
@pytest.mark.usefixtures("two_menus")
def test_the_live_export_again_brings_it_back_without_a_revision(campus_load, mongod_database, save_rows, at_write):
    live = dining_of(mongod_database)
    load_that_dies(mongod_database, "dining", [serving(1, "Kashi Pilaf"), serving(4, date="2026-11-21")], at_write)

    ended = campus_load("dining", save_rows(*LIVE))

    assert (ended.exit_code, ended.stdout.splitlines()[0]) == (0, "dining: unchanged, revision 2 stays")
    assert dining_of(mongod_database) == live
    assert [entry["state"] for entry in mongod_database.imports.find(sort=[("started_at", 1)])] == [
        "published",
        "published",
        "interrupted",
        "unchanged",
    ]


@pytest.mark.usefixtures("two_menus")
def test_what_came_before_the_live_export_can_still_be_brought_back(campus_load, mongod_database, save_rows):
    load_that_dies(mongod_database, "dining", [serving(4, date="2026-11-21")], at_write=9)
    campus_load("dining", save_rows(*LIVE))

    ended = campus_load("undo", "dining")

    assert ended.exit_code == 0
    assert [item["recipe"] for item in mongod_database.menus.find_one()["items"]] == [1, 2]


@pytest.mark.usefixtures("two_menus")
def test_what_a_repeated_load_changed_is_told_against_what_was_live(campus_load, mongod_database, save_rows):
    path = save_rows(*DEAD)
    servings = [serving(1, "Kashi Pilaf"), serving(4, "Kashi Pilaf")]
    load_that_dies(mongod_database, "dining", servings, at_write=len(plan_dining(mongod_database, servings).meals) + 9)

    ended = campus_load("dining", path, "--json")

    assert json.loads(ended.stdout)["collections"]["menus"]["changed"] == 1
    assert json.loads(campus_load("diff", "dining", 3, "--json").stdout)["collections"]["menus"]["changed"] == 1


def test_the_live_buildings_again_are_unchanged_after_a_load_that_died(campus_load, mongod_database, save_features):
    path = save_features(feature(1))
    campus_load("buildings", path)
    mongod_database.imports.insert_one({"dataset": "buildings", "state": "started"})

    ended = campus_load("buildings", path)

    assert ended.stdout.splitlines()[0] == "buildings: unchanged, revision 1 stays"
    assert mongod_database.imports.count_documents({"state": "interrupted"}) == 1
