"""Loads that died half way, and what later loads make of what they left."""

from itertools import count

import pytest

from loaders.profiles.thresholds import Thresholds
from loaders.publishing.plan import plan_buildings, plan_dining
from loaders.publishing.publish import Overtaken, publish
from loaders.publishing.safety_checks import refusals
from tests.factories import building, serving
from tests.loaders.states import NEW, OLD, OTHER, buildings_of, dining_of, every_moment, load, load_that_dies


def states(database):
    return [entry["state"] for entry in database.imports.find(sort=[("_id", 1)])]


@every_moment
def test_a_dead_load_that_is_repeated_makes_what_it_should_have_made(database, memory, at_write):
    load(database, OLD)
    load_that_dies(database, "dining", NEW, at_write)

    load(database, NEW)

    for servings in (OLD, NEW):
        load(memory, servings)
    assert dining_of(database) == dining_of(memory)


@every_moment
def test_another_load_brings_what_only_the_dead_one_spoke_of_back(database, memory, at_write):
    load(database, OLD)
    load_that_dies(database, "dining", NEW, at_write)

    load(database, OTHER)

    for servings in (OLD, OTHER):
        load(memory, servings)
    assert dining_of(database) == dining_of(memory)


@pytest.mark.parametrize("at_write", range(1, 14))
def test_two_dead_loads_one_after_the_other_are_taken_back(database, memory, at_write):
    load(database, OLD)
    load_that_dies(database, "dining", NEW, at_write=15)
    load_that_dies(database, "dining", OTHER, at_write)

    load(database, [serving(6)])

    for servings in (OLD, [serving(6)]):
        load(memory, servings)
    assert dining_of(database) == dining_of(memory)


@pytest.mark.parametrize("at_write", range(1, 9))
def test_a_dead_first_load_that_is_repeated_makes_what_it_should_have_made(database, memory, at_write):
    load_that_dies(database, "dining", NEW, at_write)

    load(database, NEW)

    load(memory, NEW)
    assert dining_of(database) == dining_of(memory)


def test_another_load_brings_what_only_a_dead_first_load_spoke_of_back(database, memory):
    load_that_dies(database, "dining", NEW, at_write=8)

    load(database, OTHER)

    load(memory, OTHER)
    assert dining_of(database) == dining_of(memory)


def test_no_guard_refuses_to_take_a_dead_load_back(database):
    load(database, OLD)
    load_that_dies(database, "dining", NEW, at_write=15)

    found = refusals(plan_dining(database, OTHER), Thresholds())

    assert found == []


def test_a_dead_load_is_recorded_as_interrupted_by_the_next(database):
    load(database, OLD)
    load_that_dies(database, "dining", NEW, at_write=10)

    load(database, OTHER)

    assert states(database) == ["published", "interrupted", "published"]


def test_a_load_that_died_after_it_went_live_need_not_be_repeated(database):
    load(database, OLD)
    last = database.datasets.find_one()["import"]
    database.imports.update_one({"_id": last}, {"$set": {"state": "started"}})

    assert plan_dining(database, OLD).changes_nothing


@pytest.mark.parametrize("dataset", ["buildings", "dining"])
def test_a_load_that_another_overtakes_just_before_it_goes_live_leaves_what_that_published(database, memory, dataset):
    plans = {"buildings": plan_buildings, "dining": plan_dining}
    records = {"buildings": [[building(1)], [building(2)], [building(3)]], "dining": [OLD, NEW, OTHER]}[dataset]
    writes = count(1)

    def overtake():
        if next(writes) == {"buildings": 4, "dining": 16}[dataset]:
            publish(database, plans[dataset](database, records[2]), [])

    publish(database, plans[dataset](database, records[0]), [])
    with pytest.raises(Overtaken):
        publish(database, plans[dataset](database, records[1]), [], confirm=overtake)

    for given in (records[0], records[2]):
        publish(memory, plans[dataset](memory, given), [])
    data_of = {"buildings": buildings_of, "dining": dining_of}[dataset]
    assert data_of(database) == data_of(memory)
