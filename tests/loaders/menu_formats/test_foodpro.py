import json
from itertools import product

import pytest

from campus_api.domain.models import NamedEntity
from loaders import profiles
from loaders.documents.serving import MenuRow
from loaders.readers import detect_profile, dining
from tests.factories import TODAY, foodpro_row
from tests.loaders.errors import error_of

PROFILE = profiles.load_dining_profile("foodpro")
HOUSE = NamedEntity(7, "Dunster and Mather House")
TABLE = '{id = 7, name = "Dunster and Mather House"}'


def read(*paths, profile=PROFILE):
    return dining.read(paths, profile)


@pytest.fixture
def load_profile(save):
    """Return a profile of FoodPro rows with these tables."""
    return lambda text: profiles.load_dining_profile(str(save(f'format = "foodpro"\n{text}\n', "custom.toml")))


def test_a_row_becomes_a_menu_row(save_rows):
    [row] = read(save_rows(foodpro_row())).records

    annenberg, bar = NamedEntity(30, "Annenberg Hall"), NamedEntity(23, "Make Your Own Bar")
    assert row == MenuRow(TODAY, 0, annenberg, bar, NamedEntity(31001, "Kashi Pilaf"))


def test_the_spelling_and_the_order_of_columns_and_unknown_ones_do_not_matter(save_rows, save_csv):
    quoted = {"Recipe_Print_As_Name": 'Beans, "Boston" style'}
    expected = read(save_rows(foodpro_row(**quoted))).records
    for spell in (str.upper, lambda key: f" {key.replace('_', '  ')} ", lambda key: key.replace("_", "-").lower()):
        row = {spell(key): value for key, value in reversed(foodpro_row(**quoted).items())} | {"Unknown": "167"}

        assert read(save_rows(row)).records == read(save_csv(row)).records == expected, [*row]
    assert detect_profile(json.dumps([{"Serve Date": "11/20/2026", "Recipe Name": "Soup"}])) == "foodpro"
    row = foodpro_row()
    del row["Recipe_Print_As_Name"]
    assert [each.recipe.name for each in read(save_rows(row)).records] == ["CEREAL KASHI PILAF VGN"]


def test_an_id_is_the_integer_value_of_the_providers_number(save_rows):
    numbers = {"07": 7, "7": 7, 7: 7, " 07 ": 7, "048006": 48006, "00": 0, 0: 0}
    for (number, id_), kind in product([*numbers.items(), (7.0, 7)], ["Location", "Menu_Category", "Recipe"]):
        [row] = read(save_rows(foodpro_row(**{f"{kind}_Number": number}))).records

        entities = {"Location": row.location, "Menu_Category": row.category, "Recipe": row.recipe}
        assert entities[kind].id == id_, (kind, number)


def test_rows_that_differ_in_a_key_field_are_two_items_and_others_are_duplicates(save_rows):
    keys = {"Serve_Date": "11/21/2026", "Meal_Number": "2", "Location_Number": "7", "Menu_Category_Number": "24"}
    for field, value in {**keys, "Recipe_Number": "031002", "ID": "2"}.items():
        result = read(save_rows(foodpro_row(), foodpro_row(**{field: value})))

        duplicates = int(field == "ID")
        assert (len(result.records), result.duplicates) == (2 - duplicates, duplicates), field


def test_numbers_may_be_mapped_to_an_id_and_a_name_with_any_zero_padding(save_rows, load_profile):
    categories = '[categories]\n"99" = {id = 23, name = "Bar"}'
    merged = load_profile(f'[locations]\n"07" = {TABLE}\n"10" = {TABLE}\n{categories}')
    rows = [foodpro_row(Location_Number=number) for number in ("07", "10", 10, 7, "7", "007", "010", 10.0)]
    bar = foodpro_row(Menu_Category_Number="99", Menu_Category_Name="")

    for row in rows:
        assert [each.location for each in read(save_rows(row), profile=merged).records] == [HOUSE], row
    assert read(save_rows(*rows), profile=merged).duplicates == len(rows) - 1
    [row] = read(save_rows(bar), profile=merged).records
    assert (row.category, row.location) == (NamedEntity(23, "Bar"), NamedEntity(30, "Annenberg Hall"))


def test_the_number_of_a_mapped_id_has_its_name_unless_it_is_mapped_itself(save_rows, load_profile):
    locations = f'[locations]\n"10" = {TABLE}\n'
    for table, location in [
        (locations, HOUSE),
        (f'{locations}"7" = {{id = 12, name = "Quincy House"}}', NamedEntity(12, "Quincy House")),
    ]:
        path = save_rows(foodpro_row(Location_Number="07", Location_Name="Decoy"))
        assert [row.location for row in read(path, profile=load_profile(table)).records] == [location]
    message = str(error_of(load_profile, f'{locations}"11" = {{id = 7, name = "Mather House"}}'))
    assert message.endswith("custom.toml: locations has two names for the id 7")
