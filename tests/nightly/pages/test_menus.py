"""The menus page in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.processes.browser import accessibility_violations
from tests.processes.servers import get_json

SATURDAY = "Sat 21 November 2026"


@pytest.fixture
def page(samples, visit):
    return visit(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=1")


def wait_for(page, query):
    expect(page.get_by_role("link", name="JSON")).to_have_attribute("href", re.compile(re.escape(query)))


def date_field(page):
    return page.get_by_label("Date", exact=True)


def rename(route):
    route.fulfill(json=[{**row, "name": f"New {row['name']}"} for row in route.fetch().json()])


def test_the_names_of_another_day_are_those_of_the_current_data(page):
    for path in ("locations", "categories"):
        page.route(f"**/dining/{path}", rename)

    page.get_by_role("link", name=SATURDAY).click()

    for names in ("h2", "h3"):
        expect(page.locator(".hall").first.locator(names).first).to_have_text(re.compile("^New "))


def respond(body):
    return lambda route: route.fulfill(json=body)


def test_other_meals_and_a_brunch_have_their_names_in_the_order_of_their_hours(samples, visit):
    index, dishes = get_json(samples, "/"), get_json(samples, "/dining/dishes?date=2026-11-20")
    index["datasets"]["dining"]["meals"].append({"id": 3, "name": "Late Night"})
    place = {"date": "2026-11-20", "location": 30}
    brunch = {**place, "meal": 1, "meal_name": "Brunch", "opens": "11:00", "closes": "14:00"}
    night = {**place, "meal": 3, "meal_name": "Late Night", "opens": "06:00", "closes": "07:00"}
    responses = {f"{samples.url}/": index, "**/dining/hours?*": [brunch, night]}
    brunches = [
        {**dish, "meal_names": [["lunch", "Brunch"][hall in (8, 30)] for hall in dish["locations"]]} for dish in dishes
    ]
    responses["**/dining/dishes?*"] = [*brunches, {**dishes[0], "meal": 3, "meal_names": ["Late Night"]}]
    routes = {url: respond(body) for url, body in responses.items()}

    page = visit(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=1", routes=routes)

    expect(page.get_by_role("tab")).to_have_text(["Breakfast", "Late Night", "Lunch", "Dinner"])
    hall = page.locator("[data-location='30']")
    expect(hall.locator("summary.hours")).to_have_text(re.compile("^Brunch: Open now"))
    expect(hall.locator("dt")).to_have_text(["Late Night", "Brunch"])
    # Of hall 8, no hours are known.
    expect(page.locator("[data-location='8'] > p").first).to_have_text("Brunch")
    expect(page.locator(".hall > p.muted")).to_have_count(1)
    page.get_by_role("tab", name="Late Night").click()
    expect(page.locator("#menu-summary")).to_contain_text("Late Night today")


def test_the_strip_shows_today_and_the_days_ahead_or_another_week(samples, visit):
    for query, ends in {
        "": ("20 November 2026, today", "26 November 2026"),
        "&date=2026-11-26&meal=1": ("20 November 2026, today", "26 November 2026"),
        "&date=2026-11-19&meal=1": ("13 November 2026, no menu", "19 November 2026"),
        "&date=2026-11-27&meal=1": ("27 November 2026", "3 December 2026, no menu"),
    }.items():
        page = visit(f"{samples.url}/explore?view=menus{query}")

        days = [text.partition(" ")[2] for text in page.locator("#week a").all_text_contents()]

        assert (len(days), days[0], days[-1]) == (7, *ends), query
        assert date_field(page).input_value() in (query or "2026-11-20"), query
        assert page.get_by_text(re.compile(r"Menus of Nov 19\s–\s27, 2026")).is_visible(), query


def test_a_day_or_a_meal_that_is_chosen_by_keyboard_has_the_focus(page):
    page.get_by_role("link", name=SATURDAY).focus()
    page.keyboard.press("Enter")
    wait_for(page, "date=2026-11-21")
    expect(page.get_by_role("link", name=SATURDAY)).to_be_focused()
    page.get_by_role("tab", name="Lunch").focus()
    page.keyboard.press("ArrowRight")
    wait_for(page, "meal=2")
    expect(page.get_by_role("tab", name="Dinner")).to_be_focused()
    expect(page.get_by_role("tab", selected=True)).to_have_text("Dinner")


def test_a_menu_that_arrives_late_does_not_replace_the_buildings(page):
    held = []
    page.route("**/dining/dishes?*", lambda route: held.append(route))
    with page.expect_request("**/dining/dishes?*"):
        page.get_by_role("link", name=SATURDAY).click()
    expect(page.locator("#menu > .columns")).to_have_css("opacity", "0.9")
    assert accessibility_violations(page) == []
    page.get_by_role("link", name="Buildings", exact=True).click()
    expect(page.get_by_role("button", name="Adams House")).to_be_visible()

    with page.expect_event("requestfinished"):
        held[0].continue_()
    page.evaluate("new Promise((resolve) => setTimeout(resolve))")

    expect(page).to_have_url(re.compile("view=buildings"))
    assert "November 21" not in page.title()


def test_a_date_that_is_typed_is_one_entry_of_the_history(page):
    date_field(page).focus()
    for key in "11252026":
        page.keyboard.type(key)
        expect(page.locator("[aria-busy]")).to_have_count(0)
    wait_for(page, "date=2026-11-25")
    assert date_field(page).input_value() == "2026-11-25"

    page.go_back()

    wait_for(page, "date=2026-11-20")


def test_each_click_on_next_day_counts_while_a_day_is_loading(samples, page):
    page.route(f"{samples.url}/", lambda route: None)

    page.get_by_role("button", name="Next day").dblclick()

    expect(date_field(page)).to_have_value("2026-11-22")
    assert "date=2026-11-22" in page.url
