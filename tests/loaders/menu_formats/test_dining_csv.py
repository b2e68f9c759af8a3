"""Dining exports that are not UTF-8 with commas, months before days and FoodPro's meals."""

import csv
import json
from dataclasses import replace
from io import StringIO

import pytest

from loaders import profiles
from loaders.errors import UnreadableFileError
from loaders.readers import detect_profile, dining
from loaders.sources.files import read_head
from tests.factories import TODAY, foodpro_row, huds_line

FOODPRO = profiles.load_dining_profile("foodpro")
HUDS = profiles.load_dining_profile("huds")


@pytest.fixture
def save_table(save):
    """Save FoodPro rows as CSV with a delimiter and an encoding."""

    def save_table(*rows, delimiter=",", encoding="utf-8"):
        text = StringIO(newline="")
        writer = csv.DictWriter(text, rows[0], delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
        return save(text.getvalue().encode(encoding), "menus.csv")

    return save_table


def read(path, profile=FOODPRO, **settings):
    return dining.read([path], replace(profile, **settings))


def names(result):
    assert result.errors == []
    return [row.recipe.name for row in result.records]


def details(result):
    return {name: value for name, value in result.sources[0].items() if name not in ("file", "sha256")}


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_the_delimiter_is_detected(save_table, delimiter):
    result = read(save_table(foodpro_row(Recipe_Print_As_Name="Beans, baked"), delimiter=delimiter))

    assert (names(result), details(result)) == (["Beans, baked"], {"delimiter": delimiter})


def test_the_delimiter_of_huds_is_detected(save):
    result = read(save(huds_line().replace(",", ";")), HUDS)

    assert (names(result), details(result)) == (["Kashi Pilaf"], {"delimiter": ";"})


def test_the_delimiter_can_be_set(save_table):
    path = save_table(foodpro_row(), delimiter=":")

    assert names(read(path, delimiter=":")) == ["Kashi Pilaf"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_format_is_detected_with_any_delimiter(save_table, delimiter):
    assert detect_profile(read_head(save_table(foodpro_row(), delimiter=delimiter))) == "foodpro"


@pytest.mark.parametrize("spelling", ["Serve Date", "serve-date", " SERVE  DATE "])
def test_headers_may_have_spaces(save_table, save_rows, spelling):
    row = {spelling if key == "Serve_Date" else key.replace("_", " "): value for key, value in foodpro_row().items()}

    assert names(read(save_table(row))) == names(read(save_rows(row))) == ["Kashi Pilaf"]


def test_the_format_of_json_with_spaces_in_its_keys_is_detected():
    assert detect_profile(json.dumps([{"Serve Date": "11/20/2026", "Recipe Name": "Soup"}])) == "foodpro"


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
@pytest.mark.parametrize("name", ["Crème Brûlée", "Jalapeño", "Café"])
def test_the_encoding_is_detected(save_table, encoding, name):
    result = read(save_table(foodpro_row(Recipe_Print_As_Name=name), encoding=encoding))

    assert (names(result), details(result)) == ([name], {"encoding": encoding})


def test_a_typographic_apostrophe_is_a_sign_of_cp1252(save_table):
    result = read(save_table(foodpro_row(Recipe_Print_As_Name="Chef’s Choice – Entrée"), encoding="cp1252"))

    assert names(result) == ["Chef’s Choice – Entrée"]


@pytest.mark.parametrize("encoding", ["mac-roman", "cp437"])
def test_another_encoding_is_an_error_that_names_the_setting(save_table, encoding):
    path = save_table(foodpro_row(Recipe_Print_As_Name="Crème Brûlée"), encoding=encoding)

    with pytest.raises(UnreadableFileError, match="is not UTF-8 .*, or set encoding in the profile"):
        read(path)


def test_the_encoding_can_be_set(save_table):
    path = save_table(foodpro_row(Recipe_Print_As_Name="Crème Brûlée"), encoding="mac-roman")

    result = read(path, encoding="mac-roman")

    assert (names(result), details(result)) == (["Crème Brûlée"], {"encoding": "mac-roman"})


def test_a_byte_that_the_encoding_does_not_have_is_an_error(save):
    with pytest.raises(UnreadableFileError, match="line 1 is not cp1252 \\(byte 0x81\\)"):
        read(save(b"Serve_Date\x81\n"), encoding="cp1252")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "idna", "punycode"])
