from codecs import BOM_UTF8

import pytest

from loaders import profiles
from loaders.errors import UnreadableFileError
from loaders.readers import dining
from loaders.readers.result import RecordError, SourceLocation
from tests.factories import foodpro_row

PROFILE = profiles.load_dining_profile("foodpro")
HEADER = "Serve_Date,Meal_Number,Location_Number,Location_Name,Menu_Category_Number,Menu_Category_Name,"
HEADER += "Recipe_Number,Recipe_Name"
LINE = "11/20/2026,1,30,Annenberg Hall,23,Entrees,31001,Kashi Pilaf"
BAD = "11/20/2026,9,30,Annenberg Hall,23,Entrees,31001,Kashi Pilaf"


def read(*paths):
    return dining.read(paths, PROFILE)


def places(reading):
    return [str(problem.location) for problem in reading.errors]


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("Serve_Date", "20/11/2026", "is not a date written MM/DD/YYYY"),
        ("Serve_Date", "02/30/2026", "is not a date written MM/DD/YYYY"),
        ("Serve_Date", "today", "is not a date written MM/DD/YYYY"),
        ("Meal_Number", "lunch", "is not an integer of zero or more"),
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
def test_a_bad_value_is_reported_with_file_place_field_value_and_reason(save_rows, field, value, reason):
    reading = read(save_rows(foodpro_row(**{field: value})))

    assert reading.errors == [RecordError("foodpro.json", SourceLocation(1, 1), field, value, reason)]


@pytest.mark.parametrize("number", ["0", "4", 7])
def test_a_meal_that_is_not_1_2_or_3_is_bad(save_rows, number):
    [problem] = read(save_rows(foodpro_row(Meal_Number=number))).errors

    reason = "is not one of 1 (breakfast), 2 (lunch), 3 (dinner)"
    assert (problem.field, problem.value, problem.reason) == ("Meal_Number", int(number), reason)


@pytest.mark.parametrize("value", [None, ""])
@pytest.mark.parametrize(
    "field",
    ["Serve_Date", "Meal_Number", "Location_Number", "Location_Name", "Menu_Category_Name", "Recipe_Number"],
)
def test_a_missing_value_is_bad(save_rows, field, value):
    reading = read(save_rows(foodpro_row(**{field: value})))

    assert reading.errors == [RecordError("foodpro.json", SourceLocation(1, 1), field, None, "is missing")]


@pytest.mark.parametrize("field", ["Serve_Date", "Location_Name", "Menu_Category_Name"])
def test_blank_text_is_missing(save_rows, field):
    reading = read(save_rows(foodpro_row(**{field: "  "})))

    assert reading.errors == [RecordError("foodpro.json", SourceLocation(1, 1), field, None, "is missing")]


@pytest.mark.parametrize("field", ["Meal_Number", "Location_Number", "Menu_Category_Number", "Recipe_Number"])
def test_a_blank_number_is_bad(save_rows, field):
    [problem] = read(save_rows(foodpro_row(**{field: "  "}))).errors

    assert problem.field == field


def test_a_missing_key_is_bad(save_rows):
    row = foodpro_row()
    del row["Location_Number"]

    reading = read(save_rows(row))

    assert reading.errors == [RecordError("foodpro.json", SourceLocation(1, 1), "Location_Number", None, "is missing")]


def test_a_recipe_without_any_name_is_bad(save_rows):
    reading = read(save_rows(foodpro_row(Recipe_Name=" ", Recipe_Print_As_Name="")))

    assert reading.errors == [RecordError("foodpro.json", SourceLocation(1, 1), "Recipe_Name", None, "is missing")]


@pytest.mark.parametrize("row", ["Kashi Pilaf", 7, None, [], ["11/20/2026", "1"], [11, 20, 2026]])
def test_a_row_of_json_that_is_no_object_is_bad(save_rows, row):
    reading = read(save_rows(foodpro_row(), row))

    assert reading.errors == [RecordError("foodpro.json", SourceLocation(1, 2), "row", row, "is not a JSON object")]


def test_all_bad_rows_are_listed_and_the_rest_kept(save_rows):
    bad = foodpro_row(Meal_Number="9")

    reading = read(save_rows(bad, foodpro_row(), bad, foodpro_row(Recipe_Number="2")))

    assert [serving.recipe.id for serving in reading.records] == [31001, 2]
    assert places(reading) == ["line 1 (record 1)", "line 1 (record 3)"]


