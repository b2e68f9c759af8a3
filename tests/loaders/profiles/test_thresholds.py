import pytest

from loaders import profiles
from loaders.profiles.thresholds import Thresholds, combine_thresholds

CAMBRIDGE = (42.30, -71.20, 42.45, -71.05)


@pytest.fixture
def building_limits(building_profile):
    return lambda text: building_profile(f"[limits]\n{text}").thresholds


@pytest.fixture
def dining_limits(dining_profile):
    return lambda text, form="foodpro": dining_profile(f"[limits]\n{text}", form).thresholds


def test_a_profile_may_set_limits(building_limits, dining_limits):
    buildings = building_limits("lost_documents = 0.5\narea_margin = 1\narea = [42.30, -71.20, 42.45, -71.05]")

    assert buildings == Thresholds(lost_documents=0.5, area=CAMBRIDGE, area_margin=1)
    for form in ("foodpro", "huds"):
        menus = dining_limits("lost_items = 0.9\nclosed_days = 200", form)
        assert menus == Thresholds(lost_items=0.9, closed_days=200), form
    assert building_limits("") == Thresholds()
    assert profiles.load_building_profile("harvard").thresholds.area == CAMBRIDGE


def test_an_invalid_limit_is_an_error(building_limits, dining_limits, problem):
    numbers = ['"30%"', "true", "inf", "nan", "{}", "[1]", "-0.01", "2026-11-20", f"1{'0' * 400}"]
    areas = ['"42"', "7", "[1, 2, 3]", "[1, 2, 3, 4, 5]", '[1, 2, 3, "4"]', "[1, 2, 3, true]", "[0, 0, 1, inf]"]
    areas += ["[42.45, -71.20, 42.30, -71.05]", "[42.30, -71.05, 42.45, -71.20]", "[42.30, -71.20, 42.30, -71.05]"]
    areas += ["[-71.20, 42.30, -71.05, 190]", "[-91, 0, 0, 1]", "[0, 0, 91, 1]", "[0, -181, 1, 0]"]
    for load, key, values, reason in [
        (building_limits, "lost_documents", [*numbers, "1.1"], "is not a ratio from 0 to 1"),
        (dining_limits, "lost_items", [*numbers, "30"], "is not a ratio from 0 to 1"),
        (building_limits, "area_margin", numbers, "is not a number of zero or more"),
        (dining_limits, "closed_days", numbers, "is not a number of zero or more"),
        (building_limits, "area", areas, "is not [south, west, north, east] in degrees"),
    ]:
        for value in values:
            message = problem(load, f"{key} = {value}")
            assert (message.startswith(f"limits.{key} "), message.endswith(reason)) == (True, True), (key, value)


def test_an_unknown_limit_is_an_error(building_limits, dining_limits, problem):
    for load, keys, known in [
        (building_limits, ("lost_items", "closed_days", "lost_document"), "area, area_margin, lost_documents"),
        (dining_limits, ("area", "area_margin", "closed_day", "lost_documents"), "closed_days, lost_items"),
    ]:
        for key in keys:
            assert problem(load, f"{key} = 1") == f"limits.{key} is not one of {known}", key


def test_thresholds_of_several_profiles_are_combined():
    north = Thresholds(0.5, 0.1, 7, area=(42.3, -71.2, 42.4, -71.1), area_margin=1)
    south = Thresholds(0.2, 0.4, 9, area=(42.1, -71.3, 42.2, -71.0))

    assert combine_thresholds([north, south]) == Thresholds(0.2, 0.1, 7, area=(42.1, -71.3, 42.4, -71.0), area_margin=1)
    assert combine_thresholds([Thresholds(area=(42, -72, 43, -71)), Thresholds()]) == Thresholds()
