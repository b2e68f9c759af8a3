import pytest

from loaders import profiles
from loaders.menu_formats.huds import Huds
from loaders.profiles import ProfileError

FOODPRO = 'format = "foodpro"\n'


@pytest.fixture
def load(save):
    return lambda text: profiles.load_dining_profile(str(save(FOODPRO + text, "custom.toml")))


def test_settings_are_read(load):
    profile = load('encoding = "cp1252"\ndelimiter = "\\t"\ndate_format = "%d/%m/%Y"\n')

    assert (profile.encoding, profile.delimiter, profile.date_format) == ("cp1252", "\t", "%d/%m/%Y")


def test_settings_are_detected_by_default(load):
    profile = load("")

    assert (profile.encoding, profile.delimiter, profile.date_format, profile.meals) == ("", "", "", {})


def test_utf_8_may_have_a_byte_order_mark(load):
    assert load('encoding = "UTF8"').encoding == "utf-8-sig"


def test_meals_are_numbers_or_names(load):
    assert load('[meals]\n"Late  NIGHT" = 3\n07 = 1\n').meals == {"late night": 3, "7": 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("encoding = 7", "encoding is not text"),
        ('encoding = "latin-9000"', "encoding 'latin-9000' is not an encoding that Python knows, such as cp1252"),
        ('encoding = "hex"', "encoding 'hex' is not an encoding that Python knows, such as cp1252"),
        ('delimiter = ";;"', "delimiter ';;' is not one character such as ; or \\t"),
        ('delimiter = ""', "delimiter '' is not one character such as ; or \\t"),
        ("delimiter = '\"'", "delimiter '\"' is not one character such as ; or \\t"),
        ('delimiter = "a"', "delimiter 'a' is not one character such as ; or \\t"),
        ('date_format = "%d/%m"', "date_format '%d/%m' is not a format with day, month and year, such as %d/%m/%Y"),
        ('date_format = "%Q"', "date_format '%Q' is not a format with day, month and year, such as %d/%m/%Y"),
        (
            'date_format = "%d\\u0000%m%Y"',
            "date_format '%d\\x00%m%Y' is not a format with day, month and year, such as %d/%m/%Y",
        ),
        ("[meals]\n7 = 10", "meals.7 10 is not a number from 0 to 9"),
        ('[meals]\n7 = "lunch"', "meals.7 'lunch' is not a number from 0 to 9"),
        ("[meals]\n7 = 1\n07 = 2", "meals.07 is defined twice"),
        ("meals = 7", "meals is not a table"),
        ("facts = 7", "facts is not a table"),
        ("[facts]\nsodium = 7", "facts.sodium is not text"),
        ("labels = 7", "labels is not a table"),
        ("[labels]\nVGN = 7", "labels.VGN is not text"),
        ('[labels]\nVGN = "\\u0007"', "labels.VGN '\\x07' has a control character"),
        ("[labels.VGN]\nimplies = []", "labels.VGN.name is not text"),
        ('[labels.VGN]\nname = "vegan"\nimply = []', "labels.VGN.imply is not one of implies, name"),
        ('[labels.VGN]\nname = "vegan"\nimplies = "VGT"', "labels.VGN.implies is not a list of codes"),
        ('[labels.VGN]\nname = "vegan"\nimplies = [["VGT"]]', "labels.VGN.implies is not a list of codes"),
        ('[labels.VGN]\nname = "vegan"\nimplies = ["VGT"]', "labels.VGN.implies 'VGT' is not a code of the table"),
    ],
)
def test_an_invalid_setting_is_an_error(load, text, message):
    with pytest.raises(ProfileError) as error:
        load(text)

    assert str(error.value).endswith(f"custom.toml: {message}")


def test_labels_imply_others_and_those_that_these_imply(load):
    profile = load('[labels]\nC = "c"\nA = {name = "a", implies = ["B"]}\nB = {name = "b", implies = ["C", "A"]}')

    assert {code: [each.code for each in label.implies] for code, label in profile.labels.items()} == {
        "C": [],
        "A": ["B", "C"],
        "B": ["C", "A"],
    }
    assert profile.labels["A"].implies[0].name == "b"


def test_an_unknown_fact_is_an_error(load):
    with pytest.raises(ProfileError, match="facts.salt is not one of allergens, calories, calories_from_fat, "):
        load('[facts]\nsalt = "Salt"')


@pytest.mark.parametrize(
    ("table", "content"), [("facts", 'sodium = "Sodium"'), ("labels", 'VGN = "vegan"'), ("notes", "vegan = {}")]
)
def test_a_table_that_a_format_has_no_use_for_is_an_error(save, table, content):
    profile = profiles.load_dining_profile(str(save(f'format = "huds"\n[{table}]\n{content}\n', "custom.toml")))

    with pytest.raises(ProfileError, match=f"huds has no use for the table {table}"):
        Huds(profile)
