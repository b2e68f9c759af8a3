"""Buildings and serving hours of locations in loads: stored, compared, retained and warned of."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from campus_api.domain.models import LocationDetails, MealHours, NamedEntity
from loaders.documents.serving import DiningLists
from loaders.publishing.dining_plan import buildings_by_name, plan_dining
from loaders.publishing.undo import plan_undo
from tests.factories import NOON, TODAY, building, feature, foodpro_row, serving
from tests.loaders.live import live_collection
from tests.publishing import publish_dining

LUNCH = MealHours(1, "Mo-Fr 11:30-14:00; PH off", "2026-12-20", "US")
DOCUMENT = {"meal": 1, "expression": "Mo-Fr 11:30-14:00; PH off", "until": "2026-12-20", "country": "US"}


def plan(database, *servings, hall):
    """Compare servings, and Hall 30 of a profile, with the live data."""
    return plan_dining(database, servings, lists=DiningLists(configured_halls={30: hall}))


@pytest.fixture
def stored(database):
    """Publish servings, and Hall 30 of a profile if there is one, and return the locations by id."""

    def stored(*servings, hall=None):
        publish_dining(database, servings, configured_halls={30: hall} if hall else {})
        return {each.pop("_id"): each for each in live_collection(database, "locations").find()}

    return stored


@pytest.fixture
def load(campus_load, save, save_rows, monkeypatch):
    """Load a FoodPro row on TODAY with the settings of a hall, and return the problems that were reported."""
    monkeypatch.setenv("CAMPUS_CLOCK_FROZEN_AT", NOON)

    def load(settings):
        profile = save(f'format = "foodpro"\n{settings}', "menus.toml")
        result = campus_load("dining", save_rows(foodpro_row(), name="menus.json"), "--profile", profile)
        assert result.exit_code == 0, result.stderr
        return result.stderr

    return load


def test_aliases_are_stored_changed_and_removed_with_the_profile(database, stored):
    locations = stored(serving(), hall=LocationDetails(aliases=("berg",)))
    assert locations == {30: {"name": "Hall 30", "aliases": ["berg"]}}
    # A load without the hall keeps them.
    assert stored(serving(2))[30]["aliases"] == ["berg"]
    changes = plan(database, serving(2), hall=LocationDetails()).differences["locations"].changes
    assert list(map(str, changes)) == ["changed 30 Hall 30: aliases ['berg'] -> None"]
    stored(serving(2), hall=LocationDetails(aliases=("pfoho",)))
    [change] = plan_undo(database, "dining").differences["locations"].changes
    assert str(change) == "changed 30 Hall 30: aliases ['pfoho'] -> ['berg']"


def test_a_location_has_its_building_and_hours_and_changed_ones_are_listed(database, stored):
    servings, memorial_hall = (serving(), serving(2, location=7)), LocationDetails(203, (LUNCH,))

    locations = stored(*servings, hall=memorial_hall)

    assert locations == {30: {"name": "Hall 30", "building": 203, "hours": [DOCUMENT]}, 7: {"name": "Hall 7"}}
    assert plan(database, *servings, hall=memorial_hall).is_empty
    changes = plan(database, *servings, hall=LocationDetails(161)).differences["locations"].changes
    assert list(map(str, changes)) == ["changed 30 Hall 30: building 203 -> 161; hours"]


def test_a_hall_stays_until_its_table_is_empty_and_is_updated_when_it_is_not_served(stored):
    stored(serving(), hall=LocationDetails(203, (LUNCH,)))

    assert stored(serving(2, location=7))[30]["building"] == 203
    assert stored(serving(2, location=7), hall=LocationDetails(0))[30] == {"name": "Hall 30", "building": 0}
    assert stored(serving(), hall=LocationDetails())[30] == {"name": "Hall 30"}
    renamed = replace(serving(), location=NamedEntity(30, "Annenberg"))
    assert stored(renamed, hall=LocationDetails(320))[30] == {"name": "Annenberg", "building": 320}


def test_a_hall_of_no_location_or_building_is_a_warning(load, campus_load, save_features):
    campus_load("buildings", save_features(feature(203, name="Memorial Hall")))

    assert load("[halls.30]\nbuilding = 203") == ""
    assert "halls.99 is no location of the export, nor a loaded one" in load("[halls.99]\nbuilding = 203")
    problems = load("[halls.30]\nbuilding = 161")
    assert "menus.json, the whole file: halls.30.building 161 is not loaded: the hall has no place on maps" in problems


def test_each_load_warns_of_the_end_of_hours_from_two_weeks_before(load):
    soon = "is at most two weeks ahead"
    for days, warning in [(-1, "is over"), (0, soon), (14, soon), (15, "")]:
        until = date.fromisoformat(TODAY) + timedelta(days)
        settings = f'[halls.30]\nhours = {{lunch = "11:30-14:00"}}\nhours_until = {until}'

        first, again = load(settings), load(settings)

        assert all(warning in problems for problems in (first, again)), until
        assert bool(first) is bool(again) is bool(warning), until


def test_buildings_by_name_are_those_that_one_building_alone_has(database, load_buildings):
    assert buildings_by_name(database, ["Annenberg Hall"]) == {}

    names = ["ANNENBERG HALL", "Annenberg Hall Annex", "Dunster House", "Dunster House"]
    load_buildings(*(building(id_, name=name) for id_, name in enumerate(names)))

    assert buildings_by_name(database, ["Annenberg Hall", "Dunster House", "Quincy"]) == {"Annenberg Hall": 0}
