from itertools import product
from pathlib import Path

from campus_api.domain.building_fields import TEXT_FIELDS
from campus_api.domain.models import NamedEntity
from loaders import profiles
from loaders.profiles import BuildingProfile
from loaders.profiles.building_ids import IntegerId
from tests.loaders.errors import error_of, invalid_value

KEYS = "corrections, defaults, encoding, fields, filter, format, layer, limits, merge, namespace, rows, sheet, wkid"
FIELDS = ", ".join(sorted({*TEXT_FIELDS, "geometry", "id", "latitude", "longitude"}))
DINING_KEYS = (
    "allergens, categories, columns, country, date_format, defaults, delimiter, empty_allergens, encoding, facts, "
    "format, halls, header, labels, limits, locations, meals, namespace, rows, sheet, "
    "tracked_allergens, units"
)
POSITION = "fields has neither a latitude and a longitude, nor a geometry alone"


def text_from(source, properties):
    return BuildingProfile(fields={"name": source}).text("name", properties)


def test_a_source_is_the_first_field_that_is_not_blank_or_a_template_of_those_that_are_present():
    names, template = ("A", "B", "C"), ("{number} {street}",)
    for source, properties, text in [
        (names, {"A": " first  hall", "B": "second", "C": "third"}, "first hall"),
        (names, {"A": None, "B": " ", "C": "third"}, "third"),
        (names, {"A": "", "a": "a decoy"}, ""),
        (names, {}, ""),
        (template, {"number": 12, "street": " Oak  Street "}, "12 Oak Street"),
        (template, {"street": "Oak Street"}, "Oak Street"),
        (template, {"number": "12", "street": " "}, "12"),
        (template, {"number": None, "street": ""}, ""),
        (("{addr:housenumber}-{addr:street}",), {"addr:housenumber": 1, "addr:street": "A"}, "1-A"),
        (("Building {number}",), {}, ""),
        ((*template, "address"), {"address": "1 Elm Street"}, "1 Elm Street"),
    ]:
        assert text_from(source, properties) == text, (source, properties)


def test_a_value_must_be_text():
    for source in ("TITLE", "{TITLE} Hall"):
        assert invalid_value(text_from, (source,), {"TITLE": ["Widener"]})[:2] == ("TITLE", ["Widener"]), source


def test_a_profile_of_buildings_has_fields_and_defaults(building_profile):
    fields = '[fields]\nid = "REF"\nname = ["A", "B"]\naddress = "{a} {b}"\n'
    defaults = '[defaults]\ncity = "Cambridge"\nimage_base = "https://example.edu/photos/"\n'

    profile = building_profile(fields + defaults)

    assert profile.fields == {**dict.fromkeys(TEXT_FIELDS, ()), "name": ("A", "B"), "address": ("{a} {b}",)}
    assert (profile.id, profile.city) == (IntegerId(("REF",)), "Cambridge")
    assert profile.image_base == "https://example.edu/photos/"
    empty = building_profile("[fields]\nid = []\n")
    assert (empty.id, empty.city, empty.image_base) == (IntegerId(("id",)), "", "")


def test_a_missing_profile_is_an_error_that_lists_the_built_in_ones():
    known = ", ".join(sorted(path.stem for path in Path(profiles.__file__).parent.glob("*.toml")))
    for load in (profiles.load_building_profile, profiles.load_dining_profile):
        message = f"profile harvrad: does not exist; use a .toml file or one of {known}"
        assert str(error_of(load, "harvrad")) == message, load


def test_a_profile_that_is_not_toml_is_an_error(save, problem):
    for content in (b"format = \n", b"[fields\n", b'format = "\xe9"\n', "a = " + "1" * 5000, "a = " + "[" * 5000):
        path = save(content, "custom.toml")
        assert problem(profiles.load_building_profile, str(path)).startswith("is not TOML: "), content[:20]


def test_the_format_must_be_text(building_profile, dining_profile, problem):
    for load in (building_profile, dining_profile):
        assert problem(load, "", None) == "format is missing", load
        assert problem(load, 'format = ["geojson"]', None) == "format is not text", load


def test_an_invalid_key_or_value_of_a_profile_of_buildings_is_an_error(building_profile, problem):
    for text, message in [
        ("colour = 1", f"colour is not one of {KEYS}"),
        ("merge = 1", "merge is neither true nor false"),
        ("wkid = true", "wkid is not an integer"),
        ("fields = 1", "fields is not a table"),
        ("limits = 1", "limits is not a table"),
        ('[defaults]\nname = "x"', "defaults.name is not one of city, image_base"),
        ('[fields]\nnmae = "NAME"', f"fields.nmae is not one of {FIELDS}"),
        ('[fields]\nlatitude = "y"', POSITION),
        ('[fields]\nlatitude = "y"\nlongitude = "x"\ngeometry = "wkt"', POSITION),
        ('[fields]\nname = ["NAME", 7]', "fields.name is not text"),
        ('[fields]\nid = "{a}"', "fields.id '{a}' is a template: the id must be a single field"),
    ]:
        assert problem(building_profile, text) == message, text
    for template in ("{number {street}", "{number} street}", "{number", "{}", "{number} {}"):
        message = problem(building_profile, f'[fields]\naddress = "{template}"')
        assert message.startswith("fields.address "), template


def test_an_invalid_key_or_value_of_a_profile_of_menus_is_an_error(dining_profile, problem):
    for text, message in [
        ("[fields]", f"fields is not one of {DINING_KEYS}"),
        ('[columns]\ndate = "Day"', "columns has no date or no dish"),
        ('[columns]\ndate = "Day"\ndish = []', "columns.dish has no name"),
        ('header = "date"', 'header is not a list of names such as ["berg"]'),
        ('[defaults]\ndish = "Soup"', "defaults.dish is not one of category, location, meal"),
    ]:
        assert problem(dining_profile, text) == message, text


def test_a_code_must_map_to_an_id_and_a_name(dining_profile, problem):
    categories = '[categories]\nA = {id = 0, name = "Soup"}'
    profile = dining_profile(f'[locations]\nMATHER = {{id = 7, name = "Mather"}}\n{categories}')
    assert profile.locations == {"MATHER": NamedEntity(7, "Mather")}
    assert profile.categories == {"A": NamedEntity(0, "Soup")}
    incomplete = ["7", '"Mather"', "{}", "{id = 7}", '{name = "Mather"}', '{id = 7, name = "Mather", hall = "M"}']
    for table, meaning in product(("locations", "categories"), incomplete):
        text = f"[{table}]\n05 = {{id = 5, name = 'Cabot'}}\n07 = {meaning}"
        assert problem(dining_profile, text) == f'{table}.07 is not of the form {{id = 7, name = "a name"}}', meaning
    for meaning in (
        *(f'{{id = {id_}, name = "Mather"}}' for id_ in ('"7A"', "true", "-7", 2**63)),
        *(f"{{id = 7, name = {name}}}" for name in ("[]", '" "')),
        # Another meaning of a spelling of the same code.
        '{id = 8, name = "Quincy"}\n7 = {id = 7, name = "Mather"}',
    ):
        assert problem(dining_profile, f"[locations]\n07 = {meaning}").startswith("locations."), meaning


def test_a_provider_is_its_namespace_or_the_file_name_of_its_profile(dining_profile):
    for text, name in (("", "custom.toml"), ('namespace = "south"', "south")):
        assert dining_profile(text).provider_name == name, text
