"""What a dish is made of, in a real browser; most responses of the service are replaced in it."""

import json

import pytest
from playwright.sync_api import expect

from tests.factories import facts_row
from tests.service.browser import PHONE, accessibility_violations
from tests.service.processes import fetch

pytestmark = pytest.mark.slow

UNKNOWN = facts_row()
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
    labels=[{"code": "VGN", "name": "vegan", "implies": []}, {"code": "LOC", "name": None, "implies": []}],
    as_of="2026-11-20",
)


@pytest.fixture
def open_dish(samples, visit):
    """Open a dish whose facts are a response, and return them and the page."""

    def open_dish(status=200, json=UNKNOWN):
        page = visit(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=1")
        page.route("**/dining/recipes/*/facts", lambda route: route.fulfill(status=status, json=json))
        dish = page.locator(".hall li").first
        dish.locator("summary").click()
        # The facts are loaded some time after the click, and end with their source.
        expect(dish.locator(".sources")).to_be_visible()
        return dish.locator(".facts")

    return open_dish


def test_the_facts_of_the_service_are_shown(samples, visit):
    page = visit(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=1")
    recipes = {row["recipe"] for row in json.loads(fetch(f"{samples.url}/dining/menus?date=2026-11-20&meal=1").body)}
    facts = [json.loads(fetch(f"{samples.url}/dining/recipes/{recipe}/facts").body) for recipe in recipes]
    dish = next(each for each in facts if each["allergens"])

    page.get_by_text(dish["name"], exact=True).first.click()

    expect(page.locator(".allergens")).to_have_text(f"Allergens: {', '.join(dish['allergens'])}")
    assert page.errors == []


def test_the_facts_of_a_dish_begin_with_its_allergens(open_dish):
    facts = open_dish(json=KNOWN)

    assert facts.locator("p").all_text_contents()[:6] == [
        "Allergens: Tree Nuts, Wheat",
        "Labels: vegan, LOC",
        "Ingredients: Oats, <b>Wheat</b>",
        "Serving size: 1 CUP",
        "Calories: 240, 35 from fat",
        "As of November 20, 2026",
    ]
    assert facts.locator("tbody tr").all_inner_texts() == ["Sodium\t14.8 mg\t1%", "Protein\t9 g\t"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_facts_are_accessible_and_fit_the_width_of_a_phone(open_dish, scheme):
    page = open_dish(json=KNOWN).page
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({**PHONE, "width": 320})

    assert accessibility_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_unknown_allergens_are_never_none(open_dish):
    facts = open_dish(json={**KNOWN, "allergens": None})

    assert facts.locator("p").first.text_content() == "Allergens: unknown. The dish may contain any: ask in the hall."


@pytest.mark.parametrize(("status", "json"), [(200, UNKNOWN), (404, {"status": 404, "detail": "There is nothing."})])
def test_a_dish_without_facts_says_so(open_dish, status, json):
    facts = open_dish(status, json)

    assert "Nothing is known about this dish. Its allergens are unknown" in facts.text_content()
    assert facts.locator("table").count() == 0


def test_a_dish_without_nutrients_has_no_table(open_dish):
    facts = open_dish(json={**UNKNOWN, "ingredients": "Oats"})

    assert "Ingredients: Oats" in facts.text_content()
    assert facts.locator("table").count() == 0


def test_facts_are_requested_once_and_when_a_dish_is_opened(samples, visit):
    page = visit(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=1")
    page.route("**/dining/recipes/*/facts", lambda route: route.fulfill(json=KNOWN))

    dishes = page.get_by_text("New England Clam Chowder", exact=True)
    assert dishes.count() > 1
    for dish in dishes.all():
        dish.click()
    expect(page.get_by_text("Allergens:")).to_have_count(dishes.count())

    assert len([url for url in page.requested_urls if url.endswith("/facts")]) == 1


def test_a_dish_is_opened_and_closed_by_keyboard(samples, visit):
    page = visit(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=1")
    page.route("**/dining/recipes/*/facts", lambda route: route.fulfill(json=KNOWN))
    page.get_by_role("tabpanel").focus()

    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Allergens:")).to_be_visible()
    page.keyboard.press("Enter")

    expect(page.get_by_text("Allergens:")).to_be_hidden()


def test_facts_that_cannot_be_fetched_can_be_retried(samples, visit):
    page = visit(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=1")
    page.context.set_offline(True)
    page.locator("summary").first.click()
    expect(page.get_by_role("alert")).to_contain_text("The service cannot be reached")

    page.context.set_offline(False)
    page.route("**/dining/recipes/*/facts", lambda route: route.fulfill(json=KNOWN))
    page.get_by_role("button", name="Try again").click()

    expect(page.get_by_text("Allergens:")).to_be_visible()
