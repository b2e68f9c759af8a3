"""Pages of which a part does not load: what can be shown is shown, and what cannot says so."""

import pytest
from playwright.sync_api import expect

from tests.processes.browser import NO_WORKER, PHONE

WARNING = "The map and favourites need a part of this page that did not load. Reload"
BOXES = "[...document.querySelectorAll('.columns > *')].map((each) => each.getBoundingClientRect())"
ARE_IN_TURN = f"{BOXES}.every(({{ top }}, index, all) => !index || top >= all[index - 1].bottom)"
FAULTS = {
    "blocked": lambda route: route.abort(),
    "faulty": lambda route: route.fulfill(status=500, body="Internal server error"),
    "of another network": lambda route: route.fulfill(body="<!doctype html>Log in", content_type="text/html"),
    "endless": lambda route: None,
}


@pytest.fixture
def open_page(samples, chromium):
    """Open the page without a part of it, and close the one before; of an endless part, wait eleven seconds."""

    def open_page(part, fault, query=""):
        for context in chromium.contexts:
            context.close()
        page = chromium.new_context(viewport=PHONE, **NO_WORKER).new_page()
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.clock.install()
        page.route(f"**/{part}", FAULTS[fault])
        page.goto(f"{samples.url}/explore{query}", wait_until="commit")
        if fault == "endless":
            expect(page.locator("#notice")).to_be_attached()
            page.clock.fast_forward(11_000)
        return page

    yield open_page
    for context in chromium.contexts:
        context.close()


@pytest.mark.parametrize("fault", FAULTS)
def test_without_a_module_nothing_is_shown_as_if_it_were_filtered(fault, open_page):
    for query in ("?view=menus&without=milk", "?view=menus&date=2026-11-21", "?view=buildings"):
        page = open_page("menus.js", fault, query)

        expect(page.locator("#notice"), query).to_have_text(WARNING)
        expect(page.locator(".dish").first, query).to_be_visible()
        expect(page.get_by_text("Not filtered: allergens may be in these dishes."), query).to_have_count(0)
        assert (page.locator(".dish-allergens", has_text="milk").count() == 0) == ("milk" in query), query
        expect(page.get_by_role("link", name="Reload"), query).to_have_attribute("href", "")
        assert page.locator(".skeleton:visible").count() == 0, query


@pytest.mark.parametrize("fault", ["blocked", "faulty"])
def test_a_part_that_is_loaded_when_it_is_used_says_in_its_place_that_it_did_not_load(fault, open_page):
    for part, query, place, text in (
        ("links.js", "", "#menu-links", "Sharing did not load. Reload"),
        ("site-search.js", "?view=menus&q=nothing", "#menu", "The search did not load. Reload"),
        ("buildings.js", "?view=buildings", "#results", "The list of buildings did not load. Reload"),
        ("map.js", "?view=buildings", "#map", "The map did not load. Reload"),
    ):
        page = open_page(part, fault, query)

        expect(page.locator(place), part).to_contain_text(text)
        expect(page.locator("#notice"), part).to_be_empty()
        assert page.errors == [], part


@pytest.mark.parametrize("fault", FAULTS)
def test_without_leaflet_the_list_of_buildings_works(fault, open_page):
    for part in ("leaflet.js", "leaflet.css"):
        page = open_page(part, fault, "?view=buildings&q=library")

        expect(page.locator("#results li").first, part).to_be_visible()
        expect(page.locator("#map"), part).to_contain_text("The map did not load. Reload")
        page.locator("#results button").first.click()
        expect(page.locator("#building-card"), part).to_be_visible()


@pytest.mark.parametrize("fault", FAULTS)
def test_without_styles_or_the_search_the_menus_are_there(fault, open_page):
    for part in ("site.css", "explore.css", "site-search.js"):
        page = open_page(part, fault)

        expect(page.locator(".hall[aria-labelledby]").first, part).to_be_visible()
        page.wait_for_function(ARE_IN_TURN)


@pytest.mark.parametrize("fault", FAULTS)
def test_without_a_response_of_the_api_the_menus_of_now_stay_with_an_error_until_another_day(fault, open_page):
    message = "The service does not respond" if fault == "endless" else "Try again"
    for part in ("", "dining/dishes?*", "dining/locations", "dining/categories"):
        page = open_page(part, fault)

        expect(page.locator("#menu"), part).to_contain_text(message)
        expect(page.locator(".dish").first, part).to_be_visible()
        if fault != "endless":
            page.evaluate("history.pushState(0, '', '?date=2026-11-21&meal=1'); dispatchEvent(new Event('popstate'))")
            expect(page.locator(".dish"), part).to_have_count(0)
    for part in ("dining/hours?*", "dining/locations.geojson"):
        page = open_page(part, fault)

        expect(page.locator(".dish" if fault == "endless" else ".hall[aria-labelledby]").first, part).to_be_visible()
