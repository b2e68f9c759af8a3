"""Loads and undos, killed before each of their writes in turn."""

import multiprocessing
import os
from datetime import timedelta
from functools import partial
from itertools import count

import pytest
from pymongo import MongoClient

from loaders.publishing import history
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from tests.factories import IN_TWO_DAYS, TOMORROW, building, serving
from tests.loaders.interruptions import BeforeCommand
from tests.loaders.live import live_data

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
KILLED = 9
WRITES = {"insert", "update", "delete", "create", "createIndexes", "renameCollection", "drop"}


def load(database, dataset, records):
    publish(database, PLANS[dataset](database, records[dataset]))


def undo(database, dataset):
    publish(database, plan_undo(database, dataset))


# What has been loaded before, and what is killed.
ACTIONS = {
    "the first load": ([], partial(load, records=NEW)),
    "a load": ([OLD], partial(load, records=NEW)),
    "an undo": ([OLD, NEW], undo),
}


class KilledBeforeWrite(BeforeCommand):
    def __init__(self, number):
        self._number = number

    def started(self, event):
        if event.command_name in WRITES or "$out" in str(event.command.get("pipeline")):
            self._number -= 1
            if self._number == 0:
                os._exit(KILLED)


def is_killed_before_write(number, uri, action, dataset):
    """Run an action in a process that ends before its `number`th write; return False if it has fewer writes."""
    process = multiprocessing.get_context("fork").Process(target=run, args=(number, uri, action, dataset))
    process.start()
    process.join(60)
    return {KILLED: True, 0: False}[process.exitcode]


def run(number, uri, action, dataset):
    with MongoClient(uri, tz_aware=True, event_listeners=[KilledBeforeWrite(number)]) as client:
        action(client.get_default_database(), dataset)


def unreferenced_after_a_minute(database, dataset):
    """Load again, a minute later, and return the collections that no data set refers to."""
    live = database.datasets.find_one({"_id": dataset})
    a_minute_ago = live["loaded_at"] - timedelta(minutes=1)
    database.datasets.update_one({"_id": dataset}, {"$set": {"loaded_at": a_minute_ago}})
    load(database, dataset, LATER)
    live, other = (database.datasets.find_one({"_id": name}) for name in (dataset, OTHER[dataset]))
    referenced = [each["collections"].values() for each in (live, live["previous"], other)]
    others = ("datasets", "loads", "load_changes", "identity")
    return set(database.list_collection_names()).difference(*referenced, others)


@pytest.mark.parametrize("dataset", PLANS)
@pytest.mark.parametrize("killed", ACTIONS)
def test_a_killed_load_or_undo_leaves_the_old_or_the_new_data_and_can_be_repeated(
    mongod_database, mongod_uri, dataset, killed
):
    before, action = ACTIONS[killed]
    left, repeated = [], []
    for number in count(1):
        mongod_database.client.drop_database(mongod_database)
        load(mongod_database, OTHER[dataset], OLD)
        for records in before:
            load(mongod_database, dataset, records)
        old, other = live_data(mongod_database, dataset), live_data(mongod_database, OTHER[dataset])
        if not is_killed_before_write(number, mongod_uri, action, dataset):
            break

        left.append(live_data(mongod_database, dataset))
        if left[-1] == old:
            action(mongod_database, dataset)
        repeated.append(live_data(mongod_database, dataset))
        assert live_data(mongod_database, OTHER[dataset]) == other, number
        assert unreferenced_after_a_minute(mongod_database, dataset) == set(), number
        assert "started" not in {each["state"] for each in history.list_loads(mongod_database, [dataset])}, number

    new = live_data(mongod_database, dataset)
    assert (left[0], left[-1]) == (old, new)
    assert [state for state in left if state not in (old, new)] == []
    assert [state for state in repeated if state != new] == []
