import pytest

from campus_api.models import Named
from loaders import profiles
from loaders.documents.serving import MenuRow
from loaders.readers import dining
from tests.factories import TODAY, foodpro_row

PROFILE = profiles.load_dining_profile("foodpro")


def read(*paths):
    return dining.read(paths, PROFILE)


def items(reading):
    return [serving.item for serving in reading.records]


def test_a_row_becomes_a_serving(save_rows):
    [serving] = read(save_rows(foodpro_row())).records

    assert serving == MenuRow(
        date=TODAY,
        meal=0,
        location=Named(30, "Annenberg Hall"),
        category=Named(23, "Make Your Own Bar"),
        recipe=Named(31001, "Kashi Pilaf"),
    )


def test_csv_with_a_header_says_the_same_as_json(save_rows, save_csv):
    rows = [foodpro_row(), foodpro_row(Recipe_Number="048006", Recipe_Print_As_Name='Beans, "Boston" style')]

    assert read(save_csv(*rows)).records == read(save_rows(*rows)).records


@pytest.mark.parametrize(
    "spelling", [str.upper, str.lower, lambda key: f" {key} "], ids=["upper case", "lower case", "spaces"]
)
def test_the_spelling_of_keys_does_not_matter(save_rows, save_csv, spelling):
    row = {spelling(key): value for key, value in foodpro_row().items()}

    assert read(save_rows(row)).records == read(save_csv(row)).records == read(save_rows(foodpro_row())).records


def test_the_order_of_columns_and_columns_of_other_names_do_not_matter(save_csv):
    row = {"Allergens": "Wheat ", **dict(reversed(foodpro_row().items())), "Calories": "167"}

    assert read(save_csv(row)).records == read(save_csv(foodpro_row())).records


@pytest.mark.parametrize(
    ("number", "id_"), [("07", 7), ("7", 7), (7, 7), (7.0, 7), (" 07 ", 7), ("048006", 48006), ("00", 0), (0, 0)]
)
@pytest.mark.parametrize("kind", ["Location", "Menu_Category", "Recipe"])
def test_an_id_is_the_integer_value_of_the_providers_number(save_rows, kind, number, id_):
    [serving] = read(save_rows(foodpro_row(**{f"{kind}_Number": number}))).records

    found = {"Location": serving.location, "Menu_Category": serving.category, "Recipe": serving.recipe}
    assert found[kind].id == id_


@pytest.mark.parametrize(("number", "meal"), [("1", 0), ("2", 1), ("3", 2), (1, 0), (2, 1), (3, 2), ("03", 2)])
def test_meals_1_2_3_are_0_1_2_whatever_they_are_named(save_rows, number, meal):
    [serving] = read(save_rows(foodpro_row(Meal_Number=number, Meal_Name="Dinnner<br>"))).records

    assert serving.meal == meal


@pytest.mark.parametrize("date", ["03/01/2026", "3/1/2026", "2026-03-01", " 03/01/2026 "])
def test_dates_are_month_day_year_or_iso(save_rows, date):
    [serving] = read(save_rows(foodpro_row(Serve_Date=date))).records

    assert serving.date == "2026-03-01"


@pytest.mark.parametrize("key", ["Location_Name", "Menu_Category_Name", "Recipe_Print_As_Name"])
def test_names_lose_the_spaces_around_them(save_csv, key):
    [serving] = read(save_csv(foodpro_row(**{key: " Brown   Rice  "}))).records

    assert "Brown Rice" in (serving.location.name, serving.category.name, serving.recipe.name)


@pytest.mark.parametrize("name", ["", "   ", None])
def test_a_recipe_without_a_name_for_print_has_its_other_name(save_rows, name):
    [serving] = read(save_rows(foodpro_row(Recipe_Print_As_Name=name))).records

    assert serving.recipe.name == "CEREAL KASHI PILAF VGN"


def test_rows_may_have_no_name_for_print(save_rows):
    row = foodpro_row()
    del row["Recipe_Print_As_Name"]

    [serving] = read(save_rows(row)).records

    assert serving.recipe.name == "CEREAL KASHI PILAF VGN"


