from dataclasses import replace
from datetime import datetime

import pytest

from campus_api.db.errors import DatabaseUnavailable
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import TODAY, building, serving
from tests.loaders.live import live_collection

SOURCES = [{"file": "export.csv", "sha256": "c0ffee"}]


def live(database, dataset="buildings"):
    return database.datasets.find_one({"_id": dataset})


def collections(database, *names):
    """Return the collections with revisions of these names."""
    return {name for name in database.list_collection_names() if name.rpartition("_")[0] in names}


def age_by_an_hour(database):
    """Make the live data an hour old, so that no reader uses the previous revision."""
    database.datasets.update_many({}, [{"$set": {"loaded_at": {"$subtract": ["$loaded_at", 3_600_000]}}}])


def test_older_collections_are_dropped_when_no_reader_uses_them(database, load_buildings, load_dining):
    names = ("buildings", "menus", "recipes")
    for last in range(1, 12):
        load_buildings(building(last))
        load_dining(serving(last))
        if last == 10:
            assert len(collections(database, *names)) == 10 * len(names), last
            age_by_an_hour(database)

    assert collections(database, *names) == {f"{name}_{number}" for name in names for number in (10, 11)}


def test_a_date_is_replaced_completely_and_others_are_unchanged(database, load_dining):
    load_dining(serving(1), serving(2), serving(3, date="2026-11-19"))
    load_dining(serving(4, date="2026-11-21"), serving(2), serving(5))

    menus = live_collection(database, "menus").find()

    recipes = {menu["_id"]: [item["recipe"] for item in menu["items"]] for menu in menus}
    assert recipes == {"2026-11-19": [3], TODAY: [2, 5], "2026-11-21": [4]}


def test_collections_of_killed_loads_are_dropped_but_no_others(database, load_buildings):
    load_buildings(building(1))
    age_by_an_hour(database)
    of_killed_loads = ["buildings_2", *(f"buildings_{number}_0123456789abcdef01234567" for number in (2, 3))]
    # That of a load that may still be published, and unrelated ones.
    others = ["buildings_4_0123456789abcdef01234567", "buildings", "buildings_before_the_move", "old_buildings_1"]
    for name in (*of_killed_loads, *others):
        database[name].insert_one({"_id": 9, "name": "a decoy"})

    load_buildings(building(2))

    assert [each["_id"] for each in live_collection(database, "buildings").find()] == [2]
    decoys = {name for name in database.list_collection_names() if "a decoy" in str(list(database[name].find()))}
    assert decoys == set(others)


def test_the_record_of_buildings_and_of_their_load_describe_the_live_revision(database):
    plan = plan_buildings(database, [building(1), building(2)])
    publish(database, replace(plan, sources=SOURCES, error_count=3))

    record = live(database)
    [load] = database.loads.find()
    loaded_at = record.pop("loaded_at")
    assert isinstance(loaded_at, datetime)
    assert (record.pop("load"), load.pop("started_at") <= load.pop("finished_at")) == (load.pop("_id"), True)
    assert load.pop("loaded_at") == loaded_at
    content = {"collections": {"buildings": "buildings_1"}, "counts": {"buildings": 2}}
    assert record == {"_id": "buildings", "layout": 2, "revision": 1, "sources": SOURCES, **content}
    changes = {"collections": {"buildings": {"added": 2, "changed": 0, "removed": 0, "unchanged": 0}}}
    result = {"errors": 3, "state": "published"}
    assert load == {"dataset": "buildings", "revision": 1, "sources": SOURCES, **changes, **result}


def test_the_record_of_dining_has_total_counts_and_the_previous_record_only(database, load_dining):
    load_dining(serving(1), serving(2, location=7, category=4))
    load_dining(serving(3, date="2026-11-21"))
    load_dining(serving(4, date="2026-11-21"))

    record = live(database, "dining")

    assert record["counts"] == {"categories": 2, "locations": 2, "recipes": 4, "menus": 2}
    assert (record["revision"], record["previous"]["revision"]) == (3, 2)
    assert "previous" not in record["previous"]


def test_a_load_refuses_data_of_a_newer_version(database, load_dining):
    load_dining(serving())
    database.datasets.update_one({}, {"$set": {"layout": 3}, "$unset": {"collections": 1}})

    with pytest.raises(DatabaseUnavailable, match="newer version"):
        load_dining(serving(2))

    assert live(database, "dining")["revision"] == 1
