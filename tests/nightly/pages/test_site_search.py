"""The search in the header of every page in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.processes.browser import accessibility_violations, on_each_screen
from tests.processes.servers import get_json


def field(page):
    return page.get_by_role("combobox", name="Search the campus")


def options(page):
    return page.get_by_role("listbox", name="Suggestions").get_by_role("option")


def type_text(page, text):
    field(page).fill(text)
    expect(options(page).first).to_be_visible()


@on_each_screen
@pytest.mark.parametrize("path", ["/", "/docs", "/explore?view=buildings", "/nowhere"])
def test_a_mistyped_dish_leads_to_its_next_serving(samples, visit, path):
    page = visit(samples.url + path)
    type_text(page, "lasanga without fish")
    name = options(page).first.locator(".name").text_content()

    field(page).press("ArrowDown")
    selected = options(page).first
    expect(selected).to_have_attribute("aria-selected", "true")
    expect(selected).to_contain_text("Nov 22, dinner")
    expect(field(page)).to_have_attribute("aria-activedescendant", selected.get_attribute("id"))
    expect(field(page)).to_have_attribute("aria-expanded", "true")
    field(page).press("Enter")

    expect(page).to_have_url(re.compile(r"/explore\?view=menus&date=2026-11-\d\d&meal=\d&q=.*&without=fish"))
    expect(page.locator(".dish-name").first).to_have_text(name)
    assert "Lasagna" in name


@on_each_screen
def test_enter_opens_the_best_suggestion_before_any_is_shown(samples, visit):
    page = visit(samples.url)

    field(page).fill("library lamont")
    field(page).press("Enter")

    expect(page.get_by_role("heading", name="Lamont Library")).to_be_visible()


@on_each_screen
def test_more_results_than_there_is_room_for_and_enter_without_javascript_lead_to_the_page_of_all(samples, visit):
    page = visit(samples.url)
    type_text(page, "chicken")
    field(page).press("ArrowUp")
    expect(page.locator("#site-suggestions [aria-selected=true]")).to_have_text("All results")
    assert accessibility_violations(page) == []
    field(page).press("Enter")
    names = [row["name"] for row in get_json(samples, "/search?q=chicken")]
    expect(page.locator("dt")).to_have_text(names)

    page = visit(f"{samples.url}/explore", java_script_enabled=False)
    field(page).fill("chicken")
    field(page).press("Enter")

    expect(page.locator("dt")).to_have_text(names)


def test_escape_closes_the_suggestions_and_then_clears_the_text(samples, visit):
    page = visit(samples.url)
    type_text(page, "house")
    field(page).press("Escape")
    expect(options(page)).to_have_count(0)
    expect(field(page)).to_have_attribute("aria-expanded", "false")
    expect(field(page)).to_have_value("house")
    field(page).press("Escape")
    expect(field(page)).to_have_value("")
    expect(field(page)).to_be_focused()


def test_a_search_without_results_says_so_and_leads_nowhere(samples, visit):
    page = visit(samples.url)

    field(page).fill("zzqqxx")
    expect(page.get_by_role("search").get_by_role("status")).to_have_text("No results for “zzqqxx”")
    field(page).press("Enter")

    expect(page.get_by_role("search").get_by_role("status")).to_have_text("No results for “zzqqxx”")
    assert page.url == f"{samples.url}/"


@on_each_screen
def test_a_view_without_results_offers_what_is_close(samples, visit):
    page = visit(samples.url)
    for view, text, close in (
        ("buildings", "lamnot", "Lamont Library"),
        ("menus", "lasanga", "Lasagna"),
        ("menus", "anneberg", "Annenberg Hall"),
    ):
        page.goto(f"{samples.url}/explore?view={view}&q={text}")
        offer = page.locator("main").get_by_role("link", name=close).first
        expect(offer, text).to_be_in_viewport(ratio=1)
        expect(page.locator("main").get_by_role("link", name="Show all"), text).to_be_in_viewport(ratio=1)
        assert accessibility_violations(page) == [], text

        offer.click()

        expect(page.get_by_text("Did you mean"), text).to_be_hidden()
        expect(page.locator("h2, .dish-name").get_by_text(close).first).to_be_in_viewport(ratio=1)


def test_an_outage_is_named(samples, visit):
    page = visit(samples.url)
    page.route("**/search?*", lambda route: route.fulfill(status=503, json={"detail": "down"}))

    field(page).fill("library")

    expect(page.get_by_role("search").get_by_role("status")).to_have_text("The database is unavailable")


@on_each_screen
def test_suggestions_are_accessible_fit_the_page_and_can_be_clicked(samples, visit):
    for has_large_text in (False, True):
        page = visit(samples.url, has_large_text=has_large_text)
        type_text(page, "annenberg")
        field(page).press("ArrowDown")

        assert accessibility_violations(page) == [], has_large_text
        assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"], has_large_text
        options(page).first.click()
        expect(page.locator(".hall h2"), str(has_large_text)).to_have_text("Annenberg Hall")
