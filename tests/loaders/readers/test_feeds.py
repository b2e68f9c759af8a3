"""The built-in profiles of systems that campuses have, each with a small sample in its shape."""

import json
from pathlib import Path

import pytest

from loaders import profiles
from loaders.inference import propose
from loaders.readers import detect_export, dining

FEEDS = Path(__file__).parents[1] / "feeds"
DAY = "2026-11-23"
# What the programs of profiles do not name.
UNREAD = {
    "bonappetit.json": {"id": 4, "strong": 1},
    "campusdish.json": {"ProductId": 2},
    "dineoncampus-1.json": {"status": 1},
    "dineoncampus.json": {"uom": 1},
    "eat-api.json": {"version": 1, "number": 2, "year": 2},
    "school/north/menu-type/lunch/nutrislice.json": {"start_date": 1},
    "studierendenwerk.xml": {"preis1": 1},
}
# The profile of a feed, its file, its dishes by date, meal, hall and category, and what it says about some of them.
SYSTEMS = [
    (
        "nutrislice",
        "school/north/menu-type/lunch/nutrislice.json",
        {(DAY, 1, "north"): {"Grill": ["Cheeseburger", "Fries"], "Soups": ["Lentil Soup"]}},
        {"Cheeseburger": (("gluten", "milk", "wheat"), ["Local"], 540)},
    ),
    (
        "dineoncampus",
        "dineoncampus.json",
        {
            (DAY, 1, "North Commons"): {"Grill": ["Cheeseburger", "Fries"]},
            (DAY, 3, "North Commons"): {"Grill": ["Fries"]},
        },
        {"Cheeseburger": (("milk",), ["Local"], 540)},
    ),
    ("dineoncampus", "locations/hall-1/menu-2026-11-23.json", {(DAY, 2, "hall-1"): {"Grill": ["Pie"]}}, {}),
    (
        "dineoncampus",
        "dineoncampus-1.json",
        {(DAY, 1, "dineoncampus-1"): {"Grill": ["Pie"]}},
        {"Pie": (("eggs",), [], 300)},
    ),
    (
        "campusdish",
        "campusdish.json",
        {(DAY, 1, "4850"): {"Grill": ["Cheeseburger"]}, (DAY, 2, "4850"): {"Menu": ["Fries"]}},
        {"Cheeseburger": (("gluten", "milk", "wheat"), ["Local"], 540)},
    ),
    (
        "bonappetit",
        "bonappetit.json",
        {(DAY, 1, "North Café"): {"@grill": ["Cheeseburger", "Fries"]}, (DAY, 2, "North Café"): {"grill": ["Fries"]}},
        {"Cheeseburger": (None, [], 540), "Fries": (None, ["Vegetarian", "Vegan"], None)},
    ),
    (
        "eatec",
        "eatec.xml",
        {(DAY, 1, "North Hall"): {"Grill": ["Cheeseburger", "Fries"]}, (DAY, 2, "North Hall"): {"Menu": ["Pie"]}},
        {"Cheeseburger": (("milk",), [], None), "Pie": (("eggs",), [], None)},
    ),
    (
        "eat-api",
        "eat-api.json",
        {
            (DAY, 1, "mensa-nord"): {"Pasta": ["Spaghetti"], "Beilage": ["Salat"]},
            ("2026-11-30", 1, "mensa-nord"): {"Fleisch": ["Fischfilet"]},
        },
        {"Spaghetti": (("gluten", "milk", "wheat"), ["VEGETARIAN"], None), "Fischfilet": (("eggs", "fish"), [], None)},
    ),
    (
        "studierendenwerk",
        "studierendenwerk.xml",
        {
            (DAY, 1, "studierendenwerk"): {"Essen 1": ["Spaghetti mit Pesto"], "Essen 2": ["Salat (mit Brot)"]},
            ("2026-11-24", 1, "studierendenwerk"): {"Essen 1": ["Fischfilet"]},
        },
        {
            "Spaghetti mit Pesto": (("eggs", "gluten", "milk"), ["Vegetarisch"], 612),
            "Fischfilet": (("fish",), [], None),
        },
    ),
    (
        "crous",
        "crous.xml",
        {
            (DAY, 1, "r135"): {"Plat du jour": ["Bœuf bourguignon", "Lasagnes & salade"]},
            (DAY, 2, "r135"): {"Entrées": ["Soupe"]},
            (DAY, 1, "r136"): {"Menu": ["Pâtes"]},
        },
        {},
    ),
]


