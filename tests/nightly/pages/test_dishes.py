"""What is known about dishes, and the search among those of a day, in a real browser."""

import re
from itertools import product

import pytest
from playwright.sync_api import expect

from tests.factories import facts_row
from tests.processes.browser import on_each_screen
from tests.processes.servers import get_json

LUNCH = "date=2026-11-20&meal=1"
UNKNOWN = facts_row()
VEGAN = {"code": "VGN", "name": "vegan", "implies": [{"code": "VGT", "name": "vegetarian"}]}
VEGETARIAN = {"code": "VGT", "name": "vegetarian", "implies": []}
KNOWN = facts_row(
    serving_size="1 CUP",
    calories=240,
    calories_from_fat=35,
    nutrients={
        **UNKNOWN["nutrients"],
        "sodium": {"amount": 14.8, "unit": "mg", "daily_value": 1},
        "protein": {"amount": 9, "unit": "g", "daily_value": None},
    },
    ingredients="Oats, <b>Wheat</b>",
    allergens=["Tree Nuts", "Wheat"],
    contains=["gluten", "tree nuts", "wheat"],
    labels=[VEGAN, VEGETARIAN, {"code": "LOC", "name": None, "implies": []}],
    as_of="2026-11-20",
)


@pytest.fixture
def open_menu(samples, visit):
    """Open a lunch with a dish for each of these facts, in two categories of a hall that have the same name."""

    def open_menu(*all_facts):
        served = {"date": "2026-11-20", "meal": 1, "name": "Kashi Pilaf", "locations": [30]}
        pairs = product((1, 2), enumerate(all_facts))
        dishes = [{**served, "category": category, "recipe": id_, "facts": facts} for category, (id_, facts) in pairs]
        categories = [{"id": category, "name": "Grains"} for category in (1, 2)]
        routes = {
            "**/dining/dishes?*": lambda route: route.fulfill(json=dishes),
            "**/dining/categories": lambda route: route.fulfill(json=categories),
        }
        page = visit(f"{samples.url}/explore?view=menus&{LUNCH}", routes=routes)
        expect(page.locator(".dish-name").first).to_have_text("Kashi Pilaf")
        return page

    return open_menu


def open_dish(page):
    """Open the first dish, and return its facts as shown."""
    page.get_by_text("Kashi Pilaf").first.click()
    expect(page.locator(".facts").first).to_be_visible()
    return page.locator(".facts").first


@on_each_screen
def test_the_facts_of_the_service_and_another_meal_are_shown_without_another_request(samples, lunch):
    dishes = get_json(samples, f"/dining/dishes?{LUNCH}")
    dish = next(each for each in dishes if each["facts"]["serving_size"] == "5 oz")
    requests = len(lunch.requested_urls)

    lunch.get_by_text(dish["name"], exact=True).first.click()

    expect(lunch.locator(".allergens")).to_have_text(f"Allergens: {', '.join(dish['facts']['contains'])}")
    expect(lunch.get_by_text("Serving size: 5 oz")).to_be_visible()
    lunch.get_by_role("tab", name="Dinner").click()
    expect(lunch.locator("#menu-summary")).to_contain_text("Dinner")
    assert [url for url in lunch.requested_urls[requests:] if "/static/" not in url] == []
    assert lunch.errors == []


def test_a_dish_has_its_calories_and_its_labels_but_for_those_that_others_imply(open_menu):
    card = open_menu(KNOWN).locator(".hall")
    dish = card.locator("summary.dish").first
    assert dish.locator(".badge").all_text_contents() == ["vegan", "LOC"]
    assert dish.get_by_text("240 cal").is_visible()
    # Categories of one name stand once.
    assert card.locator("h3").all_text_contents() == ["Grains"]
    assert card.locator("li").count() == 2