def test_the_number_of_the_row_says_nothing(save_rows):
    reading = read(save_rows(foodpro_row(ID="1"), foodpro_row(ID="2")))

    assert (len(reading.records), reading.duplicates) == (1, 1)


def test_a_recipe_in_two_categories_of_a_meal_is_two_items(save_rows):
    reading = read(save_rows(foodpro_row(Menu_Category_Number="23"), foodpro_row(Menu_Category_Number="24")))

    assert [item.category for item in items(reading)] == [23, 24]


@pytest.mark.parametrize(
    "other",
    [{"Serve_Date": "11/21/2026"}, {"Meal_Number": "2"}, {"Location_Number": "7"}, {"Recipe_Number": "031002"}],
)
def test_rows_that_differ_in_what_is_served_where_and_when_are_two_items(save_rows, other):
    reading = read(save_rows(foodpro_row(), foodpro_row(**other)))

    assert (len(reading.records), reading.duplicates) == (2, 0)


def test_exact_duplicates_are_counted_and_kept_once_in_their_first_place(save_rows):
    pilaf, rice = foodpro_row(), foodpro_row(Recipe_Number="2", Recipe_Print_As_Name="Brown Rice")

    reading = read(save_rows(pilaf, rice, pilaf), save_rows(rice, name="again.json"))

    assert [item.name for item in items(reading)] == ["Kashi Pilaf", "Brown Rice"]
    assert reading.duplicates == 2


def test_servings_come_in_the_order_of_the_files(save_rows):
    second = save_rows(foodpro_row(Recipe_Number="1"), name="a.json")
    first = save_rows(foodpro_row(Recipe_Number="3"), foodpro_row(Recipe_Number="2"), name="b.json")

    assert [item.recipe for item in items(read(first, second))] == [3, 2, 1]


def test_every_file_is_a_source(save_rows):
    reading = read(save_rows(foodpro_row(), name="monday.json"), save_rows(foodpro_row(), name="tuesday.json"))

    assert [source["file"] for source in reading.sources] == ["monday.json", "tuesday.json"]


@pytest.fixture
def merged(save):
    """A profile in which two numbers share a kitchen, and so do the numbers of two categories."""
    house = '{id = 7, name = "Dunster and Mather House"}'
    locations = f'[locations]\n"07" = {house}\n"10" = {house}\n'
    categories = '[categories]\n"99" = {id = 23, name = "Bar"}\n'
    return profiles.load_dining_profile(str(save(f'format = "foodpro"\n{locations}{categories}', "own.toml")))


@pytest.mark.parametrize("number", ["07", "10", 10])
def test_halls_that_share_a_kitchen_have_one_id_and_name(save_rows, merged, number):
    path = save_rows(foodpro_row(Location_Number=number, Location_Name="Dunster House"))

    [serving] = dining.read([path], merged).records

    assert serving.location == Named(7, "Dunster and Mather House")


@pytest.mark.parametrize("number", [7, "7", "007", "010", 10.0])
def test_the_table_of_a_profile_knows_a_number_however_it_is_padded(save_rows, merged, number):
    path = save_rows(foodpro_row(Location_Number=number, Location_Name="Dunster House"))

    [serving] = dining.read([path], merged).records

    assert serving.location == Named(7, "Dunster and Mather House")


def test_a_hall_that_the_table_does_not_have_keeps_its_own_id_and_name(save_rows, merged):
    path = save_rows(foodpro_row(Location_Number="30", Location_Name="Annenberg Hall"))

    [serving] = dining.read([path], merged).records

    assert serving.location == Named(30, "Annenberg Hall")


def test_the_same_serving_in_both_halls_of_a_kitchen_is_one(save_rows, merged):
    path = save_rows(foodpro_row(Location_Number="07"), foodpro_row(Location_Number="10"))

    reading = dining.read([path], merged)

    assert (len(reading.records), reading.duplicates) == (1, 1)


def test_the_table_gives_a_name_to_a_row_without_one(save_rows, merged):
    path = save_rows(foodpro_row(Menu_Category_Number="99", Menu_Category_Name=""))

    [serving] = dining.read([path], merged).records

    assert serving.category == Named(23, "Bar")
