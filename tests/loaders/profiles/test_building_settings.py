"""Settings of building profiles: the filter leaves out features that are not buildings."""

import pytest

from loaders import profiles
from loaders.profiles.building_settings import parse_filter
from loaders.readers import buildings
from tests.factories import feature


@pytest.fixture
def load(building_profile):
    """Load a profile with this filter."""
    return lambda text: building_profile(f"[filter]\n{text}\n")


def matches(value, condition):
    [parsed] = parse_filter({"building": condition})
    return parsed.matches({} if value is None else {"building": value})


def test_features_that_do_not_match_all_conditions_are_left_out_and_counted(save_features, load):
    tree = {"type": "Feature", "properties": {"natural": "tree"}, "geometry": None}
    is_open = {"status": "open"}
    features = feature(1, building="yes", **is_open), feature(2, building="no", **is_open), feature(3, building="yes")

    result = buildings.read([(load('building = "yes"\nstatus = "open"'), [save_features(*features, tree)])])

    assert ([record.id for record in result.records], result.filtered, result.errors) == ([1], 3, [])


def test_values_are_compared_as_text():
    equal = [(7, "7"), ("7", 7), (7.0, 7), ("true", True), (False, "false"), (" yes ", "yes"), (None, ""), ("", "")]
    equal += [("Café", "Café"), (False, ["another", False])]
    others = [("Yes", "yes"), ("yes", "ye"), (None, "yes"), (1, True), ("no", ["yes", "dorm"]), (7.5, 7)]
    for value, condition in [*equal, *others]:
        assert matches(value, condition) is ((value, condition) in equal), (value, condition)


def test_a_pattern_is_searched_in_the_value():
    expected = {"dormitory": True, "yes": True, "no": False, None: False}
    assert {value: matches(value, {"pattern": "^(?!no$)."}) for value in expected} == expected


def test_a_value_that_cannot_be_compared_is_an_error(save_features, load):
    result = buildings.read([(load('building = "yes"'), [save_features(feature(1, building=["yes"]))])])

    assert [error.message for error in result.errors] == ["building ['yes'] is neither text nor a number"]


def test_an_invalid_condition_is_an_error(load, problem):
    for condition in ("[]", "{}", '{like = "yes"}', '[["yes"]]', "2026-11-22", "[{pattern = 'a'}]"):
        message = problem(load, f"building = {condition}")
        assert message == 'filter.building is neither a value, a list of values nor {pattern = "..."}', condition
    assert problem(load, 'building = "a\\u0000"') == r"filter.building 'a\x00' has a control character"
    message = problem(load, 'building = {pattern = "("}')
    assert message.startswith("filter.building.pattern '(' is not a regular expression")


def test_what_is_not_there_or_not_yet_is_no_building_of_openstreetmap():
    values = ["yes", "Yes;Residential-Hall", "university", "no", "No", "entrance", "demolished", "Proposed", "razed"]
    for name in ("openstreetmap", "overpass"):
        profile = profiles.load_building_profile(name)

        assert [value for value in values if profile.filter[0].matches({"building": value})] == values[:3], name
