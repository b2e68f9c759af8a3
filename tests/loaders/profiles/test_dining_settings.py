from loaders.menu_formats.campus import CampusDining
from tests.loaders.errors import error_of


def test_settings_are_read(dining_profile):
    profile = dining_profile('encoding = "cp1252"\ndelimiter = "\\t"\ndate_format = "%d/%m/%Y"\n')

    assert (profile.encoding, profile.delimiter, profile.date_format) == ("cp1252", "\t", "%d/%m/%Y")
    profile = dining_profile("")
    assert (profile.encoding, profile.delimiter, profile.date_format, profile.meals) == ("", "", "", {})
    # It may have a byte order mark.
    assert dining_profile('encoding = "UTF8"').encoding == "utf-8-sig"


def test_meals_are_numbers_or_names(dining_profile):
    assert dining_profile('[meals]\n"Late  NIGHT" = 3\n07 = 1\n"9.0" = 2\n').meals == {"late night": 3, "7": 1, "9": 2}


def test_an_invalid_setting_is_an_error(dining_profile, problem):
    no_delimiter = "is not one character such as ; or \\t"
    no_format = "is not a format with day, month and year, such as %d/%m/%Y"
    for text, message in [
        ("encoding = 7", "encoding is not text"),
        ('encoding = "latin-9000"', "encoding 'latin-9000' is not an encoding that Python knows, such as cp1252"),
        ('encoding = "hex"', "encoding 'hex' is not an encoding that Python knows, such as cp1252"),
        *((f"delimiter = '{text}'", f"delimiter {text!r} {no_delimiter}") for text in (";;", "", '"', "a")),
        *((f"date_format = '{text}'", f"date_format '{text}' {no_format}") for text in ("%d/%m", "%Q")),
        ('date_format = "%d\\u0000%m%Y"', f"date_format '%d\\x00%m%Y' {no_format}"),
        ("[meals]\n7 = 10", "meals.7 10 is not a number from 0 to 9"),
        ('[meals]\n7 = "lunch"', "meals.7 'lunch' is not a number from 0 to 9"),
        ("[meals]\n7 = 1\n07 = 2", "meals.07 is defined twice"),
        ('[meals]\n7 = {id = 10, name = "Tea"}', "meals.7 10 is not a number from 0 to 9"),
        ("[meals]\n7 = {id = 3}", 'meals.7 is not of the form {id = 7, name = "a name"}'),
        ("meals = 7", "meals is not a table"),
        ("[units]\nCUP = 1", "units.CUP is not text"),
        ('[units]\nCUP = ["cup"]', "units.CUP is neither a text nor a list of two"),
        ('[labels]\nVGN = "\\u0007"', "labels.VGN '\\x07' has a control character"),
    ]:
        assert problem(dining_profile, text) == message, text


def test_a_label_that_is_a_table_as_in_older_profiles_has_its_name(dining_profile):
    table = '[labels]\nVGN = {name = "vegan", implies = ["VGT"]}\nVGT = "vegetarian"'

    assert dining_profile(table).labels == {"VGN": "vegan", "VGT": "vegetarian"}


def test_a_table_that_a_format_has_no_use_for_is_an_error(dining_profile):
    for table, content in [("facts", 'sodium = "Sodium"'), ("columns", 'date = "a"\ndish = "b"')]:
        profile = dining_profile(f"[{table}]\n{content}\n", "campus-dining")
        assert f"campus-dining has no use for {table}" in str(error_of(CampusDining, profile)), table


def test_a_profile_has_the_settings_of_the_built_in_one_but_for_its_own(dining_profile):
    own = '"17" = {id = 17, name = "Sweets"}\n"SNACKS" = {id = 1, name = "Snacks"}\n'
    profile = dining_profile(f"[categories]\n{own}[meals]\nBRN = 1\n", "huds")

    assert (profile.format, profile.provider, profile.header[0]) == ("menu-table", "huds", "date")
    names = {code: profile.categories[code].name for code in ("0", "17", "SNACKS") if code in profile.categories}
    assert (profile.locations["ANNENBERG"].id, names) == (30, {"0": "Other", "17": "Sweets", "SNACKS": "Snacks"})
    # Its id is another one's.
    assert "1" not in profile.categories
    assert (profile.meals, profile.usual_meals) == ({"brn": 1}, {"brk": 0, "lun": 1, "din": 2})
