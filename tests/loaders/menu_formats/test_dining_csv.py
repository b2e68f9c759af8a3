"""Dining exports that are not UTF-8 with commas, months before days and FoodPro's meals."""

from dataclasses import replace
from itertools import product

from campus_api.domain.models import NamedEntity
from loaders import profiles
from loaders.documents.serving import MenuRow
from loaders.readers import detect_profile, dining
from loaders.sources.files import read_head
from tests.factories import TODAY, foodpro_row, huds_line
from tests.loaders.errors import error_of

FOODPRO = profiles.load_dining_profile("foodpro")
HUDS = profiles.load_dining_profile("huds")
BRULEE = foodpro_row(Recipe_Print_As_Name="Crème Brûlée")


def read(path, profile=FOODPRO, **settings):
    return dining.read([(replace(profile, **settings), [path])])


def names(result):
    assert result.errors == []
    return [row.recipe.name for row in result.records]


def details(result):
    return {name: value for name, value in result.sources[0].items() if name not in ("file", "sha256")}


def test_a_line_of_huds_has_the_names_of_the_profile(save):
    [row] = read(save(huds_line()), HUDS).records

    annenberg, desserts = NamedEntity(30, "Annenberg Hall"), NamedEntity(17, "Desserts")
    assert row == MenuRow(TODAY, 0, annenberg, desserts, NamedEntity(31001, "Kashi Pilaf"))


def test_the_delimiter_is_detected_or_set(save, save_csv):
    path = save_csv(foodpro_row(Recipe_Print_As_Name="Beans, baked"), delimiter=";")
    assert (names(read(path)), detect_profile(read_head(path))) == (["Beans, baked"], "foodpro")
    assert names(read(save_csv(foodpro_row(), delimiter=":"), delimiter=":")) == ["Kashi Pilaf"]
    assert names(read(save(huds_line().replace(",", ";")), HUDS)) == ["Kashi Pilaf"]


def test_the_encoding_is_detected_or_set(save_csv):
    for encoding, name in [
        *product(("cp1252", "utf-16", "utf-16-le", "utf-16-be"), ("Crème Brûlée", "Chef’s Choice – Entrée")),
        *product(("utf-16-le", "utf-32"), ["第一食堂"]),
    ]:
        path = save_csv(foodpro_row(Recipe_Print_As_Name=name), encoding=encoding)
        result = read(path)

        assert (names(result), details(result)) == ([name], {"encoding": encoding}), encoding
        assert detect_profile(read_head(path)) == "foodpro", encoding
    [*_, warning] = read(save_csv(foodpro_row(Recipe_Print_As_Name="Mercimek çorbası"), encoding="cp1254")).warnings
    assert warning == 'text looks like cp1254: the profile needs encoding = "cp1254"'
    result = read(save_csv(BRULEE, encoding="mac-roman"), encoding="mac-roman")
    assert (names(result), details(result)) == (["Crème Brûlée"], {"encoding": "mac-roman"})


def test_rows_of_two_encodings_are_each_decoded_in_theirs(save_csv, save):
    dishes = ["Crème Brûlée", *(f"Soup {number}" for number in range(5000)), "Jalapeño’s", "Spätzle €", "Café"]
    rows = [foodpro_row(Recipe_Number=str(number), Recipe_Print_As_Name=name) for number, name in enumerate(dishes)]
    lines = save_csv(*rows).read_bytes().splitlines(keepends=True)
    for others in (lines[-1:], [lines[1], *lines[-3:-2]]):
        mixed = [line.decode().encode("cp1252") if line in others else line for line in lines]

        result = read(save(b"".join(mixed)))

        assert (names(result), details(result), result.errors) == (dishes, {"encoding": "cp1252"}, []), others
        assert [*result.warnings] == [], others


def test_a_file_that_the_encoding_does_not_fit_is_an_error(save, save_csv):
    macintosh = 'it looks like macintosh: the profile needs encoding = "macintosh", or "cp850" if its accents are wrong'
    for content, hint in [
        ("Crème Brûlée".encode("macintosh"), macintosh),
        ("Crème Brûlée".encode("cp437"), 'it looks like cp850: the profile needs encoding = "cp850"'),
        (b"a\x81B", "a profile can name another encoding"),
    ]:
        message = str(error_of(read, save(b"Serve_Date\n" + content + b"\n")))
        assert "line 2 is not UTF-8 " in message, content
        assert message.endswith(f": export it as UTF-8; {hint}"), content
    for cut in ("Crème, Brûlé", "Café", "第一食"):
        error = error_of(read, save(b"Serve_Date\n" + cut.encode()[:-1]))
        assert (error.line, error.reason) == (2, "ends within a letter of UTF-8: it is cut off"), cut
    for encoding in ("utf-16", "utf-32", "idna", "punycode"):
        assert f"is not {encoding}" in str(error_of(read, save_csv(BRULEE), encoding=encoding)), encoding
    path = save(b"Serve_Date\x81\n")
    assert "line 1 is not cp1252 (byte 0x81)" in str(error_of(read, path, encoding="cp1252"))


def test_days_before_months_are_set_in_the_profile_as_the_error_says(save_csv):
    path = save_csv(*(foodpro_row(Serve_Date=f"{day:02}/11/2026") for day in range(9, 14)))

    result = read(path)
    corrected = read(path, date_format="%d/%m/%Y")

    needs = "is no date MM/DD/YYYY: the profile needs date_format ="
    assert [error.reason for error in result.errors] == [f'{needs} "%d/%m/%Y" (DD/MM/YYYY)']
    assert [row.date for row in corrected.records] == [f"2026-11-{day:02}" for day in range(9, 14)]
    assert corrected.errors == []
    for date, date_format, days in [
        ("10/11/2026", "%d/%m/%Y", ["2026-11-10"]),
        ("2026-11-20", "%d.%m.%Y", ["2026-11-20"]),
        ("20/11/2026", "%d.%m.%Y", ["is not a date written DD.MM.YYYY"]),
        ("11/20/26", "", [f'{needs} "%m/%d/%y" (MM/DD/YY)']),
        ("11/12/26", "", [f'{needs} "%m/%d/%y" (MM/DD/YY) or "%d/%m/%y" (DD/MM/YY)']),
    ]:
        result = read(save_csv(foodpro_row(Serve_Date=date)), date_format=date_format)
        assert [*(row.date for row in result.records), *(error.reason for error in result.errors)] == days, date


def test_the_table_of_meals_is_looked_up_by_number_then_by_name(save, save_csv):
    late = [("4", "Late  Night", 3), ("3", "Late Night", 3), ("", "Late Night", 3)]
    for number, name, meal in [*late, ("07", "Dinner", 1), ("7", "Late Night", 1), ("2", "Lunch", 1)]:
        result = read(save_csv(foodpro_row(Meal_Number=number, Meal_Name=name)), meals={"late night": 3, "7": 1})

        assert [row.meal for row in result.records] == [meal], (number, name)
        assert (result.errors, result.warnings) == ([], {}), (number, name)
    [error] = read(save_csv(foodpro_row(Meal_Number="4")), meals={"7": 1}).errors
    assert error.field == "Meal_Number"
    assert [row.meal for row in read(save(huds_line(meal="BRN")), HUDS, meals={"brn": 1}).records] == [1]
