import pytest

from loaders import profiles
from loaders.profiles import ProfileError
from loaders.profiles.thresholds import Thresholds, combine_thresholds, parse_thresholds

GEOJSON = 'format = "geojson"\n[limits]\n'
FOODPRO = 'format = "foodpro"\n[limits]\n'
AREA = "area = [42.30, -71.20, 42.45, -71.05]"


def error_in(load, path):
    with pytest.raises(ProfileError) as error:
        load(str(path))
    return str(error.value).removeprefix(f"profile {path}: ")


def test_a_profile_without_limits_has_the_defaults(save):
    path = save('format = "geojson"', "custom.toml")

    assert profiles.load_building_profile(str(path)).thresholds == Thresholds()


def test_a_profile_of_buildings_may_set_limits(save):
    path = save(f"{GEOJSON}lost_documents = 0.5\narea_margin = 1\n{AREA}", "custom.toml")

    limits = Thresholds(lost_documents=0.5, area=(42.30, -71.20, 42.45, -71.05), area_margin=1)
    assert profiles.load_building_profile(str(path)).thresholds == limits


@pytest.mark.parametrize("form", ["foodpro", "huds"])
def test_a_profile_of_dining_may_set_limits(save, form):
    text = f'format = "{form}"\n[limits]\nlost_items = 0.9\nclosed_days = 200'

    limits = profiles.load_dining_profile(str(save(text, "custom.toml"))).thresholds

    assert limits == Thresholds(lost_items=0.9, closed_days=200)


def test_the_harvard_profile_has_a_bounding_box():
    assert profiles.load_building_profile("harvard").thresholds.area == (42.30, -71.20, 42.45, -71.05)


@pytest.mark.parametrize("key", ["lost_documents", "area_margin"])
@pytest.mark.parametrize("value", ['"30%"', "true", "inf", "nan", "{}", '["a"]', "[[1]]", "2026-11-20"])
def test_a_limit_must_be_numeric(save, key, value):
    path = save(f"{GEOJSON}{key} = {value}", "custom.toml")

    message = error_in(profiles.load_building_profile, path)

    assert (message.startswith(f"limits.{key} "), message.endswith(" is not numeric")) == (True, True)


@pytest.mark.parametrize("key", ["lost_items", "closed_days"])
@pytest.mark.parametrize("value", ["-1", "-0.01", "[1]", "[]"])
def test_a_limit_below_zero_or_a_list_is_an_error(save, key, value):
    path = save(f"{FOODPRO}{key} = {value}", "custom.toml")

    assert error_in(profiles.load_dining_profile, path) == f"limits.{key} {value} is not a number of zero or more"


@pytest.mark.parametrize(
    "area",
    [
        "7",
        "[]",
        "[1, 2, 3]",
        "[1, 2, 3, 4, 5]",
        "[42.45, -71.20, 42.30, -71.05]",
        "[42.30, -71.05, 42.45, -71.20]",
        "[42.30, -71.20, 42.30, -71.05]",
        "[-71.20, 42.30, -71.05, 190]",
        "[-91, 0, 0, 1]",
        "[0, 0, 91, 1]",
        "[0, -181, 1, 0]",
    ],
)
def test_an_invalid_area_is_an_error(save, area):
    path = save(f"{GEOJSON}area = {area}", "custom.toml")

    message = error_in(profiles.load_building_profile, path)

    assert message.startswith("limits.area ")
    assert message.endswith(" is not [south, west, north, east] in degrees")


@pytest.mark.parametrize("area", ['[1, 2, 3, "4"]', "[1, 2, 3, true]", "[0, 0, 1, inf]", '"42"'])
def test_an_area_must_be_numeric(save, area):
    message = error_in(profiles.load_building_profile, save(f"{GEOJSON}area = {area}", "custom.toml"))

    assert (message.startswith("limits.area "), message.endswith(" is not numeric")) == (True, True)


@pytest.mark.parametrize("key", ["lost_items", "closed_days", "lost_document"])
def test_an_unknown_limit_of_buildings_is_an_error(save, key):
    path = save(f"{GEOJSON}{key} = 1", "custom.toml")

    known = "area, area_margin, lost_documents"
    assert error_in(profiles.load_building_profile, path) == f"limits.{key} is not one of {known}"


@pytest.mark.parametrize("key", ["area", "area_margin", "closed_day", "lost_documents"])
def test_an_unknown_limit_of_dining_is_an_error(save, key):
    path = save(f"{FOODPRO}{key} = 1", "custom.toml")

    known = "closed_days, lost_items"
    assert error_in(profiles.load_dining_profile, path) == f"limits.{key} is not one of {known}"


@pytest.mark.parametrize("load", [profiles.load_building_profile, profiles.load_dining_profile])
def test_limits_must_be_a_table(save, load):
    form = "geojson" if load is profiles.load_building_profile else "foodpro"

    assert error_in(load, save(f'format = "{form}"\nlimits = 7', "custom.toml")) == "limits is not a table"


def test_a_limit_out_of_range_is_an_error(save):
    path = save(f"{GEOJSON}lost_documents = 1{'0' * 400}", "custom.toml")

    assert error_in(profiles.load_building_profile, path).startswith("limits.lost_documents ")


@pytest.mark.parametrize("key", ["lost_documents", "lost_items"])
def test_a_ratio_above_one_is_an_error(key):
    with pytest.raises(ValueError, match=key):
        parse_thresholds({key: 30})


def test_thresholds_of_several_profiles_are_combined():
    north = Thresholds(0.5, area=(42.3, -71.2, 42.4, -71.1), area_margin=1)
    south = Thresholds(0.2, area=(42.1, -71.3, 42.2, -71.0))

    combined = combine_thresholds([north, south])

    assert combined == Thresholds(0.2, area=(42.1, -71.3, 42.4, -71.0), area_margin=1)


def test_profiles_of_which_one_has_no_area_have_none_together():
    assert combine_thresholds([Thresholds(area=(42, -72, 43, -71)), Thresholds()]) == Thresholds()
