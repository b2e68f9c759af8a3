import json
import tomllib

import pytest

from campus_api.domain.models import Spelling
from loaders import profiles
from loaders.errors import UnreadableFileError
from loaders.inference import propose
from loaders.profiles import ProfileError
from loaders.readers import dining
from tests.factories import facts, row, serving

YESTERDAY = "2026-11-19"
PROFILE = profiles.load_dining_profile("campus-dining")
EXPORT = {
    "categories": [{"id": 23, "name": "Category 23"}],
    "locations": [{"id": 30, "name": "Hall 30"}],
    "recipes": [{"id": 31001, "name": "Kashi Pilaf"}],
    "facts": [],
    "menus": [row()],
}
FACTS = {
    "id": 31001,
    "name": "Kashi Pilaf",
    "serving_size": "5 OZL",
    "calories": 167,
    "calories_from_fat": 27,
    "nutrients": {
        "total_fat": {"amount": 3, "unit": "g", "daily_value": 5},
        "sodium": {"amount": 14.8, "unit": "mg", "daily_value": None},
        "protein": None,
    },
    "ingredients": "Whole Grain Kashi Pilaf (Oats, Brown Rice)",
    "allergens": ["Wheat", "Sesame"],
    "contains": ["wheat", "gluten", "sesame"],
    "without": ["eggs", "crustaceans", "fish", "milk", "peanuts", "soy", "tree nuts"],
    "spellings": [{"name": "Sesame", "words": ["sesame"]}],
    "labels": [
        {"code": "VGN", "name": "vegan", "implies": [{"code": "VGT", "name": "vegetarian"}]},
        {"code": "XYZ", "name": None},
    ],
    "as_of": "2026-11-20",
}


@pytest.fixture
def read(save):
    """Read JSON documents as one export."""

    def read(*values):
        paths = [save(json.dumps(value), f"menus{index}.json") for index, value in enumerate(values)]
        return dining.read(paths, PROFILE)

    return read


def error_of(read, **members):
    with pytest.raises(UnreadableFileError) as caught:
        read({name: value for name, value in {**EXPORT, **members}.items() if value is not None})
    return caught.value.reason


def test_a_row_becomes_a_menu_row(read):
    assert read(EXPORT).records == [serving()]


def test_a_row_has_the_name_of_the_recipe_as_served(read):
    result = read({**EXPORT, "menus": [row(name="Kashi")]})

    assert result.records == [serving(name="Kashi")]
    assert result.lists.names["recipe"] == {31001: "Kashi Pilaf"}


def test_entities_without_rows_are_listed(read):
    categories = [*EXPORT["categories"], {"id": 99, "name": "Unused"}]

    assert read({**EXPORT, "categories": categories}).lists.names["category"] == {23: "Category 23", 99: "Unused"}


def test_facts_are_those_of_the_list(read):
    result = read({**EXPORT, "facts": [FACTS]})

    assert result.lists.facts == {31001: facts(spellings=(Spelling("Sesame", ("sesame",)),))}
    assert (result.unread, result.warnings) == ({}, {})


def test_facts_of_a_version_without_words_for_allergens_are_unknown(read):
    former = {name: value for name, value in FACTS.items() if name not in ("contains", "without", "spellings")}

    assert read({**EXPORT, "facts": [former]}).lists.facts == {31001: facts(contains=None, without=())}


def test_facts_are_optional(read):
    without = {name: value for name, value in EXPORT.items() if name != "facts"}

    assert read(without).lists.facts == {}


@pytest.mark.parametrize(
    ("member", "value", "reason"),
    [
        ("serving_size", ["1"], "serving_size is invalid: Expected `str | null`, got `array`"),
        ("serving_size", "", "serving_size is invalid: Expected `str` of length >= 1"),
        ("ingredients", "Oats\x07", "ingredients is invalid: A text has a control character or a lone surrogate"),
        ("ingredients", "\ud800", "ingredients is invalid: A text has a control character or a lone surrogate"),
        ("calories", "7", "calories is invalid: Expected `int | float | null`, got `str`"),
        ("calories", True, "calories is invalid: Expected `int | float | null`, got `bool`"),
        ("calories_from_fat", -1, "calories_from_fat is invalid: Expected `int` >= 0"),
        ("nutrients", [1], "nutrients is invalid: Expected `object`, got `array`"),
        ("nutrients", {"sodium": 7}, "nutrients.sodium is invalid: Expected `object | null`, got `int`"),
        ("nutrients", {"fat": 7, "sodium": {}}, "nutrients.sodium is invalid: Object missing required field `amount`"),
        (
            "nutrients",
            {"sodium": {"amount": 2**60, "unit": "mg"}},
            f"nutrients.sodium.amount is invalid: Expected `int` <= {2**53}",
        ),
        ("allergens", [], "allergens is invalid: Expected `array` of length >= 1"),
        ("allergens", "Milk", "allergens is invalid: Expected `array | null`, got `str`"),
        ("allergens", [""], "allergens[0] is invalid: Expected `str` of length >= 1"),
        ("labels", ["VGN"], "labels[0] is invalid: Expected `object`, got `str`"),
        ("labels", [{"name": "vegan"}], "labels[0] is invalid: Object missing required field `code`"),
        ("as_of", "11/20/2026", "as_of '11/20/2026' is not a date written YYYY-MM-DD"),
        ("id", 7, "id 7 is not in the list of recipes"),
    ],
)
def test_invalid_facts_are_an_error(read, member, value, reason):
    assert error_of(read, facts=[{**FACTS, member: value}]) == f"has an invalid record in facts: {reason}"


