from codecs import BOM_UTF8

import pytest

from loaders import profiles
from loaders.errors import UnreadableFileError
from loaders.readers import dining
from loaders.result import RecordError, SourceLocation
from tests.factories import foodpro_row

PROFILE = profiles.load_dining_profile("foodpro")
HEADER = "Serve_Date,Meal_Number,Location_Number,Location_Name,Menu_Category_Number,Menu_Category_Name,"
HEADER += "Recipe_Number,Recipe_Name"
LINE = "11/20/2026,1,30,Annenberg Hall,23,Entrees,31001,Kashi Pilaf"
REQUIRED = "Serve_Date, Recipe_Print_As_Name or Recipe_Name"
INVALID = "11/20/2026,9,30,Annenberg Hall,23,Entrees,31001,Kashi Pilaf"


def read(*paths):
    return dining.read(paths, PROFILE)


def locations(result):
    return [str(error.location) for error in result.errors]


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("Serve_Date", "20/20/2026", "is not a date written MM/DD/YYYY"),
        ("Serve_Date", "02/30/2026", "is not a date written MM/DD/YYYY"),
        ("Serve_Date", "today", "is not a date written MM/DD/YYYY"),
        ("Meal_Number", "lunch", "is not in [meals] of the profile"),
        ("Location_Number", "3a", "is not an integer of zero or more"),
        ("Location_Number", -3, "is not an integer of zero or more"),
        ("Menu_Category_Number", 1.5, "is not an integer of zero or more"),
        ("Recipe_Number", "031,001", "is not an integer of zero or more"),
        ("Recipe_Number", "9223372036854775808", "is an integer of over 64 bits"),
        ("Serve_Date", ["11/20/2026"], "is neither text nor a number"),
        ("Location_Name", {"en": "Annenberg"}, "is neither text nor a number"),
        ("Recipe_Number", True, "is neither text nor a number"),
    ],
)
def test_an_invalid_value_is_reported_with_file_location_field_value_and_reason(save_rows, field, value, reason):
    result = read(save_rows(foodpro_row(**{field: value})))

    assert result.errors == [RecordError("foodpro.json", SourceLocation(1, 1), field, value, reason)]


@pytest.mark.parametrize("number", ["0", "4", 7])
def test_a_meal_other_than_1_2_or_3_is_rejected(save_rows, number):
    [error] = read(save_rows(foodpro_row(Meal_Number=number))).errors

    reason = "is not in [meals] of the profile"
    assert (error.field, error.value, error.reason) == ("Meal_Number", str(number), reason)


@pytest.mark.parametrize("value", [None, ""])
@pytest.mark.parametrize(
    "field",
    ["Serve_Date", "Meal_Number", "Location_Number", "Location_Name", "Menu_Category_Name", "Recipe_Number"],
)
def test_a_missing_value_is_rejected(save_rows, field, value):
    result = read(save_rows(foodpro_row(**{field: value})))

    assert result.errors == [RecordError("foodpro.json", SourceLocation(1, 1), field, None, "is missing")]


@pytest.mark.parametrize("field", ["Serve_Date", "Location_Name", "Menu_Category_Name"])
def test_blank_text_is_missing(save_rows, field):
    result = read(save_rows(foodpro_row(**{field: "  "})))

    assert result.errors == [RecordError("foodpro.json", SourceLocation(1, 1), field, None, "is missing")]


@pytest.mark.parametrize("field", ["Meal_Number", "Location_Number", "Menu_Category_Number", "Recipe_Number"])
def test_a_blank_number_is_rejected(save_rows, field):
    [error] = read(save_rows(foodpro_row(**{field: "  "}))).errors

    assert error.field == field


def test_a_missing_key_is_rejected(save_rows):
    row = foodpro_row()
    del row["Location_Number"]

    result = read(save_rows(row))

    assert result.errors == [RecordError("foodpro.json", SourceLocation(1, 1), "Location_Number", None, "is missing")]


def test_a_recipe_without_any_name_is_rejected(save_rows):
    result = read(save_rows(foodpro_row(Recipe_Name=" ", Recipe_Print_As_Name="")))

    assert result.errors == [RecordError("foodpro.json", SourceLocation(1, 1), "Recipe_Name", None, "is missing")]


@pytest.mark.parametrize("row", ["Kashi Pilaf", 7, None, [], ["11/20/2026", "1"], [11, 20, 2026]])
def test_a_json_row_that_is_not_an_object_is_rejected(save_rows, row):
    result = read(save_rows(foodpro_row(), row))

    assert result.errors == [RecordError("foodpro.json", SourceLocation(1, 2), "row", row, "is not a JSON object")]


