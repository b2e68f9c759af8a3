import json
import tomllib
from dataclasses import asdict

import msgspec
import pytest

from campus_api.domain import tables
from campus_api.domain.models import (
    MEALS,
    DishRow,
    Facts,
    ImpliedLabel,
    Label,
    LocationDetails,
    MealHours,
    MealNames,
    Names,
    Nutrient,
    Nutrients,
    Spelling,
)
from loaders import profiles
from loaders.inference import propose
from loaders.readers import detect_export, dining
from tests.factories import YESTERDAY, facts, row, serving
from tests.loaders.errors import reason_of

PROFILE = profiles.load_dining_profile("campus-dining")
EXPORT = {
    "categories": [{"id": 23, "name": "Category 23"}],
    "locations": [{"id": 30, "name": "Hall 30"}],
    "recipes": [{"id": 31001, "name": "Kashi Pilaf"}],
    "facts": [],
    "halls": [],
    "menus": [row()],
}
VEGAN = Label("VGN", "vegan", (ImpliedLabel("vegetarian"),))
SESAME = (Spelling("Sesame", ("sesame",)),)
FACTS = {"id": 31001, "name": "Kashi Pilaf", **asdict(facts(spellings=SESAME))}


@pytest.fixture
def read(save):
    """Read JSON documents as one export."""

    def read(*values):
        paths = [save(json.dumps(value), f"menus{index}.json") for index, value in enumerate(values)]
        return dining.read([(PROFILE, paths)])

    return read


def reason(read, **members):
    """Return why an export with these members, or without those that are None, cannot be read."""
    return reason_of(read, {name: value for name, value in {**EXPORT, **members}.items() if value is not None})


def test_rows_become_menu_rows_and_lists_are_those_of_the_export(read):
    categories = [*EXPORT["categories"], {"id": 99, "name": "Unused"}]
    menus = [row(), row(name="As Served", meal=1), row(meal=9)]

    result = read({**EXPORT, "categories": categories, "menus": menus, "closed_days": ["2026-11-21"]})

    assert result.records == [serving(), serving(name="As Served", meal=1), serving(meal=9)]
    assert result.lists.names["recipe"] == {31001: "Kashi Pilaf"}
    assert result.lists.names["category"] == {23: "Category 23", 99: "Unused"}
    assert result.lists.closed_days == {"2026-11-21"}


def test_facts_are_those_of_the_list_and_may_lack_words_for_allergens(read):
    former = {name: value for name, value in FACTS.items() if name not in ("contains", "without", "spellings")}
    for listed, expected in [
        ([FACTS], {31001: facts(spellings=SESAME)}),
        ([former], {31001: facts(contains=None, without=())}),
        ([], {}),
    ]:
        result = read({**EXPORT, "facts": listed})

        assert (result.lists.facts, result.lists.closed_days) == (expected, None), listed
        assert (result.unread, result.warnings) == ({}, {}), listed


def test_what_cannot_be_true_of_a_serving_is_a_warning(read):
    grams = {"unit": "g", "daily_value": None}
    fat = {"saturated_fat": {"amount": 9, **grams, "unit": "oz"}, "total_fat": {"amount": 5, **grams}}
    nutrients = {**fat, "sugars": {"amount": 9, **grams}, "total_carbohydrate": {"amount": 5, **grams}}

    result = read({**EXPORT, "facts": [{**FACTS, "calories": 9000, "nutrients": nutrients}]})

    reasons = ["has 9,000 kcal in a serving", "has more sugars than total carbohydrate"]
    assert [*result.warnings] == [f"recipe 'Kashi Pilaf' {reason}" for reason in reasons]


def test_halls_have_their_building_hours_and_aliases(read):
    hours = MealHours(1, "Mo-Fr 11:30-14:00", "2026-12-20")
    details = {"building": 203, "hours": [hours._asdict()], "aliases": ["berg"]}

    result = read({**EXPORT, "halls": [{"location": 30, **details}]})

    assert (result.lists.halls, result.unread) == ({30: LocationDetails(203, (hours,), ("berg",))}, {})


def test_invalid_facts_are_an_error(read):
    for member, value, message in [
        ("serving_size", "", "serving_size is invalid: Expected `str` of length >= 1"),
        ("ingredients", "Oats\x07", r"ingredients 'Oats\x07' has a control character"),
        ("allergens", ["\ud800"], r"allergens '\ud800' has a lone surrogate"),
        ("labels", [{"code": "V", "name": "a\nb"}], r"labels 'a\nb' has a control character"),
        ("calories_from_fat", -1, "calories_from_fat is invalid: Expected `int` >= 0"),
        ("nutrients", {"fat": 7, "sodium": {}}, "nutrients.sodium is invalid: Object missing required field `amount`"),
        ("allergens", [], "allergens is invalid: Expected `array` of length >= 1"),
        ("as_of", "11/20/2026", "as_of '11/20/2026' is not a date written YYYY-MM-DD"),
        ("id", 7, "id 7 is not in the list of recipes"),
    ]:
        expected = f"has an invalid record in facts: {message}"
        assert reason(read, facts=[{**FACTS, member: value}]) == expected, (member, value)
    assert reason(read, facts=[FACTS, FACTS | {"calories": 1}]).endswith("in facts: id 31001 has two facts")
    large = {"sodium": {"amount": 2**60, "unit": "mg"}}
    message = f"nutrients.sodium.amount is invalid: Expected `int` <= {2**53}"
    assert reason(read, facts=[{**FACTS, "nutrients": large}]).endswith(message)


