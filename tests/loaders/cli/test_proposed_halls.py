"""`campus-load profile --config` proposes the building of a hall by its name."""

import tomllib

import pytest

from loaders import profiles
from tests.factories import feature, foodpro_row, huds_line


@pytest.fixture
def propose(campus_load, save_features):
    """Load buildings of these names and return the profile that is proposed for an export."""

    def propose(export, *names):
        features = [feature(100 + number, name=name) for number, name in enumerate(names)]
        assert not names or campus_load("buildings", save_features(*features)).exit_code == 0
        result = campus_load("profile", export)
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout

    return propose


def halls(proposed):
    return tomllib.loads(proposed).get("halls", {})


def test_a_hall_is_in_the_building_of_its_name(propose, save_rows):
    export = save_rows(foodpro_row(), foodpro_row(Location_Number="7", Location_Name="Dunster House"))

    proposed = propose(export, "Widener Library", "ANNENBERG HALL")

    assert halls(proposed) == {"30": {"building": 101}}
    assert "building = 101 # Annenberg Hall" in proposed


def test_a_hall_whose_name_several_buildings_have_is_in_none(propose, save_rows):
    assert halls(propose(save_rows(foodpro_row()), "Annenberg Hall", "Annenberg Hall")) == {}


def test_a_name_that_contains_that_of_the_hall_is_another_one(propose, save_rows):
    assert halls(propose(save_rows(foodpro_row()), "Annenberg Hall Annex")) == {}


def test_a_hall_of_a_table_of_codes_is_found_by_its_proposed_name(propose, save):
    proposed = propose(save(huds_line(), "menu.csv"), "Annenberg Hall")

    assert halls(proposed) == {"30": {"building": 100}}


def test_without_buildings_there_are_none(propose, save_rows):
    assert halls(propose(save_rows(foodpro_row()))) == {}


def test_the_proposed_profile_is_valid(propose, save, save_rows):
    proposed = propose(save_rows(foodpro_row()), "Annenberg Hall")

    assert profiles.load_dining_profile(str(save(proposed, "menus.toml"))).halls[30].building == 100
