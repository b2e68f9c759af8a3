from itertools import product

from campus_api.domain.models import NamedEntity
from loaders import profiles
from loaders.documents.serving import MenuRow
from loaders.readers import dining
from loaders.result import RecordError, SourceLocation
from tests.factories import TODAY, foodpro_row
from tests.loaders.errors import error_of

PROFILE = profiles.load_dining_profile("foodpro")
HOUSE = NamedEntity(7, "Dunster and Mather House")
TABLE = '{id = 7, name = "Dunster and Mather House"}'
NAMES = {
    "Mac &amp;amp;amp; Cheese": "Mac & Cheese",
    "Mac & Cheese": "Mac & Cheese",
    "Cr&#232;me Br&#xFB;l&eacute;e": "Crème Brûlée",
    "&nbsp; Rice &#160;": "Rice",
    "Rice<br>Pilaf<br/>": "Rice Pilaf",
    "<span>Rice</span><span>P</span>ilaf": "Rice Pilaf",
    "Brownie <contains nuts>": "Brownie <contains nuts>",
    "Soup &lt;GF&gt;<custom-icon src='x'>": "Soup <GF>",
    "Rice &amp;lt;BR /&amp;gt; Pilaf": "Rice Pilaf",
    "Chicken < 3 oz > Rice": "Chicken < 3 oz > Rice",
    "Chef&rsquo;s <3 oz>": "Chef’s <3 oz>",
    "Fish &unknown; Chips": "Fish &unknown; Chips",
    # An ampersand before a word is no entity.
    "Decaf&regular Coffee": "Decaf&regular Coffee",
}
# Of the printed name, which the name of the recipe replaces.
NO_NAMES = ["", "   ", None, "<br>", "&nbsp;", "<b> </b>", "&lt;br&gt;"]
RECIPE_NAME = foodpro_row()["Recipe_Name"]


def read(*paths, profile=PROFILE):
    return dining.read([(profile, paths)])


def test_a_row_becomes_a_menu_row(save_rows):
    [row] = read(save_rows(foodpro_row())).records

    annenberg, bar = NamedEntity(30, "Annenberg Hall"), NamedEntity(23, "Make Your Own Bar")
    assert row == MenuRow(TODAY, 0, annenberg, bar, NamedEntity(31001, "Kashi Pilaf"))


def test_rows_that_differ_in_a_key_field_are_two_items_and_others_are_duplicates(save_rows):
    keys = {"Serve_Date": "11/21/2026", "Meal_Number": "2", "Location_Number": "7", "Menu_Category_Number": "24"}
    for field, value in {**keys, "Recipe_Number": "031002", "ID": "2"}.items():
        result = read(save_rows(foodpro_row(), foodpro_row(**{field: value})))

        duplicates = int(field == "ID")
        assert (len(result.records), result.duplicates) == (2 - duplicates, duplicates), field


def test_numbers_may_be_mapped_to_an_id_and_a_name_with_any_zero_padding(save_rows, dining_profile):
    categories = '[categories]\n"99" = {id = 23, name = "Bar"}'
    merged = dining_profile(f'[locations]\n"07" = {TABLE}\n"10" = {TABLE}\n{categories}')
    rows = [foodpro_row(Location_Number=number) for number in ("07", "10", 10, 7, "7", "007", "010", 10.0)]
    bar = foodpro_row(Menu_Category_Number="99", Menu_Category_Name="")

    for row in rows:
        assert [each.location for each in read(save_rows(row), profile=merged).records] == [HOUSE], row
    assert read(save_rows(*rows), profile=merged).duplicates == len(rows) - 1
    [row] = read(save_rows(bar), profile=merged).records
    assert (row.category, row.location) == (NamedEntity(23, "Bar"), NamedEntity(30, "Annenberg Hall"))


def test_the_number_of_a_mapped_id_has_its_name_unless_it_is_mapped_itself(save_rows, dining_profile):
    locations = f'[locations]\n"10" = {TABLE}\n'
    for table, location in [
        (locations, HOUSE),
        (f'{locations}"7" = {{id = 12, name = "Quincy House"}}', NamedEntity(12, "Quincy House")),
    ]:
        path = save_rows(foodpro_row(Location_Number="07", Location_Name="Decoy"))
        assert [row.location for row in read(path, profile=dining_profile(table)).records] == [location], table
    message = str(error_of(dining_profile, f'{locations}"11" = {{id = 7, name = "Mather House"}}'))
    assert message.endswith("custom.toml: locations has two names for the id 7")


def test_an_invalid_row_is_reported_with_file_location_field_value_and_reason_and_the_others_imported(save_rows):
    no_id = "is not an integer of zero or more"
    add = "is not in [meals] of the profile: add"
    number = "N, which is 0 for breakfast, 1 for lunch, 2 for dinner, 3 to 9 for others"
    no_scalar = "is neither text nor a number"
    differs = "differs from 'Kashi Pilaf', the name of the same menu item in an earlier row"
    for row, field, value, reason in [
        *((foodpro_row(Meal_Number=each), "Meal_Number", each, f'{add} "{each}" = 0') for each in ("lunch", "0", "4")),
        (foodpro_row(Meal_Number="9", Meal_Name="Outtakes"), "Meal_Number", "9", f'{add} "9" = {number}'),
        *((foodpro_row(Location_Number=number), "Location_Number", number, no_id) for number in ("3a", "-3")),
        *((foodpro_row(Recipe_Number=number), "Recipe_Number", number, no_scalar) for number in (True, [1])),
        (foodpro_row(Location_Name={"is": {}}), "Location_Name", {"is": {}}, no_scalar),
        *((row, "row", row, "is not a JSON object") for row in ("Kashi Pilaf", None)),
        (foodpro_row(Recipe_Print_As_Name="Kashi"), "recipe name", "Kashi", differs),
    ]:
        result = read(save_rows(foodpro_row(), row, foodpro_row(Recipe_Number="2")))

        expected = RecordError("foodpro.json", SourceLocation(1, 2), field, value and repr(value), reason)
        assert (result.errors, [each.recipe.id for each in result.records]) == ([expected], [31001, 2]), row


