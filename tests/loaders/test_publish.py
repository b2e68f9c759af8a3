from datetime import datetime

import pytest

from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import TODAY, building, serving

SOURCES = [{"file": "export.csv", "sha256": "c0ffee"}]


def live(database, dataset="buildings"):
    return database.datasets.find_one({"_id": dataset})


def ids(collection):
    return sorted(document["_id"] for document in collection.find())


def names(collection):
    return {document["_id"]: document["name"] for document in collection.find()}


def recipes_on(database, date):
    return [item["recipe"] for item in database.menus.find_one({"_id": date})["items"]]


def test_each_load_is_a_revision(database, load_buildings):
    revisions = [load_buildings(building(id_)) for id_ in (1, 2, 3)]

    assert (revisions, live(database)["revision"]) == ([1, 2, 3], 3)


def test_the_data_sets_have_revisions_of_their_own(database, load_buildings, load_dining):
    load_buildings(building(1))
    load_buildings(building(2))

    assert load_dining(serving()) == 1


def test_the_live_buildings_are_those_of_the_last_load(database, load_buildings):
    load_buildings(building(1), building(2))
    load_buildings(building(2), building(3))

    assert ids(database[live(database)["collection"]]) == [2, 3]


def test_buildings_go_to_the_collection_of_their_revision_and_the_one_before_stays(database, load_buildings):
    load_buildings(building(1))
    load_buildings(building(2))

    assert live(database)["collection"] == "buildings_2"
    assert (ids(database.buildings_1), ids(database.buildings_2)) == ([1], [2])


def collections_of_buildings(database):
    return {name for name in database.list_collection_names() if name.startswith("buildings")}


def test_older_collections_of_buildings_are_dropped(database, load_buildings):
    for id_ in range(1, 12):
        load_buildings(building(id_))
        database.imports.update_many({}, {"$set": {"finished_at": datetime(2026, 1, 1)}})

    load_buildings(building(12))

    assert collections_of_buildings(database) == {"buildings_11", "buildings_12"}


def test_collections_that_readers_may_hold_on_to_are_kept(database, load_buildings):
    for id_ in range(1, 5):
        load_buildings(building(id_))

    assert collections_of_buildings(database) == {"buildings_1", "buildings_2", "buildings_3", "buildings_4"}


@pytest.mark.parametrize("name", ["buildings", "buildings_before_the_move", "old_buildings_1"])
def test_a_collection_that_is_no_revision_of_the_buildings_is_not_dropped(database, load_buildings, name):
    database[name].insert_one({"_id": 1})

    load_buildings(building(1))

    assert ids(database[name]) == [1]


def test_all_buildings_of_a_large_load_are_written(database, load_buildings):
    load_buildings(*map(building, range(2001)))

    assert ids(database.buildings_1) == list(range(2001))


def test_the_data_set_of_buildings_says_what_is_live(database, load_buildings):
    load_buildings(building(1), building(2))

    found = live(database)

    assert isinstance(found.pop("loaded_at"), datetime)
    assert found.pop("import") == database.imports.find_one(sort=[("_id", -1)])["_id"]
    assert found == {
        "_id": "buildings",
        "revision": 1,
        "collection": "buildings_1",
        "indexed": "buildings_1",
        "common_trigrams": [],
        "sources": SOURCES,
        "counts": {"buildings": 2},
    }


def test_the_data_set_of_dining_says_how_much_is_there_in_all(database, load_dining):
    load_dining(serving(1), serving(2, location=7, category=4))
    load_dining(serving(3, date="2026-11-21"))

    found = live(database, "dining")

    assert isinstance(found.pop("loaded_at"), datetime)
    assert found.pop("import") == database.imports.find_one(sort=[("_id", -1)])["_id"]
    counts = {"categories": 2, "locations": 2, "recipes": 3, "menus": 2}
    assert found == {"_id": "dining", "revision": 2, "sources": SOURCES, "counts": counts}


def test_a_load_adds_changes_and_keeps_names(database, load_dining):
    load_dining(serving(1, "Rice"), serving(2, "Soup"), serving(3, "Beans"))
    load_dining(serving(2, "Broth"), serving(4, "Stew"))

    assert names(database.recipes) == {1: "Rice", 2: "Broth", 3: "Beans", 4: "Stew"}


def test_categories_and_locations_are_named_too(database, load_dining):
    load_dining(serving(location=7, category=4), serving(location=30, category=23))

    assert names(database.locations) == {7: "Hall 7", 30: "Hall 30"}
    assert names(database.categories) == {4: "Category 4", 23: "Category 23"}


def test_a_date_is_replaced_whole_and_others_stay(database, load_dining):
    load_dining(serving(1), serving(2), serving(3, date="2026-11-19"))
    load_dining(serving(4, date="2026-11-21"), serving(2), serving(5))

    found = {date: recipes_on(database, date) for date in ids(database.menus)}

    assert found == {"2026-11-19": [3], TODAY: [2, 5], "2026-11-21": [4]}


def test_a_menu_keeps_the_name_as_it_was_served(database, load_dining):
    load_dining(serving(1, "Soup", date="2010-07-01"))
    load_dining(serving(1, "Stew", date="2026-07-01"))

    served = [day["items"][0]["name"] for day in database.menus.find(sort=[("_id", 1)])]

    assert (served, names(database.recipes)) == (["Soup", "Stew"], {1: "Stew"})


def test_items_are_in_the_order_of_meal_location_and_export(database, load_dining):
    load_dining(serving(1, meal=2), serving(2, location=30), serving(4, location=7), serving(3, location=7))

    assert recipes_on(database, TODAY) == [4, 3, 2, 1]


def test_a_load_is_recorded_with_its_sources_and_counts(database):
    publish(database, plan_buildings(database, [building(1), building(2)]), SOURCES, bad_records=3)

    [record] = database.imports.find({}, {"_id": False})

    assert record.pop("started_at") <= record.pop("finished_at")
    assert record == {
        "dataset": "buildings",
        "revision": 1,
        "sources": SOURCES,
        "collections": {"buildings": {"added": 2, "changed": 0, "removed": 0, "unchanged": 0}},
        "bad_records": 3,
        "state": "published",
    }


def test_a_load_of_dining_is_recorded_with_the_counts_of_each_collection(database, load_dining):
    load_dining(serving(1), serving(2))

    [record] = database.imports.find()

    counts = {name: difference["added"] for name, difference in record["collections"].items()}
    assert counts == {"categories": 1, "locations": 1, "recipes": 2, "menus": 1}


def test_every_load_is_recorded(database, load_buildings):
    load_buildings(building(1))
    load_buildings(building(2))

    assert [record["revision"] for record in database.imports.find(sort=[("revision", 1)])] == [1, 2]
