"""Corrections of a profile are applied by each load, reported, and warned about when they change nothing."""

import pytest
from shapely.geometry import box, mapping

from campus_api.domain.building_fields import TEXT_FIELDS
from loaders import profiles
from loaders.readers import buildings
from loaders.result import AppliedCorrection
from tests.factories import feature
from tests.loaders.errors import error_of

PROFILE = 'format = "geojson"\ncorrections = "corrections.toml"\n'
KEYS = ", ".join(sorted({*TEXT_FIELDS, "point", "retired"}))
FIELDS = '[fields]\nname = "name"\naddress = "address"\ncity = "city"\nimage = "image"\n'


@pytest.fixture
def save_profile(save):
    """Save a profile with these corrections and return its path as text."""

    def save_profile(corrections, settings=""):
        save(corrections, "corrections.toml")
        return str(save(f"{PROFILE}{settings}{FIELDS}", "campus.toml"))

    return save_profile


@pytest.fixture
def read(save_profile, save_features):
    """Read features with these corrections."""

    def read(corrections, *features, settings=""):
        profile = profiles.load_building_profile(save_profile(corrections, settings))
        return buildings.read([(profile, [save_features(*features)])])

    return read


def warnings(result):
    return [warning.message for warning in result.warnings.values() if warning.file == "corrections.toml"]


def test_a_correction_has_lists_of_other_names_and_of_tags(read, save_profile):
    (lamont,) = read('[7]\naliases = ["Lam", "The  L"]\ntags = ["library"]', feature(7, name="Lamont")).records

    assert (lamont.aliases, lamont.tags) == ("Lam;The L", "library")
    path = save_profile('7.aliases = "berg"')
    assert '7.aliases is not a list of names such as ["berg"]' in str(error_of(profiles.load_building_profile, path))


def test_corrections_replace_values_of_the_export(read):
    corrections = '[7]\nname = " Lamont  Library"\naddress = "11 Quincy Street"\ncity = "Boston"\npoint = [42, -71.5]\n'
    corrections += 'image = "https://example.edu/7.jpg"\n[9]\nname = ""\naddress = ""\ncity = ""\nimage = ""'
    texts = {"name": "x", "address": "x", "city": "x", "image": "https://a.edu/x.jpg"}

    result = read(corrections, feature(7, **texts), feature(8, name="Houghton"), feature(9, **texts))

    lamont, houghton, empty = result.records
    assert (lamont.name, lamont.address, lamont.city) == ("Lamont Library", "11 Quincy Street", "Boston")
    assert (lamont.point, lamont.polygons) == ((42.0, -71.5), houghton.polygons)
    assert (houghton.name, houghton.address, lamont.image) == ("Houghton", "", "https://example.edu/7.jpg")
    # An empty text removes a value.
    assert (empty.name, empty.address, empty.city, empty.image) == (None, "", "", None)
    assert "7: name 'x' -> 'Lamont Library'" in map(str, result.corrections)
    assert warnings(result) == []
    parts = [feature(7, name="Lamont"), feature(7, mapping(box(-71.1, 42.3, -71, 42.4)), name="Lamont")]
    [merged] = read("[7]\npoint = [42.5, -71.5]", *parts, settings="merge = true\n").records
    assert merged.point == (42.5, -71.5)


def test_a_retired_building_is_left_out_and_needs_no_valid_record(read):
    result = read("[7]\nretired = true\n[9]\nretired = true", feature(7), feature(8), {**feature(9), "geometry": None})

    assert ([record.id for record in result.records], result.errors) == ([8], [])
    assert AppliedCorrection(7, "retired", False, True) in result.corrections


def test_a_correction_that_changes_nothing_is_a_warning(read):
    result = read('[7]\nname = "Lamont"\ncity = "Boston"\n', feature(7, name="Lamont"))

    assert warnings(result) == ["7.name 'Lamont' changes nothing: the export has this value"]
    assert [correction.field for correction in result.corrections] == ["city"]
    not_there = "is not the id of a building in the export"
    for line in ("[9]", "[ '9' ]", '9 = {city = "Boston"}', '9.name = "Lamont"', '"09".name = "Lamont"'):
        for field in ('name = "Lamont"', "retired = true") if line.startswith("[") else ("",):
            [message] = warnings(read(f"\n# Libraries\n{line}\n{field}\n", feature(8)))
            assert message == f"9 {not_there}", (line, field)


def test_an_invalid_correction_is_an_error_of_the_profile(save_profile, tmp_path):
    for corrections, message in [
        ('x7 = {name = "Lamont"}', "x7 is not the id of a building"),
        ('9223372036854775808 = {name = "Lamont"}', "9223372036854775808 is not the id of a building"),
        ("7 = {retired = true}\n07 = {retired = true}", "07 is corrected twice"),
        ("7 = {}", "7 is not a table of corrected fields"),
        ('7 = {nmae = "Lamont"}', f"7.nmae is not one of {KEYS}"),
        ("7 = {name = 7}", "7.name is not text"),
        ('7 = {name = "a\\u0000"}', "7.name 'a\\x00' has a control character"),
        ('7 = {image = "javascript:alert(1)"}', "7.image 'javascript:alert(1)' is not an http or https URL"),
        ("7 = {point = [42, true]}", "7.point [42, True] is not of the form [latitude, longitude]"),
        ("7 = {point = [-91, 42]}", "7.point [-91, 42] is not a latitude and a longitude in degrees"),
        ("7 = {retired = false}", "7.retired is not true, or 7 has other fields"),
        ('7 = {retired = true, name = "Lamont"}', "7.retired is not true, or 7 has other fields"),
    ]:
        path = save_profile(corrections)

        error = error_of(profiles.load_building_profile, path)

        assert str(error) == f"profile {path}: {tmp_path}/corrections.toml: {message}", corrections
    for content in ("[7", "\x00", '7 = {name = "a"}\n7 = {name = "b"}', "7 = " + "[" * 9000, b"[7]\nname = '\xe9'"):
        error = error_of(profiles.load_building_profile, save_profile(content))
        assert "corrections.toml: is not TOML: " in str(error), content
    (tmp_path / "corrections.toml").unlink()
    message = f"profile {path}: {tmp_path}/corrections.toml: cannot be read: No such file or directory"
    assert str(error_of(profiles.load_building_profile, path)) == message