def test_the_facts_of_a_dish_begin_with_its_allergens_and_are_opened_and_closed_by_keyboard(open_menu):
    page = open_menu(KNOWN)
    facts = page.locator(".facts").first
    page.get_by_role("tabpanel").focus()
    # To the star, to the link to the map, to the hours, and to the dish.
    for _ in range(4):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(facts).to_be_visible()
    assert [text.strip() for text in facts.locator("p").all_text_contents()] == [
        "Allergens: gluten, tree nuts, wheat",
        "Listed as: Tree Nuts, Wheat",
        "Gluten: named in ingredients; the provider never declares it.",
        page.locator("#filter-caution").text_content(),
        "Labels: vegan, vegetarian, LOC",
        "Ingredients: Oats, <b>Wheat</b>",
        "Serving size: 1 CUP",
        "Calories: 240, 35 from fat",
        "As of November 20, 2026",
    ]
    assert facts.locator("tbody tr").all_inner_texts() == ["Sodium\t14.8 mg\t1%", "Protein\t9 g\t"]
    page.keyboard.press("Enter")
    expect(facts).to_be_hidden()


def test_an_opened_dish_moves_only_what_is_below_it(lunch):
    def tops():
        return [card.bounding_box()["y"] for card in lunch.locator(".hall").all()]

    for width, columns in ((1280, 4), (720, 2)):
        lunch.set_viewport_size({"width": width, "height": 800})
        expect(lunch.locator(f".hall:nth-child({columns + 1})")).to_have_css("grid-column-start", "1")
        before = tops()
        lunch.locator(".hall").nth(1).locator("summary.dish").first.click()
        expect(lunch.locator(".facts .allergens"), str(width)).to_be_visible()

        moved = [index for index, (old, new) in enumerate(zip(before, tops(), strict=True)) if old != new]

        assert moved == [*range(columns + 1, len(before), columns)], width
        lunch.locator(".hall").nth(1).locator("summary.dish").first.click()


def test_unknown_allergens_are_never_none(open_menu):
    facts = open_dish(open_menu({**KNOWN, "allergens": None, "contains": None}))

    assert facts.locator("p").first.text_content() == "Allergens: unknown. The dish may contain any: ask in the hall."


def test_gluten_that_is_never_declared_is_said_to_be_of_the_ingredients_and_wheat_is_offered(lunch):
    lunch.locator("summary.dish", has_text="Popcorn Chicken").first.click()
    facts = lunch.locator(".facts:visible")
    expect(facts).to_contain_text("Gluten: named in ingredients; the provider never declares it.")
    assert "never declares celery, gluten, " in lunch.locator("#menu-caution").text_content()
    lunch.goto(f"{lunch.url}&without=gluten")
    expect(lunch.get_by_role("alert")).to_contain_text("Gluten: named in ingredients; the provider never declares it.")

    lunch.get_by_role("link", name="Hide only dishes with wheat").click()

    expect(lunch).to_have_url(re.compile("without=wheat$"))
    assert lunch.locator(".dish").count() > 0


def test_a_dish_has_its_allergens_on_a_line(open_menu):
    for contains, line in {
        ("gluten", "tree nuts", "wheat"): "Allergens: gluten, tree nuts, wheat",
        (): "no allergens listed",
    }.items():
        page = open_menu({**KNOWN, "contains": contains})

        assert page.locator(".dish-allergens").first.text_content() == line, contains

    # Of a menu without any, it would be on each line.
    assert open_menu({**KNOWN, "contains": None}).locator(".dish-allergens").count() == 0


def test_a_dish_of_which_nothing_is_known_is_no_disclosure(open_menu):
    for facts in (None, UNKNOWN):
        page = open_menu(facts)

        assert page.locator("summary.dish").count() == 0, facts
        assert page.get_by_text("Of 1 dish, nothing but its name is known: ask in the hall.").is_visible(), facts


def test_dishes_without_labels_and_allergens_still_offer_the_vocabulary_as_filters(open_menu):
    page = open_menu(None)

    page.locator("#filter-button").click()

    expect(page.locator("#menu-caution")).to_be_hidden()
    expect(page.get_by_role("group", name="Quick filters")).to_be_hidden()
    assert page.get_by_role("group", name="Only dishes labelled").is_hidden()
    assert page.get_by_role("checkbox", name="milk").is_visible()


def test_labels_in_other_letters_are_one_filter(open_menu):
    labels = [{"code": name, "name": name, "implies": []} for name in ("vegan", "Vegan", "Halal")]

    page = open_menu(*({**UNKNOWN, "labels": [label]} for label in labels))

    expect(page.get_by_role("group", name="Quick filters").get_by_role("button")).to_have_text(["Vegan", "Halal"])
