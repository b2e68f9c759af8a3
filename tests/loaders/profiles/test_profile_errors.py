import pytest

from loaders import profiles
from loaders.profiles import ProfileError

GEOJSON = 'format = "geojson"\n'
FOODPRO = 'format = "foodpro"\n'

POSITION = "fields has neither a latitude and a longitude, nor a geometry alone"


def error_in(load, path):
    with pytest.raises(ProfileError) as error:
        load(str(path))
    profile, _, message = str(error.value).partition(": ")
    assert profile == f"profile {path}"
    return message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "format is missing"),
        ('format = ["geojson"]', "format is not text"),
        (
            GEOJSON + "colour = 1",
            "colour is not one of defaults, fields, filter, format, layer, limits, merge, overrides, wkid",
        ),
        (GEOJSON + "layer = 1", "layer is not text"),
        (GEOJSON + "merge = 1", "merge is neither true nor false"),
        (GEOJSON + "overrides = 1", "overrides is not text"),
        (GEOJSON + "fields = 1", "fields is not a table"),
        (GEOJSON + 'defaults = "Cambridge"', "defaults is not a table"),
        (
            GEOJSON + '[fields]\nnmae = "NAME"',
            "fields.nmae is not one of address, city, geometry, id, image, latitude, longitude, name",
        ),
        (GEOJSON + "[fields]\nlatitude = 1", "fields.latitude is not text"),
        (GEOJSON + '[fields]\nlatitude = "y"', POSITION),
        (GEOJSON + '[fields]\nlongitude = "x"\nlatitude = " "', POSITION),
        (GEOJSON + '[fields]\nlatitude = "y"\nlongitude = "x"\ngeometry = "wkt"', POSITION),
        (GEOJSON + '[defaults]\nname = "x"', "defaults.name is not one of city, image_base"),
        (GEOJSON + "[defaults]\ncity = 1", "defaults.city is not text"),
        (GEOJSON + '[defaults]\nimage_base = ["a"]', "defaults.image_base is not text"),
        (GEOJSON + "[fields]\nid = 7", "fields.id is not text"),
        (GEOJSON + '[fields]\nname = ["NAME", 7]', "fields.name is not text"),
        (GEOJSON + "[fields]\nimage = true", "fields.image is not text"),
        (GEOJSON + '[fields]\nid = "{a}"', "fields.id '{a}' is a template: the id must be a single field"),
    ],
)
def test_an_invalid_building_profile_is_an_error(save, text, message):
    path = save(text, "custom.toml")

    assert error_in(profiles.load_building_profile, path) == message


@pytest.mark.parametrize("template", ["{number {street}", "{number} street}", "{number", "{}", "{number} {}"])
def test_unbalanced_or_empty_braces_are_an_error(save, template):
    path = save(f'{GEOJSON}[fields]\naddress = "{template}"', "custom.toml")

    assert error_in(profiles.load_building_profile, path).startswith("fields.address ")


@pytest.mark.parametrize("table", ["locations", "categories"])
@pytest.mark.parametrize(
    "meaning",
    [
        "7",
        '"Mather House"',
        "{}",
        "{id = 7}",
        '{name = "Mather House"}',
        '{id = 7, name = "Mather House", hall = "M"}',
    ],
)
def test_a_code_must_map_to_an_id_and_a_name(save, table, meaning):
    path = save(f"{FOODPRO}[{table}]\n05 = {{id = 5, name = 'Cabot'}}\n07 = {meaning}", "custom.toml")

    assert error_in(profiles.load_dining_profile, path) == f'{table}.07 is not of the form {{id = 7, name = "a name"}}'


@pytest.mark.parametrize(
    "meaning",
    [
        '{id = "7A", name = "Mather House"}',
        '{id = true, name = "Mather House"}',
        '{id = -7, name = "Mather House"}',
        '{id = 9223372036854775808, name = "Mather House"}',
        "{id = 7, name = []}",
        '{id = 7, name = " "}',
    ],
)
def test_a_code_must_map_to_a_valid_id_and_name(save, meaning):
    path = save(f"{FOODPRO}[locations]\n07 = {meaning}", "custom.toml")

    assert error_in(profiles.load_dining_profile, path).startswith("locations.07 ")


def test_two_spellings_of_a_code_must_map_to_the_same_entity(save):
    table = '[locations]\n7 = {id = 7, name = "Mather House"}\n07 = {id = 8, name = "Quincy House"}\n'
    path = save(FOODPRO + table, "custom.toml")

    assert error_in(profiles.load_dining_profile, path).startswith("locations.07 ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "format is missing"),
        ('format = ["foodpro"]', "format is not text"),
        (
            FOODPRO + "[fields]",
            "fields is not one of categories, columns, country, date_format, defaults, delimiter, encoding, facts, "
            "format, halls, labels, limits, locations, meals, notes",
        ),
        (FOODPRO + 'locations = "07"', "locations is not a table"),
        (FOODPRO + '[columns]\ndate = "Day"', "columns has no date or no dish"),
        (FOODPRO + '[defaults]\ndish = "Soup"', "defaults.dish is not one of category, location, meal"),
        (FOODPRO + "categories = [1]", "categories is not a table"),
    ],
)
def test_an_invalid_dining_profile_is_an_error(save, text, message):
    path = save(text, "custom.toml")

    assert error_in(profiles.load_dining_profile, path) == message