@pytest.mark.parametrize(("profile", "name", "menus", "known"), SYSTEMS)
def test_a_built_in_profile_reads_a_feed_of_its_system(profile, name, menus, known):
    path = FEEDS / name

    detected = detect_export(path, {})
    result = dining.read([(profiles.load_dining_profile(detected), [path])])

    assert (detected, result.errors, result.unread) == (profile, [], UNREAD.get(name, {}))
    # Halls with a code or without any, and dishes whose names say more than their lists.
    usual = ("halls have no name", "hall is missing", "location is missing", "recipe")
    assert [text for text in result.warnings if not text.startswith(usual)] == []
    rows = [(row.date, row.meal, row.location.name, row.category.name, row.recipe.name) for row in result.records]
    assert rows == [
        (*meal, category, dish) for meal, each in menus.items() for category, dishes in each.items() for dish in dishes
    ]
    names = {row.recipe.id: row.recipe.name for row in result.records}
    facts = result.lists.facts.items()
    labels = {id_: [label.code for label in each.labels or ()] for id_, each in facts}
    assert {names[id_]: (each.contains, labels[id_], each.calories) for id_, each in facts} == known


def test_a_date_without_dishes_or_another_document_fits_no_profile(save):
    for text in ('{"days": [{"date": "2026-11-23", "menu_items": []}]}', '{"a": [1]}', "<menu/>", '{"days": 7}', "[]"):
        assert detect_export(save(text), {}) is None, text


def test_an_unknown_meal_is_an_error_with_the_line_to_add(save):
    feed = json.loads((FEEDS / "dineoncampus.json").read_text())
    periods = feed["locations"][0]["periods"]
    periods[0]["name"], periods[1]["name"] = "Outtakes", "Weekend Brunch"
    periods.append(periods[1] | {"name": "Tea"})

    result = dining.read([(profiles.load_dining_profile("dineoncampus"), [save(json.dumps(feed), "feed.json")])])

    assert [row.meal for row in result.records] == [1]
    line = "N, which is 0 for breakfast, 1 for lunch, 2 for dinner, 3 to 9 for others"
    assert [str(error) for error in result.errors] == [
        f"feed.json, record {number}: meal '{name}' is not in [meals] of the profile: add \"{name}\" = {line}"
        for number, name in [(1, "Outtakes"), (2, "Outtakes"), (4, "Tea")]
    ]


def test_a_missing_meal_that_the_url_may_have_is_an_error_that_says_so(save):
    feed = (FEEDS / "school/north/menu-type/lunch/nutrislice.json").read_text()

    result = dining.read([(profiles.load_dining_profile("nutrislice"), [save(feed)])])

    reason = "meal is missing: every dish needs a meal; give the path or URL if that has it"
    assert {error.message for error in result.errors} == {reason}


def test_warnings_and_errors_name_the_folder_of_files_of_the_same_name(save, tmp_path):
    for folder, text in {
        "north": (FEEDS / "dineoncampus-1.json").read_text(),
        "south": '{"menu": {"date": "2026-11-22", "periods": []}}',
        "east": '{"menu": {"periods": {"name": "Lunch", "categories": {"name": "Grill", "items": {"name": "Pie"}}}}}',
    }.items():
        (tmp_path / folder).mkdir()
        save(text, f"{folder}/menu.json")

    result = dining.read([(profiles.load_dining_profile("dineoncampus"), sorted(tmp_path.glob("*/menu.json")))])

    assert len(result.records) == 1
    assert [str(each) for each in result.errors] == [f"{tmp_path}/east/menu.json, record 1: date is missing"]
    assert f"{tmp_path}/south/menu.json has no records" in result.warnings


def test_a_filter_of_another_type_than_a_label_is_an_allergen(save):
    feed = (FEEDS / "dineoncampus.json").read_text().replace('"type": "allergen"', '"type": "Allergens"')

    result = dining.read([(profiles.load_dining_profile("dineoncampus"), [save(feed)])])

    assert [facts.contains for facts in result.lists.facts.values()] == [("milk",)]


def test_a_proposed_profile_has_the_meals_that_the_built_in_one_lacks(save):
    feed = (FEEDS / "dineoncampus.json").read_text().replace("Late Night", "Outtakes")

    assert "[meals]" not in propose.profile(FEEDS / "crous.xml")
    assert propose.profile(save(feed)).endswith('format = "dineoncampus"\n\n[meals]\nouttakes = 5\n')
