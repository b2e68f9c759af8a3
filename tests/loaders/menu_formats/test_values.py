"""Names, numbers and dates of FoodPro rows as providers write them."""

import pytest

from campus_api.domain.models import NamedEntity
from loaders import profiles
from loaders.profiles import ProfileError
from loaders.readers import dining
from tests.factories import TODAY, foodpro_row

PROFILE = profiles.load_dining_profile("foodpro")
HOUSE = '{id = 7, name = "Dunster and Mather House"}'


def read(*paths, profile=PROFILE):
    return dining.read(paths, profile)


def recipe_of(path):
    [row] = read(path).records
    return row.recipe.name


def warnings(result):
    return [(error.location.line, error.message, times) for error, times in result.warnings.values()]


@pytest.fixture
def profile_of(save):
    """Return a profile of FoodPro rows with this table of locations."""
    return lambda table: profiles.load_dining_profile(
        str(save(f'format = "foodpro"\n[locations]\n{table}\n', "custom.toml"))
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
        ("<span>Rice</span><span>P</span>ilaf", "Rice Pilaf"),
        ("Brownie <contains nuts>", "Brownie <contains nuts>"),
        ("Soup &lt;GF&gt;<custom-icon src='x'>", "Soup <GF>"),
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
    [row] = read(save_rows(foodpro_row(**{f"{kind}_Name": "Sauces &amp; Gravies<br>"}))).records

    assert "Sauces & Gravies" in (row.location.name, row.category.name)


@pytest.mark.parametrize("printed", ["<br>", "&nbsp;", "<b> </b>", "&lt;br&gt;"])
def test_a_name_of_only_html_is_missing(save_rows, printed):
    assert recipe_of(save_rows(foodpro_row(Recipe_Print_As_Name=printed))) == "CEREAL KASHI PILAF VGN"


def test_a_row_without_any_name_is_rejected(save_rows):
    [error] = read(save_rows(foodpro_row(Recipe_Print_As_Name="<br>", Recipe_Name="&nbsp;"))).errors

    assert error.message == "Recipe_Name is missing"


@pytest.mark.parametrize("written", ["Rice\x00", "&#1;Rice\x01"])
def test_a_control_character_in_html_is_rejected(save_rows, written):
    [error] = read(save_rows(foodpro_row(Recipe_Print_As_Name=written))).errors

    assert (error.field, error.reason) == ("Recipe_Print_As_Name", "has a control character")


@pytest.mark.parametrize("name", ["Decaf&regular Coffee", "Peas&parakeets", "Rice&notes"])
def test_an_ampersand_before_a_word_is_not_an_entity(save_rows, name):
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
def test_a_matching_or_unknown_meal_name_is_not_a_warning(save_rows, number, name):
    result = read(save_rows(foodpro_row(Meal_Number=number, Meal_Name=name)))

    assert (result.warnings, result.errors) == ({}, [])


@pytest.mark.parametrize(
    ("number", "name", "means"),
    [("1", "Dinner", "breakfast"), ("2", "Breakfast", "lunch"), ("3", "LUNCH", "dinner"), (3, "Lunch", "dinner")],
)
def test_a_meal_name_that_contradicts_the_number_is_a_warning(save_rows, number, name, means):
    result = read(save_rows(foodpro_row(Meal_Number=number, Meal_Name=name)))

    message = f"Meal_Name {name!r} contradicts Meal_Number {number} ({means}); the number is used"
    assert (warnings(result), [row.meal for row in result.records]) == ([(1, message, 1)], [int(number) - 1])


def test_a_warning_is_reported_once_with_its_first_location_and_a_count(save_csv):
    valid, contradictory = foodpro_row(Recipe_Number="9"), foodpro_row(Meal_Name="Lunch")

    result = read(save_csv(valid, contradictory, contradictory, foodpro_row(Recipe_Number="2", Meal_Name="Lunch")))

    message = "Meal_Name 'Lunch' contradicts Meal_Number 1 (breakfast); the number is used"
    assert warnings(result) == [(3, message, 3)]


def test_the_command_prints_how_often_a_warning_occurs(campus_load, save_csv):
    rows = [foodpro_row(Recipe_Number=number, Meal_Name="Lunch") for number in "12"]
    others = [foodpro_row(Recipe_Number="3", Meal_Name="Dinner"), *(foodpro_row(Recipe_Number=n) for n in range(4, 9))]

    result = campus_load("dining", save_csv(*rows, *others))

    message = "Meal_Name '{}' contradicts Meal_Number 1 (breakfast); the number is used"
    assert result.stderr.splitlines() == [
        f"warning: foodpro.csv, line 2: {message.format('Lunch')} (2 times)",
        f"warning: foodpro.csv, line 4: {message.format('Dinner')}",
    ]


@pytest.mark.parametrize("number", ["10", "07", "7", "8", 7, 8.0])
def test_a_mapped_id_has_the_mapped_name_too(save_rows, profile_of, number):
    profile = profile_of(f'"10" = {HOUSE}\n"8" = {HOUSE}')

    [row] = read(save_rows(foodpro_row(Location_Number=number, Location_Name="Decoy")), profile=profile).records

    assert row.location == NamedEntity(7, "Dunster and Mather House")


def test_an_explicit_entry_for_a_mapped_id_takes_precedence(save_rows, profile_of):
    profile = profile_of(f'"10" = {HOUSE}\n"7" = {{id = 12, name = "Quincy House"}}')

    [row] = read(save_rows(foodpro_row(Location_Number="07")), profile=profile).records

    assert row.location == NamedEntity(12, "Quincy House")


def test_two_names_for_one_id_are_an_error(profile_of):
    with pytest.raises(ProfileError) as error:
        profile_of(f'"10" = {HOUSE}\n"11" = {{id = 7, name = "Mather House"}}')

    assert str(error.value).endswith("custom.toml: locations has two names for the id 7")


@pytest.mark.parametrize(
    "date",
    [
        "11/20/2026",
        "2026-11-20",
        " 11/20/2026 ",
        "11/20/2026 12:00:00 AM",
        "2026-11-20T00:00",
        "2026-11-20T00:00:00.000-05:00",
        "2026-11-20 00:00:00Z",
        "2026-11-20T00:00:00.000+00:00",
        "2026-11-20T23:30:00+01:00",
        "20261120",
        20261120,
        "20261120 00:00",
        "20.11.2026",
    ],
)
def test_dates_that_can_be_read_in_one_way_are_read_without_a_setting(save_rows, date):
    assert [row.date for row in read(save_rows(foodpro_row(Serve_Date=date))).records] == [TODAY]


@pytest.mark.parametrize("date", ["2026-11-22T23:00:00.000Z", "11/22/2026 23:00Z", "20261122 23:00:00+00:00"])
def test_a_time_in_utc_is_no_date_of_the_campus(save_rows, date):
    [error] = read(save_rows(foodpro_row(Serve_Date=date))).errors

    assert error.reason == "is a time in UTC, when the campus may have another date: export dates"


def test_a_date_needs_no_leading_zeros(save_rows):
    assert [row.date for row in read(save_rows(foodpro_row(Serve_Date="7/4/2026"))).records] == ["2026-07-04"]


@pytest.mark.parametrize("date", ["20/20/2026", "11/20/26", "2026-20-11", "2026112", "2026-11-20T", "20261120Z"])
def test_a_date_in_another_format_is_rejected(save_rows, date):
    [error] = read(save_rows(foodpro_row(Serve_Date=date))).errors

    assert (error.field, error.reason) == ("Serve_Date", "is not a date written MM/DD/YYYY")


@pytest.mark.parametrize("key", ["Meal_Number", "Location_Number", "Menu_Category_Number", "Recipe_Number"])
@pytest.mark.parametrize("value", [True, False, [1], {"a": 1}])
def test_a_number_must_not_be_a_boolean_or_a_container(save_rows, key, value):
    result = read(save_rows(foodpro_row(**{key: 1}), foodpro_row(**{key: value})))

    assert [error.message for error in result.errors] == [f"{key} {value!r} is neither text nor a number"]
