"""What an undo makes of loads that died half way, and samples of an undo."""

import pytest

from loaders.publishing.publish import publish
from loaders.publishing.undo import plan_undo
from loaders.samples import fill
from tests.factories import TODAY, building
from tests.loaders.states import (
    NEW,
    OLD,
    OTHER,
    TOMORROW,
    Died,
    buildings_of,
    die_at_write,
    dining_of,
    every_moment,
    load,
    load_that_dies,
)


def undo(database, dataset):
    plan, sources = plan_undo(database, dataset)
    return publish(database, plan, sources)


@every_moment
def test_undo_after_a_dead_load_and_its_repetition_brings_back_what_was_before(database, at_write):
    load(database, OLD)
    before = dining_of(database)
    load_that_dies(database, "dining", NEW, at_write)
    load(database, NEW)

    undo(database, "dining")

    assert dining_of(database) == before


@every_moment
def test_undo_after_a_dead_load_and_another_brings_back_what_was_before(database, at_write):
    load(database, OLD)
    before = dining_of(database)
    load_that_dies(database, "dining", NEW, at_write)
    load(database, OTHER)

    undo(database, "dining")

    assert dining_of(database) == before


@every_moment
def test_undo_right_after_a_dead_load_takes_that_back_too(database, at_write):
    load(database, OLD)
    before = dining_of(database)
    load(database, OTHER)
    load_that_dies(database, "dining", NEW, at_write)

    undo(database, "dining")

    assert dining_of(database) == before


@pytest.mark.parametrize("at_write", range(1, 12))
def test_an_undo_that_dies_can_be_run_again(database, at_write):
    load(database, OLD)
    before = dining_of(database)
    load(database, NEW)
    plan, sources = plan_undo(database, "dining")
    with pytest.raises(Died):
        publish(database, plan, sources, confirm=die_at_write(at_write))

    undo(database, "dining")

    assert dining_of(database) == before


@pytest.mark.parametrize("at_write", range(1, 12))
def test_a_load_after_an_undo_that_died_finds_what_was_live(database, memory, at_write):
    load(database, OLD)
    load(database, NEW)
    plan, sources = plan_undo(database, "dining")
    with pytest.raises(Died):
        publish(database, plan, sources, confirm=die_at_write(at_write))

    load(database, OTHER)

    for servings in (OLD, NEW, OTHER):
        load(memory, servings)
    assert dining_of(database) == dining_of(memory)


@pytest.mark.parametrize("at_write", [1, 2, 3])
def test_undo_after_a_dead_load_of_buildings_and_its_repetition_brings_them_back(database, load_buildings, at_write):
    load_buildings(building(1), building(2))
    before = buildings_of(database)
    load_that_dies(database, "buildings", [building(2, name="Lamont"), building(3)], at_write)
    load_buildings(building(2, name="Lamont"), building(3))

    undo(database, "buildings")

    assert buildings_of(database) == before


@pytest.mark.parametrize("at_write", [1, 2, 3])
def test_undo_right_after_a_dead_load_of_buildings_takes_the_load_before_back(database, load_buildings, at_write):
    load_buildings(building(1))
    before = buildings_of(database)
    load_buildings(building(2))
    load_that_dies(database, "buildings", [building(3)], at_write)

    undo(database, "buildings")

    assert buildings_of(database) == before


def test_samples_are_renewed_after_a_load_over_them_that_died(database):
    fill(database, TODAY)
    load_that_dies(database, "dining", NEW, at_write=10)

    fill(database, "2027-01-01")

    assert database.menus.find_one({"_id": "2027-01-01"})["items"]


def test_samples_are_renewed_after_a_load_over_them_that_was_undone(database):
    fill(database, TODAY)
    load(database, NEW)
    undo(database, "dining")

    fill(database, "2027-01-01")

    assert database.menus.find_one({"_id": "2027-01-01"})["items"]


def test_samples_are_renewed_after_an_undo_of_samples(database):
    fill(database, TODAY)
    fill(database, TOMORROW)
    undo(database, "dining")

    fill(database, "2027-01-01")

    assert database.menus.find_one({"_id": "2027-01-01"})["items"]


def test_samples_do_not_come_back_over_a_load_of_ones_own_after_its_successor_was_undone(database, load_dining):
    fill(database, TODAY)
    load_dining(*OLD)
    load_dining(*NEW)
    undo(database, "dining")

    fill(database, "2027-01-01")

    assert database.menus.find_one({"_id": "2027-01-01"}) is None
