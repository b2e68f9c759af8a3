"""Loads and undos, killed before each of their writes in turn."""

from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from pymongo import MongoClient

from loaders.publishing import history
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from tests.factories import building, serving
from tests.loaders.crashes import crashes_before_write
from tests.loaders.live import live_data, revision

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


@dataclass
class Observations:
    """The live data before and after a load, after each crash, and after the following loads."""

    old: Any
    new: Any
    left: list[Any] = field(default_factory=list)
    repeated: list[Any] = field(default_factory=list)
    states: list[list[str]] = field(default_factory=list)
    other: list[Any] = field(default_factory=list)
    unreferenced: list[set[str]] = field(default_factory=list)


def load(database, dataset, records):
    publish(database, PLANS[dataset](database, records[dataset]), [])


def undo(database, dataset):
    plan = plan_undo(database, dataset)
    publish(database, plan, plan.restores["sources"])


@pytest.fixture(scope="module")
def client(mongod):
    with MongoClient(mongod, tz_aware=True) as client:
        yield client
        client.drop_database("crashes")


@pytest.fixture(scope="module", params=PLANS)
def loads(request, client, mongod):
    """A load of NEW over OLD, killed before each of its writes."""
    dataset, database = request.param, client["crashes"]
    for name in PLANS:
        load(database, name, OLD)
    observed = Observations(live_data(database, dataset), None)
    load(database, dataset, NEW)
    observed.new = live_data(database, dataset)
    for number in count(1):
        client.drop_database(database)
        for name in PLANS:
            load(database, name, OLD)
        if not crashes_before_write(number, f"{mongod}/crashes", lambda child: load(child, dataset, NEW)):
            break
        observed.left.append(live_data(database, dataset))
        load(database, dataset, NEW)
        observed.repeated.append(live_data(database, dataset))
        observed.states.append([entry["state"] for entry in history.list_loads(database, [dataset])])
        observed.other.append(live_data(database, OTHER[dataset]))
        observed.unreferenced.append(_unreferenced_after_a_minute(database, dataset))
    return observed


def _unreferenced_after_a_minute(database, dataset):
    """Load again, a minute later, and return the collections that no record refers to."""
    live = database.datasets.find_one({"_id": dataset})
    a_minute_ago = live["loaded_at"] - timedelta(minutes=1)
    database.datasets.update_one({"_id": dataset}, {"$set": {"loaded_at": a_minute_ago}})
    load(database, dataset, LATER)
    record, other = (database.datasets.find_one({"_id": name}) for name in (dataset, OTHER[dataset]))
    referenced = [*record["collections"].values(), *record["previous"]["collections"].values()]
    history_and_records = ("datasets", "loads", "load_changes")
    return set(database.list_collection_names()).difference(
        referenced, other["collections"].values(), history_and_records
    )


def test_a_killed_load_leaves_the_old_or_the_new_data(loads):
    assert [state for state in loads.left if state not in (loads.old, loads.new)] == []
    assert (loads.left[0], loads.left[-1]) == (loads.old, loads.new)


def test_the_load_after_a_killed_one_is_published(loads):
    assert [state for state in loads.repeated if state != loads.new] == []


def test_a_killed_load_does_not_touch_the_other_data_set(loads):
    assert [state for state in loads.other if state != loads.other[0]] == []


def test_the_history_shows_a_killed_load_as_interrupted_or_published(loads):
    assert {tuple(states) for states in loads.states} == {
        ("published", "published"),
        ("published", "interrupted", "published"),
        ("published", "published", "published"),
    }


def test_collections_of_a_killed_load_are_dropped_by_a_later_load(loads):
    assert [names for names in loads.unreferenced if names] == []


@pytest.mark.parametrize("dataset", PLANS)
def test_a_killed_undo_leaves_the_new_or_the_old_data_and_can_be_repeated(client, mongod, dataset):
    database = client["crashes"]
    for number in count(1):
        client.drop_database(database)
        load(database, dataset, OLD)
        old = live_data(database, dataset)
        load(database, dataset, NEW)
        new = live_data(database, dataset)
        if not crashes_before_write(number, f"{mongod}/crashes", lambda child: undo(child, dataset)):
            break

        left = live_data(database, dataset)
        if revision(database, dataset) == 2:
            undo(database, dataset)

        assert left in (old, new)
        assert live_data(database, dataset) == old


@pytest.mark.parametrize("dataset", PLANS)
def test_a_killed_first_load_leaves_nothing_or_everything(client, mongod, dataset):
    database = client["crashes"]
    left = []
    for number in count(1):
        client.drop_database(database)
        if not crashes_before_write(number, f"{mongod}/crashes", lambda child: load(child, dataset, NEW)):
            break
        left.append(live_data(database, dataset))
    complete = live_data(database, dataset)

    assert (left[0], left[-1]) == (None, complete)
    assert [state for state in left if state not in (None, complete)] == []