def test_invalid_rows_are_reported_and_the_others_imported(save_rows):
    invalid = foodpro_row(Meal_Number="9")

    result = read(save_rows(invalid, foodpro_row(), invalid, foodpro_row(Recipe_Number="2")))

    assert [row.recipe.id for row in result.records] == [31001, 2]
    assert locations(result) == ["line 1 (record 1)", "line 1 (record 3)"]


def test_two_names_for_one_menu_item_are_rejected(save_rows):
    result = read(save_rows(foodpro_row(), foodpro_row(Recipe_Print_As_Name="Kashi")))

    reason = "differs from 'Kashi Pilaf', the name of the same menu item in an earlier row"
    assert result.errors == [RecordError("foodpro.json", SourceLocation(1, 2), "recipe name", "Kashi", reason)]


def test_a_line_of_csv_is_counted_from_1_with_the_header(save):
    result = read(save(f"{HEADER}\n{LINE}\n{INVALID}\n"))

    assert locations(result) == ["line 3"]


def test_empty_lines_are_skipped_but_counted(save):
    result = read(save(f"{HEADER}\n\n{LINE}\n\n\n{INVALID}\n\n"))

    assert (len(result.records), locations(result)) == (1, ["line 6"])


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_are_counted_right_after_a_quoted_field_that_spans_lines(save, end):
    long = LINE.replace("31001,Kashi Pilaf", f'2,"Brown{end}Rice{end}Bar"')

    result = read(save(end.join([HEADER, long, INVALID, LINE, INVALID, ""])))

    assert locations(result) == ["line 5", "line 7"]


def test_a_row_that_spans_lines_is_located_by_its_first(save):
    long = INVALID.replace("Kashi Pilaf", '"Kashi\nPilaf"')

    result = read(save(f"{HEADER}\n{LINE}\n{long}\n"))

    assert locations(result) == ["line 3"]


@pytest.mark.parametrize(("line", "columns"), [(f"{LINE},more", 9), ("11/20/2026,1", 2)])
def test_a_line_with_other_columns_than_the_header_is_rejected(save, line, columns):
    result = read(save(f"{HEADER}\n{line}\n"))

    reason = f"has {columns} columns, unlike the header"
    assert result.errors == [RecordError("export.txt", SourceLocation(2), "row", line, reason)]


def test_crlf_and_a_byte_order_mark_are_ignored(save):
    plain, windows = save(f"{HEADER}\n{LINE}\n", "plain.csv"), f"{HEADER}\r\n{LINE}\r\n".encode()

    assert read(save(BOM_UTF8 + windows)).records == read(plain).records


@pytest.mark.parametrize("before", ["\ufeff", "\n  ", "\ufeff\r\n"])
def test_json_may_begin_with_a_byte_order_mark_and_empty_lines(save, save_rows, before):
    path = save(before + save_rows(foodpro_row()).read_text(), "marked.json")

    assert len(read(path).records) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            f"{HEADER}\n{LINE}\n".encode() + b"Caf\x8e",
            "line 3 is not UTF-8 (byte 0x8E): export it as UTF-8, or set encoding in the profile",
        ),
        ('[\n{"Serve_Date": }]', "line 2 is not JSON: "),
        ('{"rows": []}', "is not a JSON array of rows"),
        ("", f"has no column {REQUIRED}, which the profile names"),
        (f"{LINE}\n", f"has no column {REQUIRED}, which the profile names"),
        (f'{HEADER}\n{LINE}\n"{LINE}\n{LINE}\n', "line 3 is not CSV: "),
        (f'{HEADER}\n"one"two,3\n', "line 2 is not CSV: "),
    ],
    ids=["not UTF-8", "not JSON", "a JSON object", "empty", "no header", "an open quote", "text after a quote"],
)
def test_an_unreadable_file_is_an_error_with_the_reason(save, content, message):
    path = save(content)

    with pytest.raises(UnreadableFileError) as error:
        read(path)

    assert str(error.value).startswith(f"{path}: {message}")


def test_a_duplicate_column_is_an_error(save):
    path = save(f"{HEADER},Meal_Number\n{LINE},2\n")

    with pytest.raises(UnreadableFileError, match="line 1 has a duplicate column Meal_Number"):
        read(path)


def test_duplicate_columns_that_are_not_read_do_not_matter(save):
    result = read(save(f"{HEADER},,Note,,Note\n{LINE},a,b,c,d\n"))

    assert (len(result.records), result.errors, result.unread) == (1, [], {"Note": 1})


def test_another_spelling_of_a_key_is_not_read(save_rows):
    result = read(save_rows(foodpro_row(meal_number="2")))

    assert ([row.meal for row in result.records], result.unread) == ([0], {"ID": 1, "meal_number": 1})
