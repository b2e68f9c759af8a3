"""Favourite dishes and halls, which a device remembers, and dishes that people follow, in a real browser."""

import re
from itertools import product

import pytest
from playwright.sync_api import expect

from tests.processes.browser import accessibility_violations, on_each_screen
from tests.processes.servers import get_json

MENU = "view=menus&date=2026-11-20&meal=1"
STORED = "JSON.parse(localStorage.getItem('campus:favourites'))"


@pytest.fixture
def page(samples, visit):
    return visit(f"{samples.url}/explore?{MENU}&location=30")


@on_each_screen
def test_a_favourite_dish_comes_first_with_its_halls_and_is_counted_on_this_device_only(samples, page):
    dish = page.locator(".hall li").last
    last = dish.locator(".dish-name").text_content()
    dish.locator("summary").first.click()
    star = page.get_by_role("button", name=f"Favourite: {last}")
    assert accessibility_violations(page) == []
    name, button = dish.locator(".dish-name").bounding_box(), star.bounding_box()
    assert button["y"] <= name["y"] + name["height"] / 2 <= button["y"] + button["height"]

    star.click()

    expect(star).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page.locator("#selection")).to_contain_text("★ 1")
    assert page.locator(".dish-name").first.text_content() == f"{last}★"
    assert len(page.evaluate(STORED)) == 1
    page.goto(f"{samples.url}/explore?{MENU}&location=")
    first = page.get_by_role("article", name="Favourites").get_by_role("listitem")
    rows = get_json(samples, f"/dining/menus?{MENU.partition('&')[2]}")
    served = {row["location"] for row in rows if row["name"] == last}
    halls = [row["name"] for row in get_json(samples, "/dining/locations") if row["id"] in served]
    expect(first.locator("p").first).to_contain_text(re.compile(".*".join(sorted(halls))))
    first.locator("summary").first.click()
    assert accessibility_violations(page) == []
    page.get_by_role("button", name=f"Favourite: {last}", pressed=True).click()
    assert page.evaluate(STORED) == []


def test_favourite_halls_and_then_those_used_last_come_first_even_before_the_script(samples, visit):
    page = visit(f"{samples.url}/explore")
    open_halls = [hall.get_attribute("data-location") for hall in page.locator(".hall:has(.hours.open)").all()]
    *others, favourite, second, first = open_halls
    page.locator(f"[data-location='{favourite}'] header .star").click()
    for hall in (second, first, ""):
        page.get_by_label("Hall", exact=True).select_option(hall)

    orders = {}
    for blocked, query in product((False, True), ("", "?view=menus&date=2026-11-21&meal=1")):
        if blocked:
            page.route("**/*.js", lambda route: route.abort())
        page.goto(f"{samples.url}/explore{query}")
        expect(page.locator(".hall").first, f"{blocked} {query}").to_be_visible()
        expect(page.locator("[aria-busy]"), f"{blocked} {query}").to_have_count(0)
        halls = [hall.get_attribute("data-location") for hall in page.locator(".hall").all()]
        assert halls == orders.setdefault(query, halls), query
    assert orders[""][: len(open_halls)] == [favourite, first, second, *others]


def test_a_dish_can_be_followed_and_says_when_else_it_is_served(samples, page):
    calendar = f"{samples.url.replace('http', 'webcal')}/dining/menus.ics?recipe=71012"
    days = [f"{day}, 2026" for day in ("Saturday, November 21", "Tuesday, November 24", "Thursday, November 26")]
    page.locator("summary.dish", has_text="House Falafel").click()
    page.get_by_text("When is it served?").click()
    expect(page.get_by_role("link", name="Tell me when it is served")).to_have_attribute("href", calendar)
    texts = [f"{days[0]}, dinner", f"{days[1]}, lunch", f"{days[2]}, dinner"]
    later = page.locator(".facts li")
    expect(later).to_have_text([re.compile(f"^{re.escape(text)} at .*(Hall|House|Fly-By)") for text in texts])
    expect(later.locator("a")).to_have_text(texts)

    later.locator("a").first.click()

    expect(page.locator("#menu")).to_contain_text("House Falafel")
    assert "date=2026-11-21&meal=2" in page.url
