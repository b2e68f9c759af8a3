"""Names, numbers and dates of FoodPro rows as providers write them."""

from itertools import product

from loaders import profiles
from loaders.readers import dining
from tests.factories import TODAY, foodpro_row

PROFILE = profiles.load_dining_profile("foodpro")
NAMES = {
    "Mac &amp;amp;amp; Cheese": "Mac & Cheese",
    "Mac & Cheese": "Mac & Cheese",
    "M&Ms": "M&Ms",
    "Jalape&ntilde;o": "Jalapeño",
    "Cr&#232;me Br&#xFB;l&eacute;e": "Crème Brûlée",
    "Rice&nbsp;Pilaf": "Rice Pilaf",
    "&nbsp; Rice &#160;": "Rice",
    "Rice<br>Pilaf<br/>": "Rice Pilaf",
    "<b>Rice</b> <i class='x'>Pilaf</i>": "Rice Pilaf",
    "<span>Rice</span><span>P</span>ilaf": "Rice Pilaf",
    "Brownie <contains nuts>": "Brownie <contains nuts>",
    "Soup &lt;GF&gt;<custom-icon src='x'>": "Soup <GF>",
    "Rice &amp;lt;BR /&amp;gt; Pilaf": "Rice Pilaf",
    "Chicken < 3 oz > Rice": "Chicken < 3 oz > Rice",
    "Chef&rsquo;s <3 oz>": "Chef’s <3 oz>",
    "Fish &unknown; Chips": "Fish &unknown; Chips",
    # An ampersand before a word is no entity.
    "Decaf&regular Coffee": "Decaf&regular Coffee",
    " Brown   Rice  ": "Brown Rice",
}
# Of the printed name, which the name of the recipe replaces.
NO_NAMES = ["", "   ", None, "<br>", "&nbsp;", "<b> </b>", "&lt;br&gt;"]
RECIPE_NAME = foodpro_row()["Recipe_Name"]


def read(*paths):
    return dining.read(paths, PROFILE)


def test_html_in_a_name_is_read_as_text(save_rows):
    for written, name in {**NAMES, **dict.fromkeys(NO_NAMES, RECIPE_NAME)}.items():
        [row] = read(save_rows(foodpro_row(Recipe_Print_As_Name=written))).records
        assert row.recipe.name == name, written

    [row] = read(save_rows(foodpro_row(Location_Name="A &amp; B<br>", Menu_Category_Name="C &amp; D<br>"))).records
    assert (row.location.name, row.category.name) == ("A & B", "C & D")


def test_a_control_character_in_html_is_rejected(save_rows):
    for written in ("Rice\x00", "&#1;Rice\x01"):
        [error] = read(save_rows(foodpro_row(Recipe_Print_As_Name=written))).errors

        assert (error.field, error.reason) == ("Recipe_Print_As_Name", "has a control character"), written


def test_a_meal_name_that_contradicts_the_number_is_a_warning(save_rows, save_csv):
    for number, name in [
        *product("1", ["Breakfast", "BREAKFAST", "Continental Breakfast", "Brunch", "Meal 3", "", None]),
        *product("2", ["Lunch", "LUNCH ENTREES", "Brunch", "Lunch/Dinner"]),
        *product("3", ["Dinner", "Dinnner", "Supper", "Dinner<br>", "Lunch &amp; Dinner"]),
        (1, 1),
    ]:
        result = read(save_rows(foodpro_row(Meal_Number=number, Meal_Name=name)))
        assert (result.warnings, result.errors) == ({}, []), (number, name)
    for number, name, means in [("1", "Dinner", "breakfast"), ("2", "Breakfast", "lunch"), (3, "Lunch", "dinner")]:
        result = read(save_rows(foodpro_row(Meal_Number=number, Meal_Name=name)))
        message = f"Meal_Name {name!r} contradicts Meal_Number {number} ({means}); the number is used"
        assert ([*result.warnings], [row.meal for row in result.records]) == ([message], [int(number) - 1])
    [(warning, times)] = read(save_csv(foodpro_row(), *[foodpro_row(Meal_Name="Lunch")] * 2)).warnings.values()
    assert (warning.location.line, times) == (3, 2)


def test_dates_that_can_be_read_in_one_way_are_read_without_a_setting(save_rows):
    dates = ["11/20/2026", "2026-11-20", " 11/20/2026 ", "20261120", 20261120, "20.11.2026"]
    dates += ["11/20/2026 12:00:00 AM", "2026-11-20T00:00", "2026-11-20 00:00:00Z", "20261120 00:00"]
    zones = ["2026-11-20T00:00:00.000-05:00", "2026-11-20T00:00:00.000+00:00", "2026-11-20T23:30:00+01:00"]
    for date in (*dates, *zones):
        assert [row.date for row in read(save_rows(foodpro_row(Serve_Date=date))).records] == [TODAY], date
    # Leading zeros are optional.
    assert [row.date for row in read(save_rows(foodpro_row(Serve_Date="7/4/2026"))).records] == ["2026-07-04"]


def test_a_time_in_utc_or_a_date_in_another_format_is_rejected(save_rows):
    in_utc = "is a time in UTC, when the campus may have another date: export dates"
    other = "is not a date written MM/DD/YYYY"
    for reason, dates in {
        in_utc: ["2026-11-22T23:00:00.000Z", "11/22/2026 23:00Z", "20261122 23:00:00+00:00"],
        other: ["20/20/2026", "02/30/2026", "today", "11/20/26", "2026-20-11", "2026112", "2026-11-20T", "20261120Z"],
    }.items():
        for date in dates:
            [error] = read(save_rows(foodpro_row(Serve_Date=date))).errors
            assert (error.field, error.reason) == ("Serve_Date", reason), date
