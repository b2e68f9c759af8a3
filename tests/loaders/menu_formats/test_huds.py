from codecs import BOM_UTF8

import pytest

from campus_api.domain.models import NamedEntity
from loaders import profiles
from loaders.documents.serving import MenuRow
from loaders.errors import UnreadableFileError
from loaders.readers import dining
from loaders.result import RecordError, SourceLocation
from tests.factories import TODAY, huds_line

PROFILE = profiles.load_dining_profile("huds")


def read(*paths):
    return dining.read(paths, PROFILE)


def test_a_line_becomes_a_menu_row_with_the_names_of_the_profile(save):
    [row] = read(save(huds_line())).records

    assert row == MenuRow(
        date=TODAY,
        meal=0,
        location=NamedEntity(30, "Annenberg Hall"),
        category=NamedEntity(17, "Desserts"),
        recipe=NamedEntity(31001, "Kashi Pilaf"),
    )


def test_a_line_has_8_columns_or_more(save):
    result = read(save(huds_line(recipe=1) + huds_line(recipe=2, codes="VGT") + huds_line(recipe=3, codes="")))

    assert [row.recipe.id for row in result.records] == [1, 2, 3]


@pytest.mark.parametrize(
    ("line", "columns"),
    [("[mamjad@mobile-dev upload]$ cat menu.txt", 1), ("1,2,3,4,5,6,7", 7)],
)
def test_a_line_with_fewer_columns_is_rejected(save, line, columns):
    result = read(save(f"{huds_line()}{line}\n{huds_line(recipe=2)}", "menu.csv"))

    reason = f"has {columns} columns instead of 8"
    assert len(result.records) == 2
    assert result.errors == [RecordError("menu.csv", SourceLocation(2), "row", line, reason)]


@pytest.mark.parametrize(("code", "meal"), [("BRK", 0), ("LUN", 1), ("DIN", 2), (" DIN ", 2), ("lun", 1)])
def test_meals_are_codes(save, code, meal):
    [row] = read(save(huds_line(meal=code))).records

    assert row.meal == meal


@pytest.mark.parametrize(
    ("hall", "location"),
    [
        ("ANNENBERG", NamedEntity(30, "Annenberg Hall")),
        ("ANNENBERG ", NamedEntity(30, "Annenberg Hall")),
        ("DUNS-MATHER", NamedEntity(7, "Dunster and Mather House")),
    ],
)
def test_halls_are_codes(save, hall, location):
    [row] = read(save(huds_line(hall=hall))).records

    assert row.location == location


@pytest.mark.parametrize(
    ("code", "category"),
    [("00", NamedEntity(0, "Other")), ("07", NamedEntity(7, "Today's Soup")), ("90 ", NamedEntity(90, "Brain Break"))],
)
def test_categories_are_codes(save, code, category):
    [row] = read(save(huds_line(category=code))).records

    assert row.category == category


@pytest.mark.parametrize(
    ("field", "name", "value", "reason"),
    [
        ("date", "date", "32/07/2010", "is not a date written MM/DD/YYYY"),
        ("recipe", "recipe number", "59905B", "is not an integer of zero or more"),
        ("meal", "meal", "TEA", "is not in [meals] of the profile"),
        ("hall", "hall", "LOWELL", "is not a code in the profile"),
        ("category", "category", "98", "is not a code in the profile"),
    ],
)
def test_an_invalid_value_is_reported_with_file_location_field_value_and_reason(save, field, name, value, reason):
    result = read(save(huds_line() + huds_line(**{field: value}), "menu.csv"))

    assert result.errors == [RecordError("menu.csv", SourceLocation(2), name, value, reason)]


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("date", "date"),
        ("recipe", "recipe number"),
        ("name", "recipe name"),
        ("hall", "hall"),
        ("category", "category"),
    ],
)
def test_a_missing_value_is_rejected(save, field, name):
    result = read(save(huds_line(**{field: ""}), "menu.csv"))

    assert result.errors == [RecordError("menu.csv", SourceLocation(1), name, None, "is missing")]


def test_a_recipe_in_two_categories_of_a_meal_is_two_items(save):
    result = read(save(huds_line(category="17") + huds_line(category="18")))

    assert [row.category.id for row in result.records] == [17, 18]


def test_duplicates_are_counted_and_imported_once(save):
    result = read(save(huds_line() + huds_line(recipe=2) + huds_line() + huds_line(portion="6", codes="VGT")))

    assert ([row.recipe.id for row in result.records], result.duplicates) == ([31001, 2], 2)


def test_crlf_and_a_byte_order_mark_are_ignored(save):
    windows = BOM_UTF8 + huds_line().replace("\n", "\r\n").encode()

    assert read(save(windows)).records == read(save(huds_line())).records


def test_a_file_that_is_not_utf_8_is_reported_with_the_line(save):
    path = save(huds_line().encode() + huds_line(name="Café").encode("mac-roman"))

    with pytest.raises(UnreadableFileError) as error:
        read(path)

    assert (
        str(error.value)
        == f"{path}: line 2 is not UTF-8 (byte 0x8E): export it as UTF-8, or set encoding in the profile"
    )


def test_an_empty_file_has_no_rows(save):
    with pytest.raises(UnreadableFileError, match="has no records"):
        read(save(""))
