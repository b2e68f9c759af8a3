"""Names, numbers and dates of FoodPro rows as providers really write them."""

import pytest

from campus_api.models import Named
from loaders import profiles
from loaders.profiles import ProfileError
from loaders.readers import dining
from tests.factories import TODAY, foodpro_row

PROFILE = profiles.load_dining_profile("foodpro")
HOUSE = '{id = 7, name = "Dunster and Mather House"}'


def read(*paths, profile=PROFILE):
    return dining.read(paths, profile)


def recipe_of(path):
    [serving] = read(path).records
    return serving.recipe.name


def warnings(reading):
    return [(problem.location.line, problem.message, times) for problem, times in reading.warnings.values()]


@pytest.fixture
def profile_of(save):
    """Return a profile of FoodPro rows with this table of locations."""
    return lambda table: profiles.load_dining_profile(
        str(save(f'format = "foodpro"\n[locations]\n{table}\n', "own.toml"))
    )


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Mac &amp; Cheese", "Mac & Cheese"),
        ("Mac &amp;amp; Cheese", "Mac & Cheese"),
        ("Mac &amp;amp;amp; Cheese", "Mac & Cheese"),
        ("Mac & Cheese", "Mac & Cheese"),
        ("M&Ms", "M&Ms"),
        ("Jalape&ntilde;o", "Jalapeño"),
        ("Cr&#232;me Br&#xFB;l&eacute;e", "Crème Brûlée"),
        ("Rice&nbsp;Pilaf", "Rice Pilaf"),
        ("&nbsp; Rice &#160;", "Rice"),
        ("Rice<br>Pilaf", "Rice Pilaf"),
        ("Rice<br/>", "Rice"),
        ("<b>Rice</b> <i class='x'>Pilaf</i>", "Rice Pilaf"),
        ("Rice&lt;br&gt;Pilaf", "Rice Pilaf"),
        ("Rice &amp;lt;BR /&amp;gt; Pilaf", "Rice Pilaf"),
        ("Chicken < 3 oz > Rice", "Chicken < 3 oz > Rice"),
        ("Chicken <3 oz>", "Chicken <3 oz>"),
        ("Chef&rsquo;s Choice", "Chef’s Choice"),
        ("12&quot; Pizza", '12" Pizza'),
        ("Fish &unknown; Chips", "Fish &unknown; Chips"),
    ],
)
def test_html_in_a_name_is_read_as_text(save_rows, written, name):
    assert recipe_of(save_rows(foodpro_row(Recipe_Print_As_Name=written))) == name


@pytest.mark.parametrize("kind", ["Location", "Menu_Category"])
def test_html_in_names_of_halls_and_categories_is_read_as_text(save_rows, kind):
    [serving] = read(save_rows(foodpro_row(**{f"{kind}_Name": "Sauces &amp; Gravies<br>"}))).records

    assert "Sauces & Gravies" in (serving.location.name, serving.category.name)


@pytest.mark.parametrize("printed", ["<br>", "&nbsp;", "<b> </b>", "&lt;br&gt;"])
def test_a_name_of_nothing_but_html_is_none(save_rows, printed):
    assert recipe_of(save_rows(foodpro_row(Recipe_Print_As_Name=printed))) == "CEREAL KASHI PILAF VGN"


def test_a_row_without_any_name_is_bad(save_rows):
    [problem] = read(save_rows(foodpro_row(Recipe_Print_As_Name="<br>", Recipe_Name="&nbsp;"))).errors

    assert problem.message == "Recipe_Name is missing"


@pytest.mark.parametrize("written", ["Rice\x00", "&#1;Rice\x01"])
def test_a_control_character_is_bad_also_beside_html(save_rows, written):
    [problem] = read(save_rows(foodpro_row(Recipe_Print_As_Name=written))).errors

    assert (problem.field, problem.reason) == ("Recipe_Print_As_Name", "has a control character")


@pytest.mark.parametrize("name", ["Decaf&regular Coffee", "Peas&parakeets", "Rice&notes"])
def test_an_ampersand_before_a_word_is_no_entity(save_rows, name):
    assert recipe_of(save_rows(foodpro_row(Recipe_Print_As_Name=name))) == name


@pytest.mark.parametrize(
    ("number", "name"),
    [
        ("1", "Breakfast"),
        ("1", "BREAKFAST"),
        ("1", "Continental Breakfast"),
        ("2", "Lunch"),
        ("2", "LUNCH ENTREES"),
        ("3", "Dinner"),
        ("3", "Dinnner"),
        ("3", "Supper"),
        ("3", "Dinner<br>"),
        ("1", "Brunch"),
        ("2", "Brunch"),
        ("2", "Lunch/Dinner"),
        ("3", "Lunch &amp; Dinner"),
        ("1", "Meal 3"),
        ("1", ""),
        ("1", None),
        (1, 1),
    ],
)
def test_a_meals_name_that_fits_or_that_nobody_knows_is_fine(save_rows, number, name):
    reading = read(save_rows(foodpro_row(Meal_Number=number, Meal_Name=name)))

    assert (reading.warnings, reading.errors) == ({}, [])


