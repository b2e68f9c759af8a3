"""What each load has changed is listed; that of the last 100 loads of a data set is stored."""

import pytest

from campus_api.db.connection import read_dataset
from loaders.publishing import history
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.history import UnknownRevision
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from tests.factories import IN_TWO_DAYS, TOMORROW, building, serving
from tests.loaders.interruptions import interrupted, kill

NO_LONGER_STORED = (
    "the changes of revision {} of dining are no longer stored: only those of the last 100 loads of a data set are"
)


def change_lines(database, dataset, revision):
    """Return the changes of a load as lines, by collection."""
    _, changes = history.read_changes(database, dataset, revision)
    return {name: list(map(str, each)) for name, each in changes.items() if each}


def test_added_and_closed_dates_and_names_are_listed(database, load_dining):
    load_dining(serving(3, "Rice"), serving(1), serving(1, date=TOMORROW))
    load_dining(serving(3, "Rice"), serving(1), serving(2, "Soup", meal=2, location=7, date=IN_TWO_DAYS))

    assert change_lines(database, "dining", 1) == {
        "categories": ["added 23 Category 23"],
        "locations": ["added 30 Hall 30"],
        "recipes": ["added 1 Kashi Pilaf", "added 3 Rice"],
        "menus": ["added 2026-11-20", "added 2026-11-21"],
    }
    assert change_lines(database, "dining", 2) == {
        "locations": ["added 7 Hall 7"],
        "recipes": ["added 2 Soup"],
        "menus": [
            "added 2026-11-22",
            "Hall 30, 2026-11-21, breakfast: 1 -> 0 items",
            "Hall 7, 2026-11-22, dinner: 0 -> 1 items",
        ],
    }


def test_changes_of_an_undo_are_listed(database, load_dining):
    load_dining(serving(1, "Rice"))
    load_dining(serving(2, "Soup"), serving(2, "Soup", date=IN_TWO_DAYS))
    publish(database, plan_undo(database, "dining"))

    assert change_lines(database, "dining", 3) == {
        "recipes": ["removed 2 Soup"],
        "menus": [
            "removed 2026-11-21",
            "removed 2026-11-22",
            "Hall 30, 2026-11-20, breakfast: 1 -> 1 items (-Soup, +Rice)",
            "Hall 30, 2026-11-22, breakfast: 1 -> 0 items",
        ],
    }


def load(database, *recipes):
    return publish(database, plan_dining(database, map(serving, recipes)))


def revisions(database, dataset="dining"):
    """Return the revisions whose changes are stored."""
    loads = database.loads.find({"_id": {"$in": database.load_changes.distinct("load")}, "dataset": dataset})
    return sorted(entry["revision"] for entry in loads)


def load_hundred_times(database):
    """Load 100 times, in short: record the loads as if they had been published."""
    load(database, 1)
    record = read_dataset(database, "dining")
    entry = database.loads.find_one({"_id": record["load"]})
    change = database.load_changes.find_one({"load": record["load"]})
    for document in (entry, change):
        del document["_id"]
    for revision in range(2, 101):
        id_ = database.loads.insert_one({**entry, "revision": revision}).inserted_id
        database.load_changes.insert_one({**change, "load": id_})
    database.datasets.update_one({"_id": "dining"}, {"$set": {"revision": 100, "load": id_}})


def test_the_changes_of_the_last_100_loads_of_a_data_set_stay(campus_load, database):
    for count in (1, 2):
        publish(database, plan_buildings(database, map(building, range(count))))
    load_hundred_times(database)
    for number in (2, 3):
        load(database, number)

    diffs = [campus_load("diff", "dining", revision) for revision in (2, 3, 102)]

    message = f"campus-load: {NO_LONGER_STORED.format(2)}\n"
    assert (diffs[0].exit_code, diffs[0].stdout, diffs[0].stderr) == (2, "", message)
    assert [diff.exit_code for diff in diffs[1:]] == [0, 0]
    assert "-Kashi Pilaf, +Kashi Pilaf" in diffs[2].stdout
    assert revisions(database) == list(range(3, 103))
    assert campus_load("diff", "buildings", 2).stdout.endswith("buildings: added 1 Widener Library\n")


def test_the_changes_of_an_interrupted_load_are_deleted(database):
    load(database, 1)
    history.start(database, plan_dining(database, [serving(2)]), 2)

    load(database, 3)

    assert len(database.load_changes.distinct("load")) == 2
    assert change_lines(database, "dining", 2)["recipes"] == ["added 3 Kashi Pilaf"]


def test_changes_that_a_killed_load_has_not_deleted_are_deleted_by_a_later_one(database):
    load_hundred_times(database)
    with interrupted(kill, "delete", "load_changes"), pytest.raises(KeyboardInterrupt):
        load(database, 2)
    before = revisions(database)

    with pytest.raises(UnknownRevision, match=NO_LONGER_STORED.format(1)):
        history.read_changes(database, "dining", 1)
    load(database, 3)

    assert (before, revisions(database)) == (list(range(1, 102)), list(range(3, 103)))


def test_a_load_that_another_one_came_before_leaves_no_changes_however_it_is_killed(database):
    plan = plan_dining(database, [serving(1)])
    load(database, 2)

    with interrupted(kill, "delete", "loads"), pytest.raises(KeyboardInterrupt):
        publish(database, plan)

    assert database.load_changes.distinct("load") == [read_dataset(database, "dining")["load"]]
