"""Lines of HUDS, whose columns have no header, with the codes of the profile; the rest is as in other tables."""

from campus_api.domain.models import NamedEntity
from loaders import profiles
from loaders.documents.serving import MenuRow
from loaders.readers import dining
from loaders.result import RecordError, SourceLocation
from tests.factories import TODAY, huds_line
from tests.loaders.errors import reason_of

PROFILE = profiles.load_dining_profile("huds")


def read(*paths):
    return dining.read(paths, PROFILE)


def test_a_line_becomes_a_menu_row_with_the_names_of_the_profile(save):
    [row] = read(save(huds_line())).records

    annenberg, desserts = NamedEntity(30, "Annenberg Hall"), NamedEntity(17, "Desserts")
    assert row == MenuRow(TODAY, 0, annenberg, desserts, NamedEntity(31001, "Kashi Pilaf"))


def test_a_line_has_8_columns_or_more(save):
    lines = [huds_line(recipe=1), huds_line(recipe=2, codes="VGT"), huds_line(recipe=3, codes="")]
    shell = "[mamjad@mobile-dev upload]$ cat menu.txt"

    result = read(save("".join([*lines, f"{shell}\n1,2,3,4,5,6,7\n", huds_line(portion="6", recipe=1)]), "menu.csv"))

    assert ([row.recipe.id for row in result.records], result.duplicates) == ([1, 2, 3], 1)
    assert result.errors == [
        RecordError("menu.csv", SourceLocation(4), "row", shell, "has 1 columns instead of 8"),
        RecordError("menu.csv", SourceLocation(5), "row", "1,2,3,4,5,6,7", "has 7 columns instead of 8"),
    ]
    assert "has no records" in reason_of(read, save(""))


def test_meals_halls_and_categories_are_codes(save):
    for field, codes in {
        "meal": {"BRK": 0, "LUN": 1, " DIN ": 2, "lun": 1},
        "hall": {"ANNENBERG ": (30, "Annenberg Hall"), "DUNS-MATHER": (7, "Dunster and Mather House")},
        "category": {"00": (0, "Other"), "07": (7, "Today's Soup"), "90 ": (90, "Brain Break")},
    }.items():
        for code, value in codes.items():
            [row] = read(save(huds_line(**{field: code}))).records

            entities = {"hall": row.location, "category": row.category}
            assert (row.meal if field == "meal" else (entities[field].id, entities[field].name)) == value, code


def test_an_invalid_or_missing_value_is_reported_with_the_name_of_its_column(save):
    for field, name, value, reason in [
        ("date", "date", "32/07/2010", "is not a date written MM/DD/YYYY"),
        ("recipe", "recipe number", "59905B", "is not an integer of zero or more"),
        ("meal", "meal", "TEA", "is not in [meals] of the profile"),
        ("hall", "hall", "LOWELL", "is not a code in the profile"),
        ("name", "recipe name", None, "is missing"),
        ("category", "category", None, "is missing"),
    ]:
        result = read(save(huds_line() + huds_line(**{field: value or ""}), "menu.csv"))

        assert result.errors == [RecordError("menu.csv", SourceLocation(2), name, value, reason)], (field, value)
