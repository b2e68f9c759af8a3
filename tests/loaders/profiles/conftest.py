"""Profiles by their text."""

import pytest

from loaders import profiles
from tests.loaders.errors import error_of


@pytest.fixture
def building_profile(save):
    """Load a profile of buildings with this text, by default one of GeoJSON."""

    def building_profile(text, form="geojson"):
        head = f'format = "{form}"\n' if form else ""
        return profiles.load_building_profile(str(save(head + text, "custom.toml")))

    return building_profile


@pytest.fixture
def dining_profile(save):
    """Load a profile of menus with this text, by default one of FoodPro."""

    def dining_profile(text, form="foodpro"):
        head = f'format = "{form}"\n' if form else ""
        return profiles.load_dining_profile(str(save(head + text, "custom.toml")))

    return dining_profile


@pytest.fixture
def problem(tmp_path):
    """Return why a profile cannot be loaded."""

    def problem(load, *arguments):
        return str(error_of(load, *arguments)).removeprefix(f"profile {tmp_path}/custom.toml: ")

    return problem