def test_two_names_in_one_place_of_the_menu_are_a_contradiction(save_rows):
    reading = read(save_rows(foodpro_row(), foodpro_row(Recipe_Print_As_Name="Kashi")))

    reason = "differs from 'Kashi Pilaf', the name of the same menu item in an earlier row"
    assert reading.errors == [RecordError("foodpro.json", SourceLocation(1, 2), "recipe name", "Kashi", reason)]


def test_a_line_of_csv_is_counted_from_1_with_the_header(save):
    reading = read(save(f"{HEADER}\n{LINE}\n{BAD}\n"))

    assert places(reading) == ["line 3"]


def test_empty_lines_are_left_out_and_counted(save):
    reading = read(save(f"{HEADER}\n\n{LINE}\n\n\n{BAD}\n\n"))

    assert (len(reading.records), places(reading)) == (1, ["line 6"])


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_are_counted_right_after_a_quoted_field_that_spans_lines(save, end):
    long = LINE.replace("31001,Kashi Pilaf", f'2,"Brown{end}Rice{end}Bar"')

    reading = read(save(end.join([HEADER, long, BAD, LINE, BAD, ""])))

    assert places(reading) == ["line 5", "line 7"]


def test_a_row_that_spans_lines_is_named_by_its_first(save):
    long = BAD.replace("Kashi Pilaf", '"Kashi\nPilaf"')

    reading = read(save(f"{HEADER}\n{LINE}\n{long}\n"))

    assert places(reading) == ["line 3"]


@pytest.mark.parametrize(("line", "columns"), [(f"{LINE},more", 9), ("11/20/2026,1", 2)])
def test_a_line_with_other_columns_than_the_header_is_bad(save, line, columns):
    reading = read(save(f"{HEADER}\n{line}\n"))

    reason = f"has {columns} columns, unlike the header"
    assert reading.errors == [RecordError("export.txt", SourceLocation(2), "row", line, reason)]


def test_crlf_and_a_byte_order_mark_change_nothing(save):
    plain, windows = save(f"{HEADER}\n{LINE}\n", "plain.csv"), f"{HEADER}\r\n{LINE}\r\n".encode()

    assert read(save(BOM_UTF8 + windows)).records == read(plain).records


@pytest.mark.parametrize("before", ["\ufeff", "\n  ", "\ufeff\r\n"])
def test_json_may_begin_with_a_byte_order_mark_and_empty_lines(save, save_rows, before):
    path = save(before + save_rows(foodpro_row()).read_text(), "marked.json")

    assert len(read(path).records) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (f"{HEADER}\n{LINE}\n".encode() + b"Caf\xe9", "line 3 is not UTF-8 (byte 0xE9)"),
        ('[\n{"Serve_Date": }]', "line 2 is not JSON: "),
        ('{"rows": []}', "is not a JSON array of rows"),
        ("", "has no header with Serve_Date: is it in another format (--profile)?"),
        (f"{LINE}\n", "has no header with Serve_Date: is it in another format (--profile)?"),
        (f'{HEADER}\n{LINE}\n"{LINE}\n{LINE}\n', "line 3 is not CSV: "),
        (f'{HEADER}\n"one"two,3\n', "line 2 is not CSV: "),
    ],
    ids=["not UTF-8", "not JSON", "a JSON object", "empty", "no header", "an open quote", "text after a quote"],
)
def test_a_file_that_cannot_be_read_is_named_with_the_reason(save, content, said):
    path = save(content)

    with pytest.raises(UnreadableFileError) as error:
        read(path)

    assert str(error.value).startswith(f"{path}: {said}")


def test_a_column_that_is_there_twice_is_named(save):
    path = save(f"{HEADER},meal_number\n{LINE},2\n")

    with pytest.raises(UnreadableFileError, match="line 1 has a duplicate column Meal_Number"):
        read(path)


def test_a_key_that_is_there_twice_in_another_case_is_bad(save_rows):
    [problem] = read(save_rows(foodpro_row(meal_number="2"))).errors

    assert (problem.field, problem.reason) == ("Meal_Number", "is a duplicate key")
