"""What is known about dishes, in a real browser; the dishes of the service are replaced in it."""

import json

import pytest
from playwright.sync_api import expect

from tests.factories import facts_row
from tests.processes.browser import PHONE, accessibility_violations
from tests.processes.commands import fetch

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
    labels=[VEGAN, VEGETARIAN, {"code": "LOC", "name": None, "implies": []}],
    as_of="2026-11-20",
)


@pytest.fixture
def open_menu(samples, visit):
    """Open a lunch whose only dish, in two categories of a hall that have the same name, has these facts."""

    def open_menu(facts):
        page = visit(f"{samples.url}/docs")
        dish = {"date": "2026-11-20", "meal": 1, "recipe": 1, "name": "Kashi Pilaf", "locations": [30], "facts": facts}
        dishes = [{**dish, "category": category} for category in (1, 2)]
        page.route("**/dining/dishes?*", lambda route: route.fulfill(json=dishes))
        categories = [{"id": category, "name": "Grains"} for category in (1, 2)]
        page.route("**/dining/categories", lambda route: route.fulfill(json=categories))
        page.goto(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=1")
        expect(page.locator(".dish-name").first).to_have_text("Kashi Pilaf")
        return page

    return open_menu


@pytest.fixture
def open_dish(open_menu):
    """Open a dish with these facts, and return them as shown."""

    def open_dish(facts):
        page = open_menu(facts)
        page.get_by_text("Kashi Pilaf").first.click()
        expect(page.locator(".facts").first).to_be_visible()
        return page.locator(".facts").first

    return open_dish


def test_the_facts_of_the_service_are_shown_without_another_request(samples, visit):
    page = visit(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=1")
    dishes = json.loads(fetch(f"{samples.url}/dining/dishes?date=2026-11-20&meal=1").body)
    dish = next(each for each in dishes if each["facts"]["allergens"])
    requests = len(page.requested_urls)

    page.get_by_text(dish["name"], exact=True).first.click()

    expect(page.locator(".allergens")).to_have_text(f"Allergens: {', '.join(dish['facts']['allergens'])}")
    assert page.requested_urls[requests:] == []
    assert page.errors == []


def test_a_dish_has_its_calories_and_its_labels_but_for_those_that_others_imply(open_menu):
    dish = open_menu(KNOWN).locator("summary").first

    assert dish.locator(".badge").all_text_contents() == ["vegan", "LOC"]
    assert dish.get_by_text("240 cal").is_visible()


def test_categories_of_one_name_stand_once_in_a_card(open_menu):
    card = open_menu(KNOWN).locator(".hall")

    assert card.locator("h3").all_text_contents() == ["Grains"]
    assert card.locator("li").count() == 2


def test_the_facts_of_a_dish_begin_with_its_allergens(open_dish):
    facts = open_dish(KNOWN)

    assert facts.locator("p").all_text_contents() == [
        "Allergens: Tree Nuts, Wheat",
        "Labels: vegan, vegetarian, LOC",
        "Ingredients: Oats, <b>Wheat</b>",
        "Serving size: 1 CUP",
        "Calories: 240, 35 from fat",
        "As of November 20, 2026",
    ]
    assert facts.locator("tbody tr").all_inner_texts() == ["Sodium\t14.8 mg\t1%", "Protein\t9 g\t"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_facts_are_accessible_and_fit_the_width_of_a_phone(open_dish, scheme):
    page = open_dish(KNOWN).page
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({**PHONE, "width": 320})

    assert accessibility_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_unknown_allergens_are_never_none(open_dish):
    facts = open_dish({**KNOWN, "allergens": None})

    assert facts.locator("p").first.text_content() == "Allergens: unknown. The dish may contain any: ask in the hall."


@pytest.mark.parametrize("facts", [None, UNKNOWN])
def test_a_dish_of_which_nothing_is_known_is_no_disclosure(open_menu, facts):
    page = open_menu(facts)

    assert page.locator("summary").count() == 0
    assert page.get_by_text("Of 1 dish, nothing but its name is known: ask in the hall.").is_visible()


def test_a_dish_without_nutrients_has_no_table(open_dish):
    facts = open_dish({**UNKNOWN, "ingredients": "Oats"})

    assert "Ingredients: Oats" in facts.text_content()
    assert facts.locator("table").count() == 0


def test_a_dish_is_opened_and_closed_by_keyboard(open_menu):
    page = open_menu(KNOWN)
    page.get_by_role("tabpanel").focus()
    facts = page.locator(".facts").first

    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(facts).to_be_visible()
    page.keyboard.press("Enter")

    expect(facts).to_be_hidden()
