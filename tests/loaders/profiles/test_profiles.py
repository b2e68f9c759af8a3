from pathlib import Path

import pytest

from campus_api.domain.models import NamedEntity
from loaders import profiles
from loaders.errors import InvalidValue
from loaders.profiles import BuildingProfile, ProfileError
from loaders.profiles.building_ids import IdSource

GEOJSON = 'format = "geojson"\n'
FOODPRO = 'format = "foodpro"\n'


def text_from(source, **properties):
    return BuildingProfile(fields={"name": source}).text("name", properties)


def test_a_source_is_the_name_of_a_field():
    assert text_from(("TITLE",), TITLE="Widener Library", title="a decoy") == "Widener Library"


@pytest.mark.parametrize("properties", [{}, {"TITLE": None}, {"TITLE": ""}, {"TITLE": "  "}])
def test_an_absent_or_blank_field_is_empty(properties):
    assert text_from(("TITLE",), **properties) == ""


@pytest.mark.parametrize(
    ("properties", "text"),
    [
        ({"A": "first", "B": "second", "C": "third"}, "first"),
        ({"B": "second", "C": "third"}, "second"),
        ({"A": None, "B": " ", "C": "third"}, "third"),
        ({"D": "a decoy"}, ""),
    ],
)
def test_the_first_of_several_fields_that_is_not_empty_wins(properties, text):
    assert text_from(("A", "B", "C"), **properties) == text


@pytest.mark.parametrize(
    ("properties", "text"),
    [
        ({"number": "12", "street": "Oak Street"}, "12 Oak Street"),
        ({"number": 12, "street": " Oak  Street "}, "12 Oak Street"),
        ({"street": "Oak Street"}, "Oak Street"),
        ({"number": "12", "street": " "}, "12"),
        ({"number": None, "street": ""}, ""),
        ({}, ""),
    ],
)
def test_a_template_joins_the_values_that_are_present(properties, text):
    assert text_from(("{number} {street}",), **properties) == text


def test_a_template_without_any_value_is_empty():
    assert text_from(("Building {number}",)) == ""


def test_the_next_source_is_used_after_an_empty_template():
    assert text_from(("{number} {street}", "address"), address="1 Elm Street") == "1 Elm Street"


def test_a_field_name_may_hold_a_colon():
    assert text_from(("{addr:housenumber}-{addr:street}",), **{"addr:housenumber": 1, "addr:street": "A"}) == "1-A"


@pytest.mark.parametrize("source", ["TITLE", "{TITLE} Hall"])
def test_a_value_must_be_text(source):
    with pytest.raises(InvalidValue) as error:
        text_from((source,), TITLE=["Widener"])

    assert (error.value.field, error.value.value) == ("TITLE", ["Widener"])


@pytest.mark.parametrize("name", ["cambridge", "geojson", "openstreetmap"])
def test_built_in_building_profiles_are_valid(name):
    assert set(profiles.load_building_profile(name).fields) == {"name", "address", "city", "image"}


@pytest.mark.parametrize("name", ["foodpro", "huds"])
def test_built_in_dining_profiles_are_valid(name):
    assert profiles.load_dining_profile(name).format == name


def test_a_profile_may_be_a_file(save):
    path = save(GEOJSON + '[fields]\nid = "REF"\nname = ["A", "B"]\naddress = "{a} {b}"\n', "custom.toml")

    profile = profiles.load_building_profile(str(path))

    assert profile.fields == {"name": ("A", "B"), "address": ("{a} {b}",), "city": (), "image": ()}
    assert profile.id == IdSource(("REF",))


@pytest.mark.parametrize("text", [GEOJSON, GEOJSON + "[fields]\nid = []\n"])
def test_the_default_id_field_is_the_feature_id(save, text):
    assert profiles.load_building_profile(str(save(text, "custom.toml"))).id == IdSource(("id",))


def test_a_profile_has_defaults_for_city_and_image_base(save):
    text = GEOJSON + '[defaults]\ncity = "Cambridge"\nimage_base = "https://example.edu/photos/"\n'

    profile = profiles.load_building_profile(str(save(text, "custom.toml")))

    assert (profile.city, profile.image_base) == ("Cambridge", "https://example.edu/photos/")


def test_without_defaults_city_and_image_base_are_empty(save):
    profile = profiles.load_building_profile(str(save(GEOJSON, "custom.toml")))

    assert (profile.city, profile.image_base) == ("", "")


def test_codes_map_to_ids_and_names(save):
    text = (
        FOODPRO + '[locations]\nMATHER = {id = 7, name = "Mather House"}\n[categories]\nA = {id = 0, name = "Soup"}\n'
    )

    profile = profiles.load_dining_profile(str(save(text, "custom.toml")))

    assert profile.locations["MATHER"] == NamedEntity(7, "Mather House")
    assert profile.categories["A"] == NamedEntity(0, "Soup")


@pytest.mark.parametrize("load", [profiles.load_building_profile, profiles.load_dining_profile])
def test_a_missing_profile_is_an_error_that_lists_the_built_in_ones(load):
    with pytest.raises(ProfileError) as error:
        load("harvrad")

    known = ", ".join(sorted(path.stem for path in Path(profiles.__file__).parent.glob("*.toml")))
    assert str(error.value) == f"profile harvrad: does not exist; use a .toml file or one of {known}"


@pytest.mark.parametrize("content", [b"format = \n", b"[fields\n", b'format = "\xe9"\n'])
def test_a_profile_that_is_not_toml_is_an_error(save, content):
    path = save(content, "custom.toml")

    with pytest.raises(ProfileError) as error:
        profiles.load_building_profile(str(path))

    assert str(error.value).startswith(f"profile {path}: is not TOML: ")
