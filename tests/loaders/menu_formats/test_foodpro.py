import pytest

from campus_api.domain.models import NamedEntity
from loaders import profiles
from loaders.documents.serving import MenuRow
from loaders.readers import dining
from tests.factories import TODAY, foodpro_row

PROFILE = profiles.load_dining_profile("foodpro")


def read(*paths):
    return dining.read(paths, PROFILE)


def test_a_row_becomes_a_menu_row(save_rows):
    [row] = read(save_rows(foodpro_row())).records

    assert row == MenuRow(
        date=TODAY,
        meal=0,
        location=NamedEntity(30, "Annenberg Hall"),
        category=NamedEntity(23, "Make Your Own Bar"),
        recipe=NamedEntity(31001, "Kashi Pilaf"),
    )


def test_csv_and_json_are_equivalent(save_rows, save_csv):
    rows = [foodpro_row(), foodpro_row(Recipe_Number="048006", Recipe_Print_As_Name='Beans, "Boston" style')]

    assert read(save_csv(*rows)).records == read(save_rows(*rows)).records


@pytest.mark.parametrize(
    "spelling", [str.upper, str.lower, lambda key: f" {key} "], ids=["upper case", "lower case", "spaces"]
)
def test_keys_are_matched_in_any_case(save_rows, save_csv, spelling):
    row = {spelling(key): value for key, value in foodpro_row().items()}

    assert read(save_rows(row)).records == read(save_csv(row)).records == read(save_rows(foodpro_row())).records


def test_column_order_and_unknown_columns_are_ignored(save_csv):
    row = {"Allergens": "Wheat ", **dict(reversed(foodpro_row().items())), "Calories": "167"}

    assert read(save_csv(row)).records == read(save_csv(foodpro_row())).records


@pytest.mark.parametrize(
    ("number", "id_"), [("07", 7), ("7", 7), (7, 7), (7.0, 7), (" 07 ", 7), ("048006", 48006), ("00", 0), (0, 0)]
)
@pytest.mark.parametrize("kind", ["Location", "Menu_Category", "Recipe"])
def test_an_id_is_the_integer_value_of_the_providers_number(save_rows, kind, number, id_):
    [row] = read(save_rows(foodpro_row(**{f"{kind}_Number": number}))).records

    entities = {"Location": row.location, "Menu_Category": row.category, "Recipe": row.recipe}
    assert entities[kind].id == id_


@pytest.mark.parametrize(("number", "meal"), [("1", 0), ("2", 1), ("3", 2), (1, 0), (2, 1), (3, 2), ("03", 2)])
def test_meal_numbers_1_2_3_become_0_1_2(save_rows, number, meal):
    [row] = read(save_rows(foodpro_row(Meal_Number=number, Meal_Name="Dinnner<br>"))).records

    assert row.meal == meal


@pytest.mark.parametrize("date", ["03/01/2026", "3/1/2026", "2026-03-01", " 03/01/2026 "])
def test_dates_are_month_day_year_or_iso(save_rows, date):
    [row] = read(save_rows(foodpro_row(Serve_Date=date))).records

    assert row.date == "2026-03-01"


@pytest.mark.parametrize("key", ["Location_Name", "Menu_Category_Name", "Recipe_Print_As_Name"])
def test_names_are_stripped(save_csv, key):
    [row] = read(save_csv(foodpro_row(**{key: " Brown   Rice  "}))).records

    assert "Brown Rice" in (row.location.name, row.category.name, row.recipe.name)


@pytest.mark.parametrize("name", ["", "   ", None])
def test_a_recipe_without_a_print_as_name_has_its_recipe_name(save_rows, name):
    [row] = read(save_rows(foodpro_row(Recipe_Print_As_Name=name))).records

    assert row.recipe.name == "CEREAL KASHI PILAF VGN"


def test_the_print_as_name_is_optional(save_rows):
    row = foodpro_row()
    del row["Recipe_Print_As_Name"]

    [row] = read(save_rows(row)).records

    assert row.recipe.name == "CEREAL KASHI PILAF VGN"


