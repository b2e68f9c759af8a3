import pytest

from campus_api.models import Named
from loaders import profiles
from loaders.errors import InvalidValue
from loaders.profiles import BuildingProfile, ProfileError

GEOJSON = 'format = "geojson"\n'
FOODPRO = 'format = "foodpro"\n'


def text_from(source, **properties):
    return BuildingProfile(fields={"name": source}).text("name", properties)


def test_a_field_name_says_where_the_text_stands():
    assert text_from(("TITLE",), TITLE="Widener Library", title="a decoy") == "Widener Library"


@pytest.mark.parametrize("properties", [{}, {"TITLE": None}, {"TITLE": ""}, {"TITLE": "  "}])
def test_a_field_that_is_absent_or_blank_says_nothing(properties):
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
def test_a_template_puts_the_parts_together_that_are_there(properties, text):
    assert text_from(("{number} {street}",), **properties) == text


def test_a_template_of_which_no_field_is_given_says_nothing_of_its_own():
    assert text_from(("Building {number}",)) == ""


def test_a_template_that_says_nothing_leaves_the_word_to_the_next():
    assert text_from(("{number} {street}", "address"), address="1 Elm Street") == "1 Elm Street"


def test_a_field_name_may_hold_a_colon():
    assert text_from(("{addr:housenumber}-{addr:street}",), **{"addr:housenumber": 1, "addr:street": "A"}) == "1-A"


@pytest.mark.parametrize("source", ["TITLE", "{TITLE} Hall"])
def test_a_value_that_is_no_text_is_bad(source):
    with pytest.raises(InvalidValue) as bad:
        text_from((source,), TITLE=["Widener"])

    assert (bad.value.field, bad.value.value) == ("TITLE", ["Widener"])


@pytest.mark.parametrize("name", ["cambridge", "geojson", "openstreetmap"])
def test_a_profile_of_buildings_that_we_bring_can_be_used(name):
    assert set(profiles.load_building_profile(name).fields) == {"id", "name", "address", "city", "image"}


@pytest.mark.parametrize("name", ["foodpro", "huds"])
def test_a_profile_of_dining_that_we_bring_can_be_used(name):
    assert profiles.load_dining_profile(name).format == name


def test_a_profile_may_be_a_file_of_ones_own(save):
    path = save(GEOJSON + '[fields]\nid = "REF"\nname = ["A", "B"]\naddress = "{a} {b}"\n', "own.toml")

    profile = profiles.load_building_profile(str(path))

    assert profile.fields == {"id": ("REF",), "name": ("A", "B"), "address": ("{a} {b}",), "city": (), "image": ()}


@pytest.mark.parametrize("text", [GEOJSON, GEOJSON + "[fields]\nid = []\n"])
def test_without_a_field_for_the_id_it_is_the_features_own(save, text):
    assert profiles.load_building_profile(str(save(text, "own.toml"))).fields["id"] == ("id",)


def test_a_profile_has_defaults_for_city_and_image_base(save):
    text = GEOJSON + '[defaults]\ncity = "Cambridge"\nimage_base = "https://example.edu/photos/"\n'

    profile = profiles.load_building_profile(str(save(text, "own.toml")))

    assert (profile.city, profile.image_base) == ("Cambridge", "https://example.edu/photos/")


def test_without_defaults_city_and_image_base_are_empty(save):
    profile = profiles.load_building_profile(str(save(GEOJSON, "own.toml")))

    assert (profile.city, profile.image_base) == ("", "")


def test_codes_stand_for_ids_and_names(save):
    text = (
        FOODPRO + '[locations]\nMATHER = {id = 7, name = "Mather House"}\n[categories]\nA = {id = 0, name = "Soup"}\n'
    )

    profile = profiles.load_dining_profile(str(save(text, "own.toml")))

    assert profile.locations["MATHER"] == Named(7, "Mather House")
    assert profile.categories["A"] == Named(0, "Soup")


@pytest.mark.parametrize("load", [profiles.load_building_profile, profiles.load_dining_profile])
def test_a_profile_that_does_not_exist_is_named_with_those_that_do(load):
    with pytest.raises(ProfileError) as error:
        load("harvrad")

    known = "cambridge, esri, foodpro, geojson, harvard, huds, openstreetmap"
    assert str(error.value) == f"profile harvrad: does not exist; use a .toml file or one of {known}"


@pytest.mark.parametrize("content", [b"format = \n", b"[fields\n", b'format = "\xe9"\n'])
def test_a_profile_that_is_not_toml_is_named(save, content):
    path = save(content, "own.toml")

    with pytest.raises(ProfileError) as error:
        profiles.load_building_profile(str(path))

    assert str(error.value).startswith(f"profile {path}: is not TOML: ")
