"""Loads and undos, killed before each of their writes in turn."""

from datetime import timedelta
from itertools import count

import pytest

from loaders.publishing import history
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from tests.factories import building, serving
from tests.loaders.live import live_data, revision
from tests.nightly.loads.crashes import crashes_before_write

TOMORROW, IN_TWO_DAYS = "2026-11-21", "2026-11-22"
PLANS = {"buildings": plan_buildings, "dining": plan_dining}
OLD = {
    "buildings": [building(1), building(2)],
    "dining": [serving(1, "Rice"), serving(2, "Soup", date=TOMORROW)],
}
# Dining: a new name for an old id, new names, an added date; TOMORROW is unchanged.
NEW = {
    "buildings": [building(2, name="Lamont"), building(3)],
    "dining": [serving(1, "Brown Rice"), serving(4, "Peas", location=7), serving(2, "Soup", date=TOMORROW)],
}
LATER = {"buildings": [building(2), building(4)], "dining": [serving(5, date=IN_TWO_DAYS)]}
OTHER = {"buildings": "dining", "dining": "buildings"}
data_sets = pytest.mark.parametrize("dataset", PLANS)


def load(database, dataset, records):
    publish(database, PLANS[dataset](database, records[dataset]), [])


def undo(database, dataset):
    plan = plan_undo(database, dataset)
    publish(database, plan, plan.restores["sources"])


@pytest.fixture
def crashes(mongod_database, mongod_uri):
    """Prepare the database and run an action that is killed before its first write, its second, and so on.

    At the end, the action has been run to its end.
    """

    def crashes(prepare, action):
        for number in count(1):
            mongod_database.client.drop_database(mongod_database)
            prepare()
            if not crashes_before_write(number, mongod_uri, action):
                return
            yield

    return crashes


def unreferenced_after_a_minute(database, dataset):
    """Load again, a minute later, and return the collections that no record refers to."""
    live = database.datasets.find_one({"_id": dataset})
    a_minute_ago = live["loaded_at"] - timedelta(minutes=1)
    database.datasets.update_one({"_id": dataset}, {"$set": {"loaded_at": a_minute_ago}})
    load(database, dataset, LATER)
    record, other = (database.datasets.find_one({"_id": name}) for name in (dataset, OTHER[dataset]))
    referenced = [each["collections"].values() for each in (record, record["previous"], other)]
    return set(database.list_collection_names()).difference(*referenced, ("datasets", "loads", "load_changes"))


@data_sets
def test_a_killed_load_leaves_a_complete_state_and_the_next_one_is_published(mongod_database, crashes, dataset):
    left, repeated, states, others = [], [], set(), []

    def load_old():
        for name in PLANS:
            load(mongod_database, name, OLD)

    for _ in crashes(load_old, lambda child: load(child, dataset, NEW)):
        left.append(live_data(mongod_database, dataset))
        others.append(live_data(mongod_database, OTHER[dataset]))
        load(mongod_database, dataset, NEW)
        repeated.append(live_data(mongod_database, dataset))
        states.add(tuple(entry["state"] for entry in history.list_loads(mongod_database, [dataset])))
        assert unreferenced_after_a_minute(mongod_database, dataset) == set()

    new = live_data(mongod_database, dataset)
    assert [state for state in left if state not in (left[0], new)] == []
    assert left[0] != left[-1] == new
    assert [state for state in repeated if state != new] == []
    assert [state for state in others if state != live_data(mongod_database, OTHER[dataset])] == []
    assert states == {
        ("published", "published"),
        ("published", "interrupted", "published"),
        ("published", "published", "published"),
    }


@data_sets
def test_a_killed_undo_leaves_the_new_or_the_old_data_and_can_be_repeated(mongod_database, crashes, dataset):
    states = []

    def load_twice():
        for records in (OLD, NEW):
            load(mongod_database, dataset, records)
            states.append(live_data(mongod_database, dataset))

    for _ in crashes(load_twice, lambda child: undo(child, dataset)):
        old, new = states[-2:]
        left = live_data(mongod_database, dataset)
        if revision(mongod_database, dataset) == 2:
            undo(mongod_database, dataset)

        assert left in (old, new)
        assert live_data(mongod_database, dataset) == old


@data_sets
def test_a_killed_first_load_leaves_nothing_or_everything(mongod_database, crashes, dataset):
    load_new = crashes(lambda: None, lambda child: load(child, dataset, NEW))

    left = [live_data(mongod_database, dataset) for _ in load_new]

    complete = live_data(mongod_database, dataset)
    assert (left[0], left[-1]) == (None, complete)
    assert [state for state in left if state not in (None, complete)] == []