@pytest.mark.parametrize(
    ("number", "name", "means"),
    [("1", "Dinner", "breakfast"), ("2", "Breakfast", "lunch"), ("3", "LUNCH", "dinner"), (3, "Lunch", "dinner")],
)
def test_a_meals_name_that_belongs_to_another_number_is_a_warning(save_rows, number, name, means):
    reading = read(save_rows(foodpro_row(Meal_Number=number, Meal_Name=name)))

    said = f"Meal_Name {name!r} contradicts Meal_Number {number} ({means}); the number is used"
    assert (warnings(reading), [serving.meal for serving in reading.records]) == ([(1, said, 1)], [int(number) - 1])


def test_a_warning_is_given_once_with_its_first_place_and_a_count(save_csv):
    fine, odd = foodpro_row(Recipe_Number="9"), foodpro_row(Meal_Name="Lunch")

    reading = read(save_csv(fine, odd, odd, foodpro_row(Recipe_Number="2", Meal_Name="Lunch")))

    said = "Meal_Name 'Lunch' contradicts Meal_Number 1 (breakfast); the number is used"
    assert warnings(reading) == [(3, said, 3)]


def test_people_are_told_how_often_something_is_odd(campus_load, save_csv):
    rows = [foodpro_row(Recipe_Number=number, Meal_Name="Lunch") for number in "12"]

    ended = campus_load("dining", save_csv(*rows, foodpro_row(Recipe_Number="3", Meal_Name="Dinner")))

    said = "Meal_Name '{}' contradicts Meal_Number 1 (breakfast); the number is used"
    assert ended.stderr.splitlines() == [
        f"warning: foodpro.csv, line 2: {said.format('Lunch')} (2 times)",
        f"warning: foodpro.csv, line 4: {said.format('Dinner')}",
    ]


@pytest.mark.parametrize("number", ["10", "07", "7", "8", 7, 8.0])
def test_numbers_that_share_a_kitchen_have_its_name_its_own_too(save_rows, profile_of, number):
    profile = profile_of(f'"10" = {HOUSE}\n"8" = {HOUSE}')

    [serving] = read(save_rows(foodpro_row(Location_Number=number, Location_Name="Decoy")), profile=profile).records

    assert serving.location == Named(7, "Dunster and Mather House")


def test_a_row_of_its_own_for_the_number_of_a_kitchen_counts(save_rows, profile_of):
    profile = profile_of(f'"10" = {HOUSE}\n"7" = {{id = 12, name = "Quincy House"}}')

    [serving] = read(save_rows(foodpro_row(Location_Number="07")), profile=profile).records

    assert serving.location == Named(12, "Quincy House")


def test_two_names_for_one_id_are_a_mistake(profile_of):
    with pytest.raises(ProfileError) as error:
        profile_of(f'"10" = {HOUSE}\n"11" = {{id = 7, name = "Mather House"}}')

    assert str(error.value).endswith("own.toml: locations has two names for the id 7")


@pytest.mark.parametrize("date", ["11/20/2026", "2026-11-20", " 11/20/2026 "])
def test_dates_are_american_or_iso(save_rows, date):
    assert [serving.date for serving in read(save_rows(foodpro_row(Serve_Date=date))).records] == [TODAY]


def test_a_date_may_lack_its_zeros(save_rows):
    assert [serving.date for serving in read(save_rows(foodpro_row(Serve_Date="7/4/2026"))).records] == ["2026-07-04"]


@pytest.mark.parametrize("date", ["20.11.2026", "20/11/2026", "11/20/26", "2026-11-20T00:00", "20261120", 20261120])
def test_a_date_in_another_notation_is_bad(save_rows, date):
    [problem] = read(save_rows(foodpro_row(Serve_Date=date))).errors

    assert (problem.field, problem.reason) == ("Serve_Date", "is not a date written MM/DD/YYYY")


@pytest.mark.parametrize("key", ["Meal_Number", "Location_Number", "Menu_Category_Number", "Recipe_Number"])
@pytest.mark.parametrize("value", [True, False, [1], {"a": 1}])
def test_a_number_that_is_true_is_bad(save_rows, key, value):
    reading = read(save_rows(foodpro_row(**{key: 1}), foodpro_row(**{key: value})))

    assert [problem.message for problem in reading.errors] == [f"{key} {value!r} is neither text nor a number"]
