from codecs import BOM_UTF8
from itertools import product

from loaders import profiles
from loaders.readers import dining
from loaders.result import RecordError, SourceLocation
from tests.factories import foodpro_row
from tests.loaders.errors import error_of

PROFILE = profiles.load_dining_profile("foodpro")
HEADER = "Serve_Date,Meal_Number,Location_Number,Location_Name,Menu_Category_Number,Menu_Category_Name,"
HEADER += "Recipe_Number,Recipe_Name"
LINE = "11/20/2026,1,30,Annenberg Hall,23,Entrees,31001,Kashi Pilaf"
REQUIRED = "Serve_Date, Recipe_Print_As_Name or Recipe_Name"
INVALID = "11/20/2026,9,30,Annenberg Hall,23,Entrees,31001,Kashi Pilaf"
NUMBERS = ("Meal_Number", "Location_Number", "Menu_Category_Number", "Recipe_Number")


def read(*paths):
    return dining.read(paths, PROFILE)


def test_an_invalid_row_is_reported_with_file_location_field_value_and_reason_and_the_others_imported(save_rows):
    types = "is neither text nor a number"
    differs = "differs from 'Kashi Pilaf', the name of the same menu item in an earlier row"
    for row, field, value, reason in [
        *(
            (foodpro_row(**{field: value}), field, value, reason)
            for field, value, reason in [
                *(("Meal_Number", number, "is not in [meals] of the profile") for number in ("lunch", "0", "4")),
                ("Location_Number", "3a", "is not an integer of zero or more"),
                ("Location_Number", -3, "is not an integer of zero or more"),
                ("Menu_Category_Number", 1.5, "is not an integer of zero or more"),
                ("Recipe_Number", "9223372036854775808", "is an integer of over 64 bits"),
                ("Serve_Date", ["11/20/2026"], types),
                ("Location_Name", {"en": "Annenberg"}, types),
                *((field, value, types) for field, value in product(NUMBERS, (True, [1]))),
            ]
        ),
        *((row, "row", row, "is not a JSON object") for row in ("Kashi Pilaf", None, ["11/20/2026", "1"])),
        (foodpro_row(Recipe_Print_As_Name="Kashi"), "recipe name", "Kashi", differs),
    ]:
        result = read(save_rows(foodpro_row(), row, foodpro_row(Recipe_Number="2")))

        expected = RecordError("foodpro.json", SourceLocation(1, 2), field, value, reason)
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


def test_a_row_of_csv_has_its_first_line_counted_from_1_with_the_header_and_empty_lines(save):
    several = INVALID.replace("Kashi Pilaf", '"Kashi\nPilaf"')
    lines = [HEADER, "", LINE, several, INVALID, "", "", INVALID, "", ""]

    for end in ("\n", "\r\n"):
        errors = read(save("\n".join(lines).replace("\n", end))).errors
        assert [str(error.location) for error in errors] == ["line 4", "line 6", "line 9"], end


def test_a_line_with_other_columns_than_the_header_is_rejected(save):
    for line, columns in [(f"{LINE},more", 9), ("11/20/2026,1", 2)]:
        reason = f"has {columns} columns, unlike the header"
        expected = RecordError("export.txt", SourceLocation(2), "row", line, reason)
        assert read(save(f"{HEADER}\n{line}\n")).errors == [expected], line


def test_crlf_a_byte_order_mark_and_empty_lines_before_json_are_ignored(save, save_rows):
    plain, windows = save(f"{HEADER}\n{LINE}\n", "plain.csv"), f"{HEADER}\r\n{LINE}\r\n".encode()
    assert read(save(BOM_UTF8 + windows)).records == read(plain).records

    for before in ("\ufeff", "\n  ", "\ufeff\r\n"):
        path = save(before + save_rows(foodpro_row()).read_text(), "marked.json")
        assert len(read(path).records) == 1, before


def test_an_unreadable_file_is_an_error_with_the_reason(save):
    no_column = f"has no column {REQUIRED}, which the profile names"
    for content, message in [
        (
            f"{HEADER}\n{LINE}\n".encode() + b"Caf\x8e",
            "line 3 is not UTF-8 (byte 0x8E): export it as UTF-8, or set encoding in the profile",
        ),
        ('[\n{"Serve_Date": }]', "line 2 is not JSON: "),
        ('{"rows": []}', "is not a JSON array of rows"),
        *((content, no_column) for content in ("", f"{LINE}\n")),
        (f'{HEADER}\n{LINE}\n"{LINE}\n{LINE}\n', "line 3 is not CSV: "),
        (f"{HEADER},Meal_Number\n{LINE},2\n", "line 1 has a duplicate column Meal_Number"),
    ]:
        path = save(content)

        assert str(error_of(read, path)).startswith(f"{path}: {message}"), content


def test_duplicate_columns_and_other_spellings_that_are_not_read_do_not_matter(save, save_rows):
    result = read(save(f"{HEADER},,Note,,Note\n{LINE},a,b,c,d\n"))
    assert (len(result.records), result.errors, result.unread) == (1, [], {"Note": 1})

    result = read(save_rows(foodpro_row(meal_number="2")))
    assert ([row.meal for row in result.records], result.unread) == ([0], {"ID": 1, "meal_number": 1})