def test_two_facts_of_one_recipe_are_an_error(read):
    records = [FACTS, {**FACTS, "calories": 1}]

    assert error_of(read, facts=records) == "has an invalid record in facts: id 31001 has two facts"


def test_closed_days_are_listed(read):
    assert read({**EXPORT, "closed_days": ["2026-11-21"]}).lists.closed_days == {"2026-11-21"}


def test_without_a_list_closed_days_are_unknown(read):
    assert read(EXPORT).lists.closed_days is None


def test_the_lists_of_several_files_are_merged(read):
    first = {**EXPORT, "closed_days": ["2026-11-21"]}
    second = {**EXPORT, "recipes": [{"id": 2, "name": "Soup"}], "menus": [row(2, "Soup")], "closed_days": []}

    lists = read(first, second).lists

    assert (lists.names["recipe"], lists.closed_days) == ({31001: "Kashi Pilaf", 2: "Soup"}, {"2026-11-21"})


def test_the_lists_of_the_file_with_the_last_date_count_in_any_order(read):
    halls = [{"location": 30, "building": building, "hours": None} for building in (1, 2)]
    lists = {name: EXPORT[name] for name in ("categories", "locations", "recipes")}
    newer = {**lists, "recipes": [{"id": 31001, "name": "New Pilaf"}], "halls": halls[1:], "menus": [row()]}
    older = {**lists, "locations": [{"id": 30, "name": "Old Hall"}], "halls": halls[:1], "menus": [row(date=YESTERDAY)]}

    for files in ([older, newer], [newer, older]):
        merged = read(*files).lists

        assert (merged.names["location"], merged.names["recipe"]) == ({30: "Hall 30"}, {31001: "New Pilaf"})
        assert merged.halls[30].building == 2


def test_meals_of_other_servers_are_read(read):
    assert [record.meal for record in read({**EXPORT, "menus": [row(meal=9)]}).records] == [9]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("date", None),
        ("date", "20261120"),
        ("date", "2026-02-30"),
        ("meal", "lunch"),
        ("meal", 10),
        ("meal", []),
        ("location", 7),
        ("category", None),
        ("recipe", 2),
        ("name", None),
        ("name", " "),
    ],
)
def test_an_invalid_value_is_an_error(read, field, value):
    [error] = read({**EXPORT, "menus": [row(), {**row(), field: value}]}).errors

    assert (error.location.record, error.field) == (2, field)


def test_a_row_that_is_no_object_is_an_error(read):
    [error] = read({**EXPORT, "menus": [row(), 7]}).errors

    assert error.message == "row 7 is not a JSON object"


def test_a_missing_list_is_an_error(read):
    assert error_of(read, recipes=None) == "has no list of recipes"


def test_an_array_is_an_error(read):
    with pytest.raises(UnreadableFileError, match="is a JSON array, not an object with lists"):
        read([row()])


def test_a_list_after_the_menus_is_an_error(read):
    menus = EXPORT["menus"]

    with pytest.raises(UnreadableFileError, match="has its categories after the menus"):
        read({"menus": menus, **{name: EXPORT[name] for name in ("categories", "locations", "recipes")}})


@pytest.mark.parametrize("record", [7, {}, {"id": 1}, {"id": "x", "name": "Hall"}, {"id": {}, "name": "Hall"}])
def test_an_invalid_record_of_a_list_is_an_error(read, record):
    assert error_of(read, locations=[record]).startswith("has an invalid record in locations: ")


def test_two_names_of_one_id_are_an_error(read):
    recipes = [{"id": 1, "name": "Soup"}, {"id": 1, "name": "Stew"}]

    assert error_of(read, recipes=recipes) == "has an invalid record in recipes: id 1 has two names"


@pytest.mark.parametrize("value", [7, None, ["20261121"]])
def test_invalid_closed_days_are_an_error(save, value):
    path = save(json.dumps({**EXPORT, "closed_days": value}), "menus.json")

    with pytest.raises(UnreadableFileError, match="has closed_days that are not dates written YYYY-MM-DD"):
        dining.read([path], PROFILE)


def test_a_profile_with_tables_is_an_error(save):
    profile = save('format = "campus-dining"\n[locations]\n"7" = {id = 7, name = "Hall"}\n', "custom.toml")

    with pytest.raises(ProfileError, match="campus-dining has no use for the table locations"):
        dining.read([save(json.dumps(EXPORT), "menus.json")], profiles.load_dining_profile(str(profile)))


def test_a_proposed_profile_has_no_tables(save):
    proposed = propose.profile(save(json.dumps(EXPORT), "menus.json"))

    assert proposed.startswith("# menus.json: menus of this API, 1 row, 1 date from 2026-11-20 to 2026-11-20, ")
    assert tomllib.loads(proposed) == {"format": "campus-dining"}
    assert "[locations]" not in proposed
