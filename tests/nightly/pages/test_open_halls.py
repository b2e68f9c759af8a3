"""The first page: the menus of now, with the halls that are open before the others, in a real browser."""

import re
from math import inf

import pytest
from playwright.sync_api import expect

from campus_api.domain.geography import distance
from tests.processes.browser import on_each_screen
from tests.processes.servers import get_json

# At noon.
HOURS = {38: ("08:00", "11:00"), 9: ("12:30", "14:00"), 30: ("11:30", "13:30")}
STATES = {38: "closed", 9: "later", 30: "open"}
LUNCH, DINNER = 1, 2


@pytest.fixture
def open_menus(samples, visit):
    """Open the menus at noon, when three halls have hours for lunch and a fourth one for dinner."""

    def row(hall, opens, closes, meal=LUNCH):
        served = {"date": "2026-11-20", "location": hall, "meal": meal, "opens": opens, "closes": closes}
        return {**served, "meal_name": "lunch" if meal == LUNCH else "dinner"}

    index = get_json(samples, "/")

    ranks = ("open", "later", "unknown", "closed")
    known = [{**each, "state": STATES.get(each["location"], "unknown")} for each in index["serving"]["locations"]]

    def open_menus(query="", **options):
        rows = [row(hall, *times) for hall, times in HOURS.items()]
        rows.append(row(30, "17:00", "19:30", DINNER))
        now = {**index["serving"], "locations": sorted(known, key=lambda each: ranks.index(each["state"]))}
        routes = {
            "**/dining/hours?*": lambda route: route.fulfill(json=rows),
            f"{samples.url}/": lambda route: route.fulfill(json=index | {"serving": now}),
        }
        page = visit(f"{samples.url}/explore{query}", routes=routes, **options)
        expect(page.locator(".hall[aria-labelledby]").first).to_be_visible()
        return page

    return open_menus


def halls(page):
    return [int(each.get_attribute("data-location")) for each in page.locator(".hall").all()]


def test_a_view_that_does_not_exist_is_that_of_the_menus(samples, visit):
    for view in ("constructor", "__proto__", "nothing"):
        page = visit(f"{samples.url}/explore?view={view}")

        expect(page.locator("#menus"), view).to_be_visible()
        assert (page.locator("main > section:visible").count(), page.errors) == (1, []), view


@on_each_screen
def test_halls_that_are_open_come_first_and_those_that_are_closed_last(open_menus):
    page = open_menus()

    order = halls(page)

    assert (order[:2], order[-1]) == ([30, 9], 38)
    assert len(order) > len(HOURS)
    assert halls(open_menus("?date=2026-11-21&meal=1")) != order


def test_the_nearest_halls_come_first_on_a_click_but_those_that_are_closed_last(samples, open_menus):
    here = 42.3817, -71.1246
    features = get_json(samples, "/dining/locations.geojson")["features"]
    places = {each["id"]: each["geometry"]["coordinates"][::-1] for each in features if each["geometry"]}
    today, tomorrow = (
        open_menus(query, geolocation={"latitude": here[0], "longitude": here[1]}, permissions=["geolocation"])
        for query in ("?meal=1", "?date=2026-11-21&meal=1")
    )
    before = halls(tomorrow)

    for page in (today, tomorrow):
        page.get_by_role("button", name="Nearest halls first").click()
        expect(page.get_by_role("button", name="Nearest halls first")).to_have_attribute("aria-pressed", "true")

    order = halls(today)
    assert (order[:2], order[-1]) == ([30, 9], 38)
    nearest = sorted(before, key=lambda id_: distance(here, places[id_]) if id_ in places else inf)
    assert halls(tomorrow) == nearest != before
    metres = re.search(r"([\d,]+) m, \d+ min", tomorrow.locator(".hall header").first.text_content())[1]
    assert abs(int(metres.replace(",", "")) - distance(here, places[nearest[0]])) < 10


@on_each_screen
def test_a_filter_of_today_shows_only_the_halls_that_are_open_now(open_menus):
    page = open_menus("?meal=2")
    page.get_by_role("button", name="Open now").click()
    expect(page.get_by_role("tab", selected=True)).to_have_text("Lunch")
    assert halls(page) == [30]
    page.get_by_role("tab", name="Dinner").click()
    expect(page.get_by_role("alert")).to_contain_text("No hall is open for dinner now.")
    page.get_by_role("link", name="Show lunch").click()
    assert halls(page) == [30]
    page.get_by_role("button", name="Open now", pressed=True).click()
    assert len(halls(page)) > len(HOURS)