def test_a_file_that_its_encoding_does_not_fit_is_an_error(save_table, encoding):
    path = save_table(foodpro_row(Recipe_Print_As_Name="Crème Brûlée"))

    with pytest.raises(UnreadableFileError, match=f"menus.csv: .*is not {encoding}.*: "):
        read(path, encoding=encoding)


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_the_format_is_detected_in_any_encoding(save_table, encoding):
    path = save_table(foodpro_row(Recipe_Print_As_Name="Crème Brûlée"), encoding=encoding)

    assert detect_profile(read_head(path)) == "foodpro"


def test_days_before_months_are_detected(save_table):
    rows = [foodpro_row(Serve_Date=f"{day:02}/11/2026") for day in range(9, 14)]

    result = read(save_table(*rows))

    assert [row.date for row in result.records] == [f"2026-11-{day:02}" for day in range(9, 14)]
    assert (result.errors, details(result)) == ([], {"date_format": "%d/%m/%Y"})


def test_days_before_months_are_detected_in_huds(save):
    result = read(save(huds_line(date="20/11/2026")), HUDS)

    assert [row.date for row in result.records] == [TODAY]


def test_a_date_that_may_have_its_day_first_is_an_error_that_names_the_setting(save_table):
    result = read(save_table(foodpro_row(Serve_Date="11/20/2026"), foodpro_row(Serve_Date="20/11/2026")))

    reason = "is not a date written MM/DD/YYYY; if it is DD/MM/YYYY, set date_format in the profile"
    assert [error.reason for error in result.errors] == [reason]


def test_the_date_format_can_be_set(save_table):
    path = save_table(foodpro_row(Serve_Date="10/11/2026"))

    assert [row.date for row in read(path, date_format="%d/%m/%Y").records] == ["2026-11-10"]


def test_a_date_in_another_format_than_the_one_set_is_an_error(save_table):
    [error] = read(save_table(foodpro_row(Serve_Date="2026-11-20")), date_format="%d.%m.%Y").errors

    assert error.reason == "is not a date written DD.MM.YYYY"


def test_meals_numbered_from_0_are_detected(save_table):
    meals = [("0", "Breakfast"), ("1", "Lunch"), ("2", "Dinner")]

    result = read(save_table(*(foodpro_row(Meal_Number=number, Meal_Name=name) for number, name in meals)))

    assert [row.meal for row in result.records] == [0, 1, 2]
    assert details(result) == {"meals": "0 breakfast, 1 lunch, 2 dinner"}


@pytest.mark.parametrize(
    ("number", "name", "meal"),
    [
        ("4", "Late  Night", 3),
        ("3", "Late Night", 3),
        ("", "Late Night", 3),
        ("07", "Dinner", 1),
        ("7", "Late Night", 1),
        ("2", "Lunch", 1),
    ],
)
def test_the_table_of_meals_is_looked_up_by_number_then_by_name(save_table, number, name, meal):
    path = save_table(foodpro_row(Meal_Number=number, Meal_Name=name))

    result = read(path, meals={"late night": 3, "7": 1})

    assert ([row.meal for row in result.records], result.errors, result.warnings) == ([meal], [], {})


def test_a_meal_that_is_not_in_the_table_is_an_error(save_table):
    [error] = read(save_table(foodpro_row(Meal_Number="4")), meals={"7": 1}).errors

    assert error.field == "Meal_Number"


def test_codes_of_huds_can_be_mapped(save):
    assert [row.meal for row in read(save(huds_line(meal="BRN")), HUDS, meals={"brn": 1}).records] == [1]