def test_the_row_number_is_ignored(save_rows):
    result = read(save_rows(foodpro_row(ID="1"), foodpro_row(ID="2")))

    assert (len(result.records), result.duplicates) == (1, 1)


def test_a_recipe_in_two_categories_of_a_meal_is_two_items(save_rows):
    result = read(save_rows(foodpro_row(Menu_Category_Number="23"), foodpro_row(Menu_Category_Number="24")))

    assert [row.category.id for row in result.records] == [23, 24]


@pytest.mark.parametrize(
    "other",
    [{"Serve_Date": "11/21/2026"}, {"Meal_Number": "2"}, {"Location_Number": "7"}, {"Recipe_Number": "031002"}],
)
def test_rows_that_differ_in_a_key_field_are_two_items(save_rows, other):
    result = read(save_rows(foodpro_row(), foodpro_row(**other)))

    assert (len(result.records), result.duplicates) == (2, 0)


def test_exact_duplicates_are_counted_and_the_first_one_is_imported(save_rows):
    pilaf, rice = foodpro_row(), foodpro_row(Recipe_Number="2", Recipe_Print_As_Name="Brown Rice")

    result = read(save_rows(pilaf, rice, pilaf), save_rows(rice, name="again.json"))

    assert [row.recipe.name for row in result.records] == ["Kashi Pilaf", "Brown Rice"]
    assert result.duplicates == 2


def test_rows_are_in_the_order_of_the_files(save_rows):
    second = save_rows(foodpro_row(Recipe_Number="1"), name="a.json")
    first = save_rows(foodpro_row(Recipe_Number="3"), foodpro_row(Recipe_Number="2"), name="b.json")

    assert [row.recipe.id for row in read(first, second).records] == [3, 2, 1]


def test_every_file_is_a_source(save_rows):
    result = read(save_rows(foodpro_row(), name="monday.json"), save_rows(foodpro_row(), name="tuesday.json"))

    assert [source["file"] for source in result.sources] == ["monday.json", "tuesday.json"]


@pytest.fixture
def merged(save):
    """A profile in which two numbers share a kitchen, and so do the numbers of two categories."""
    house = '{id = 7, name = "Dunster and Mather House"}'
    locations = f'[locations]\n"07" = {house}\n"10" = {house}\n'
    categories = '[categories]\n"99" = {id = 23, name = "Bar"}\n'
    return profiles.load_dining_profile(str(save(f'format = "foodpro"\n{locations}{categories}', "custom.toml")))


@pytest.mark.parametrize("number", ["07", "10", 10])
def test_halls_that_share_a_kitchen_have_one_id_and_name(save_rows, merged, number):
    path = save_rows(foodpro_row(Location_Number=number, Location_Name="Dunster House"))

    [row] = dining.read([path], merged).records

    assert row.location == NamedEntity(7, "Dunster and Mather House")


@pytest.mark.parametrize("number", [7, "7", "007", "010", 10.0])
def test_codes_match_with_any_zero_padding(save_rows, merged, number):
    path = save_rows(foodpro_row(Location_Number=number, Location_Name="Dunster House"))

    [row] = dining.read([path], merged).records

    assert row.location == NamedEntity(7, "Dunster and Mather House")


def test_a_hall_missing_from_the_table_has_the_id_and_name_of_the_row(save_rows, merged):
    path = save_rows(foodpro_row(Location_Number="30", Location_Name="Annenberg Hall"))

    [row] = dining.read([path], merged).records

    assert row.location == NamedEntity(30, "Annenberg Hall")


def test_an_item_in_both_halls_of_a_kitchen_is_a_duplicate(save_rows, merged):
    path = save_rows(foodpro_row(Location_Number="07"), foodpro_row(Location_Number="10"))

    result = dining.read([path], merged)

    assert (len(result.records), result.duplicates) == (1, 1)


def test_the_table_names_a_row_without_a_name(save_rows, merged):
    path = save_rows(foodpro_row(Menu_Category_Number="99", Menu_Category_Name=""))

    [row] = dining.read([path], merged).records

    assert row.category == NamedEntity(23, "Bar")
