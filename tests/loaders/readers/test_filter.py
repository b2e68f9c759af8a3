"""The filter of a profile leaves out features that are not buildings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loaders import profiles
from loaders.profiles import ProfileError
from loaders.profiles.filters import parse_filter
from loaders.readers import buildings
from tests.factories import feature

SCALARS = st.one_of(st.booleans(), st.integers(), st.text(st.characters(categories=["L", "N"])))


@pytest.fixture
def load_profile(save):
    """Load a profile with this filter."""
    return lambda text: profiles.load_building_profile(
        str(save(f'format = "geojson"\n[filter]\n{text}\n', "custom.toml"))
    )


def matches(value, condition):
    [parsed] = parse_filter({"building": condition})
    return parsed.matches({} if value is None else {"building": value})


def test_features_that_do_not_match_are_left_out_and_counted(save_features, load_profile):
    path = save_features(feature(1, building="yes"), feature(2, building="no"), feature(3), feature(4, building="yes"))

    result = buildings.read([path], load_profile('building = "yes"'))

    assert ([record.id for record in result.records], result.filtered, result.errors) == ([1, 4], 2, [])


def test_what_is_left_out_needs_neither_an_id_nor_a_geometry(save_features, load_profile):
    tree = {"type": "Feature", "properties": {"natural": "tree"}, "geometry": None}

    result = buildings.read([save_features(feature(1, building=True), tree)], load_profile("building = true"))

    assert (len(result.records), result.filtered, result.errors) == (1, 1, [])


def test_all_conditions_must_hold(save_features, load_profile):
    path = save_features(
        feature(1, building="yes", status="open"), feature(2, building="yes"), feature(3, status="open")
    )

    result = buildings.read([path], load_profile('building = "yes"\nstatus = "open"'))

    assert [record.id for record in result.records] == [1]


@given(SCALARS)
def test_a_value_matches_itself(value):
    assert matches(value, value)
    assert matches(value, ["another", value])


@pytest.mark.parametrize(
    ("value", "condition"),
    [(7, "7"), ("7", 7), (7.0, 7), ("true", True), (False, "false"), (" yes ", "yes"), (None, ""), ("", "")],
)
def test_values_are_compared_as_text(value, condition):
    assert matches(value, condition)


@pytest.mark.parametrize(
    ("value", "condition"), [("Yes", "yes"), ("yes", "ye"), (None, "yes"), (1, True), ("no", ["yes", "dorm"]), (7.5, 7)]
)
def test_other_values_do_not_match(value, condition):
    assert not matches(value, condition)


@pytest.mark.parametrize(("value", "expected"), [("dormitory", True), ("yes", True), ("no", False), (None, False)])
def test_a_pattern_is_searched_in_the_value(value, expected):
    assert matches(value, {"pattern": "^(?!no$)."}) == expected


def test_a_value_that_cannot_be_compared_is_an_error(save_features, load_profile):
    result = buildings.read([save_features(feature(1, building=["yes"]))], load_profile('building = "yes"'))

    assert [error.message for error in result.errors] == ["building ['yes'] is neither text nor a number"]


@pytest.mark.parametrize("condition", ["[]", "{}", '{like = "yes"}', '[["yes"]]', "2026-11-22", "[{pattern = 'a'}]"])
def test_a_condition_is_a_value_a_list_of_values_or_a_pattern(load_profile, condition):
    with pytest.raises(ProfileError) as error:
        load_profile(f"building = {condition}")

    message = 'filter.building is neither a value, a list of values nor {pattern = "..."}'
    assert str(error.value).endswith(f"custom.toml: {message}")


def test_a_value_of_a_condition_must_be_printable(load_profile):
    with pytest.raises(ProfileError, match=r"filter.building 'a\\x00' has a control character$"):
        load_profile('building = "a\\u0000"')


def test_the_pattern_of_a_condition_must_be_a_regular_expression(load_profile):
    with pytest.raises(ProfileError, match="filter.building.pattern '\\(' is not a regular expression"):
        load_profile('building = {pattern = "("}')


def test_the_report_has_the_number_of_features_that_the_filter_leaves_out(campus_load, save, save_features):
    profile = save('format = "geojson"\n[filter]\nbuilding = "yes"\n', "custom.toml")
    path = save_features(feature(1, building="yes"), feature(2))

    result = campus_load("buildings", path, "--profile", profile)
    report = campus_load("buildings", path, "--profile", profile, "--json")

    assert "  1 feature left out by the filter" in result.stdout.splitlines()
    assert '"filtered":1' in report.stdout


def test_a_filter_that_leaves_out_everything_is_reported(campus_load, save, save_features):
    profile = save('format = "geojson"\n[filter]\nbuilding = "yes"\n', "custom.toml")

    result = campus_load("buildings", save_features(feature(1), feature(2)), "--profile", profile)

    message = "campus-load: 2 features left out by the filter, nothing was published.\n"
    assert (result.exit_code, result.stderr) == (2, message)