def test_a_missing_value_is_rejected(save_rows):
    texts = ("Serve_Date", "Location_Name", "Menu_Category_Name")
    for field, value in [
        *product((*texts, "Meal_Number", "Location_Number", "Recipe_Number"), (None, "", "  ")),
        ("Menu_Category_Number", "  "),
    ]:
        [error] = read(save_rows(foodpro_row(**{field: value}))).errors

        assert (error.field, error.reason) == (field, "is missing"), (field, value)
    row = foodpro_row(Recipe_Name="&nbsp;", Recipe_Print_As_Name="<br>")
    assert [error.message for error in read(save_rows(row)).errors] == ["Recipe_Name is missing"]


def test_html_in_a_name_is_read_as_text(save_rows):
    for written, name in {**NAMES, **dict.fromkeys(NO_NAMES, RECIPE_NAME)}.items():
        [row] = read(save_rows(foodpro_row(Recipe_Print_As_Name=written))).records
        assert row.recipe.name == name, written

    [row] = read(save_rows(foodpro_row(Location_Name="A &amp; B<br>", Menu_Category_Name="C &amp; D<br>"))).records
    assert (row.location.name, row.category.name) == ("A & B", "C & D")


def test_a_meal_name_that_contradicts_the_number_is_a_warning(save_rows, save_csv):
    for number, name in [
        *product("1", ["Breakfast", "BREAKFAST", "Continental Breakfast", "Brunch", "Meal 3", "", None]),
        *product("2", ["Lunch", "LUNCH ENTREES", "Brunch", "Lunch/Dinner"]),
        *product("3", ["Dinner", "Dinnner", "Supper", "Dinner<br>", "Lunch &amp; Dinner"]),
        (1, 1),
    ]:
        result = read(save_rows(foodpro_row(Meal_Number=number, Meal_Name=name)))
        assert (result.warnings, result.errors) == ({}, []), (number, name)
    for number, name, means in [("1", "Abendessen", "breakfast"), ("2", "Breakfast", "lunch"), (3, "Lunch", "dinner")]:
        result = read(save_rows(foodpro_row(Meal_Number=number, Meal_Name=name)))
        message = f"Meal_Name {name!r} contradicts Meal_Number {number} ({means}); the number is used"
        assert ([*result.warnings], [row.meal for row in result.records]) == ([message], [int(number) - 1]), number
    [warning] = read(save_csv(foodpro_row(), *[foodpro_row(Meal_Name="Lunch")] * 2)).warnings.values()
    assert (warning.location.line, warning.times) == (3, 2)


def test_dates_that_can_be_read_in_one_way_are_read_without_a_setting(save_rows):
    dates = ["11/20/2026", "2026-11-20", " 11/20/2026 ", "20261120", 20261120, "20.11.2026", "20.11.26"]
    dates += ["2026/11/20", "20-Nov-2026", "Nov 20, 2026", "20 November 2026", "November 20, 2026"]
    dates += ["Fri, Nov 20, 2026", "Friday, November 20, 2026", "Fr 20.11.2026", "20-Nov-26", "Fr., 20. November 2026"]
    dates += ["le 20 novembre 2026", "sexta-feira, 20 de novembro de 2026", "20 ноября 2026", "2026年11月20日(金)"]
    times = ["11/20/2026 12:00:00 AM", "2026-11-20T00:00", "2026-11-20 00:00:00Z", "20261120 00:00"]
    zones = ["2026-11-20T00:00:00.000-05:00", "2026-11-20T00:00:00.000+00:00", "2026-11-20T23:30:00+01:00"]
    for date in (*dates, *times, *zones):
        assert [row.date for row in read(save_rows(foodpro_row(Serve_Date=date))).records] == [TODAY], date
    # Leading zeros are optional.
    assert [row.date for row in read(save_rows(foodpro_row(Serve_Date="7/4/2026"))).records] == ["2026-07-04"]


def test_a_time_in_utc_or_a_date_in_another_format_is_rejected(save_rows):
    in_utc = "is a time in UTC, when the campus may have another date: export dates"
    other = "is not a date written with its year, such as YYYY-MM-DD or MM/DD/YYYY"
    for reason, dates in {
        in_utc: ["2026-11-22T23:00:00.000Z", "11/22/2026 23:00Z", "20261122 23:00:00+00:00"],
        other: ["20/20/2026", "02/30/2026", "today", "2026-20-11", "2026112", "2026-11-20T", "20261120Z", "Mo 20.11."],
    }.items():
        for date in dates:
            [error] = read(save_rows(foodpro_row(Serve_Date=date))).errors
            assert (error.field, error.reason) == ("Serve_Date", reason), date