def test_invalid_lists_are_an_error(read):
    names = [{"id": 1, "name": "Soup"}, {"id": 1, "name": "Stew"}]
    invalid = [7, {"id": 1}, {"id": {}, "name": "A"}]
    for members, message in [
        *(({"locations": [each]}, "has an invalid record in locations: ") for each in invalid),
        ({"recipes": names}, "has an invalid record in recipes: id 1 has two names"),
        ({"recipes": None}, "has no list of recipes"),
        *(({"closed_days": days}, "has an invalid record in closed_days: ") for days in (7, ["20261121"])),
    ]:
        assert reason(read, **members).startswith(message), members
    assert reason_of(read, [row()]).startswith("is a JSON array, not an object with lists")
    late = {"menus": EXPORT["menus"], **{name: EXPORT[name] for name in ("categories", "locations", "recipes")}}
    assert reason_of(read, late).startswith("has its categories after the menus")


def test_lists_are_merged_and_those_of_the_file_with_the_last_date_count_in_any_order(read):
    halls = [{"location": 30, "building": building, "hours": None} for building in (1, 2)]
    lists = {name: EXPORT[name] for name in ("categories", "locations", "recipes")}
    recipes = [{"id": 31001, "name": "New Pilaf"}, {"id": 2, "name": "Soup"}]
    newer = {**lists, "recipes": recipes, "halls": halls[1:], "menus": [row()], "closed_days": ["2026-11-21"]}
    older = {**lists, "locations": [{"id": 30, "name": "Old Hall"}], "halls": halls[:1], "menus": [row(date=YESTERDAY)]}
    older["closed_days"] = []

    for files in ([older, newer], [newer, older]):
        merged = read(*files).lists

        assert (merged.names["location"], merged.closed_days) == ({30: "Hall 30"}, {"2026-11-21"}), files
        assert (merged.names["recipe"], merged.halls[30].building) == ({31001: "New Pilaf", 2: "Soup"}, 2), files


def test_an_invalid_value_is_an_error(read):
    for field, values in {
        "date": [None, "20261120", "2026-02-30"],
        "meal": ["lunch", 10, []],
        "location": [7],
        "recipe": [2],
        "name": [None, " "],
    }.items():
        rows = [{**row(), field: value} for value in values]
        errors = read({**EXPORT, "menus": [row(), *rows]}).errors
        expected = [(number, field) for number in range(2, len(rows) + 2)]
        assert [(error.location.record, error.field) for error in errors] == expected, field
    [error] = read({**EXPORT, "menus": [row(), 7]}).errors
    assert error.message == "record is invalid: Expected `object`, got `int`"


def test_menus_and_dishes_of_another_instance_have_its_ids_without_a_profile(save):
    menu = {"date": "2026-11-30", "meal": 2, "location": 7, "category": 3, "recipe": 101, "id": 101, "name": "Soup"}
    nutrients = Nutrients(sodium=Nutrient(2.5, "g", 8), salt=Nutrient(6.3, "g"))
    facts = Facts(calories=90, nutrients=nutrients, allergens=["Milk"], labels=[VEGAN])
    dish = {name: menu[name] for name in ("date", "meal", "category", "recipe", "name")}
    dish |= {"locations": [7, 30], "facts": msgspec.to_builtins(facts)}
    names = Names({7: "North", 30: "South"}, {3: "Soups"}, MealNames(MEALS, {}))
    fact_cells = tables.fact_cells({"calories": 90, "allergens": ["Milk"], "contains": ["milk"], "labels": [VEGAN]})
    served = DishRow(**dish | {"meal_names": ["dinner"] * 2, "facts": [*fact_cells.values()]})
    menus = [tables.MENU_HEADER, *tables.menu_cells([menu], names)]
    dishes = [tables.DISH_HEADER, *tables.dish_cells([served], names)]
    without = [{"Milk": "unknown"}.get(str(each), each) for each in dishes[1]]
    for text, halls, recipe_facts in [
        (json.dumps([menu]), {(7, "7")}, None),
        (menus, {(7, "North")}, None),
        ([[*menu], [f"{each}.0" if type(each) is int else each for each in menu.values()]], {(7, "7")}, None),
        (json.dumps([dish]), {(7, "7"), (30, "30")}, (90, nutrients, ("Milk",), (VEGAN,))),
        (dishes, {(7, "North"), (30, "South")}, (90, Nutrients(), ("Milk",), (VEGAN,))),
        ([dishes[0], without], {(7, "North"), (30, "South")}, (90, Nutrients(), None, (VEGAN,))),
    ]:
        path = save(text if isinstance(text, str) else "\n".join(",".join(map(str, cells)) for cells in text))
        result = dining.read([(profiles.load_dining_profile(detect_export(path, {})), [path])])

        rows = {(row.meal, row.category.id, row.recipe.id, row.recipe.name) for row in result.records}
        assert rows == {(2, 3, 101, "Soup")}, text
        assert ({(row.location.id, row.location.name) for row in result.records}, result.unread) == (halls, {}), text
        facts_of_dishes = result.lists.facts.values()
        read_facts = [(each.calories, each.nutrients, each.allergens, each.labels) for each in facts_of_dishes]
        assert read_facts == ([recipe_facts] if recipe_facts else []), text


def test_a_proposed_profile_has_no_tables(save):
    proposed = propose.profile(save(json.dumps(EXPORT), "menus.json"))

    assert proposed.startswith("# menus.json: menus of this API, 1 row, 1 date from 2026-11-20 to 2026-11-20, ")
    assert tomllib.loads(proposed) == {"format": "campus-dining"}
