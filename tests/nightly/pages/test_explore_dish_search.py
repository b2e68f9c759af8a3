"""The search among the dishes of a day, in a real browser."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.processes.commands import fetch


@pytest.fixture
def page(samples, visit):
    return visit(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=1")


def search(page, text):
    page.get_by_label("Dish name").fill(text)


def test_a_search_shows_the_dishes_with_all_its_words(page):
    search(page, "RÍCE span")

    assert set(page.locator(".dish-name").all_text_contents()) == {"Spanish Rice"}
    assert page.get_by_role("tab").all_text_contents() == ["Breakfast (0)", "Lunch (1)", "Dinner (0)"]


def test_the_summary_names_the_search(page):
    search(page, " rice span")

    expect(page.locator("#menu-summary")).to_contain_text("1 dish in 3 halls for “rice span”")


def test_a_search_without_a_match_at_this_meal_leads_to_another(samples, page):
    breakfast, lunch = (
        {row["name"] for row in json.loads(fetch(f"{samples.url}/dining/menus?date=2026-11-20&meal={meal}").body)}
        for meal in (0, 1)
    )
    dish = max(breakfast - lunch)
    search(page, dish)
    assert page.get_by_text(f"No dish name at lunch has “{dish}”.").is_visible()

    page.get_by_role("link", name="Show breakfast").click()

    expect(page.get_by_role("tab", selected=True)).to_have_text("Breakfast (1)")
    assert set(page.locator(".dish-name").all_text_contents()) == {dish}


def test_a_search_without_any_match_shows_a_message(page):
    search(page, "no such dish")

    assert page.get_by_text("No dish name of this day has “no such dish”.").is_visible()


@pytest.mark.parametrize(
    ("query", "sentence", "link"),
    [
        ("q=scone&location=30", "No dish name of this day in Annenberg Hall has “scone”.", "Show all halls"),
        ("q=chicken&label=vegan", "With these filters, no dish name of this day has “chicken”.", "Remove the filters"),
    ],
)
def test_a_search_names_the_hall_or_the_filters_that_limit_it_and_removes_them(samples, visit, query, sentence, link):
    page = visit(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=0&{query}")
    expect(page.locator("#menu .message")).to_contain_text(sentence)

    page.get_by_role("link", name=link).click()

    expect(page.get_by_role("tablist").get_by_text(re.compile(r"\([1-9]"))).not_to_have_count(0)


def test_a_search_for_an_allergen_says_that_only_names_are_searched(samples, page):
    dishes = json.loads(fetch(f"{samples.url}/dining/dishes?date=2026-11-20").body)
    assert any("Milk" in (dish["facts"]["allergens"] or ()) for dish in dishes)

    search(page, "milk")

    expect(page.locator("#menu .message")).to_contain_text("Names are searched, ingredients and allergens are not.")


def test_the_url_restores_a_search(page, visit):
    search(page, "rice")
    expect(page).to_have_url(re.compile("q=rice"))

    other = visit(page.url)

    expect(other.get_by_label("Dish name")).to_have_value("rice")
    expect(other.locator(".dish-name")).to_have_text(page.locator(".dish-name").all_text_contents())
