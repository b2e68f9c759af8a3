"""The menus page in a real browser."""

import json

import pytest
from playwright.sync_api import expect

from loaders.publishing.plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import NOON, serving
from tests.service.processes import ROOT, fetch

pytestmark = pytest.mark.slow


@pytest.fixture
def page(samples, visit):
    return visit(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=1")


def get_json(server, path):
    return json.loads(fetch(server.url + path).body)


def expected(server, query):
    """Return the dishes of the API response by location and category."""
    dishes = {}
    for row in get_json(server, f"/dining/menus?{query}"):
        dishes.setdefault((str(row["location"]), str(row["category"])), []).append(row["name"])
    return dishes


def shown(page):
    """Return the dishes on the page by location and category."""
    dishes = {}
    for hall in page.locator(".hall").all():
        for category in hall.locator("ul").all():
            key = hall.get_attribute("data-location"), category.get_attribute("data-category")
            dishes[key] = category.locator("li").all_text_contents()
    return dishes


def wait_for(page, query):
    expect(page.locator("#menu-sources")).to_contain_text(query)


@pytest.mark.parametrize(("date", "meal", "number"), [("2026-11-19", "Breakfast", 0), ("2026-11-23", "Dinner", 2)])
def test_a_date_and_a_meal_show_the_dishes_of_the_api(samples, page, date, meal, number):
    page.get_by_label("Date", exact=True).fill(date)
    page.get_by_role("tab", name=meal).click()
    wait_for(page, f"date={date}&meal={number}")

    dishes = shown(page)

    assert dishes == expected(samples, f"date={date}&meal={number}")
    assert len(dishes) > 5


def test_halls_and_categories_are_shown_with_their_names(samples, page):
    names = {row["name"] for row in get_json(samples, "/dining/locations")}
    categories = {row["name"] for row in get_json(samples, "/dining/categories")}

    assert set(page.locator(".hall h2").all_text_contents()) <= names
    assert set(page.locator(".hall h3").all_text_contents()) <= categories


def test_one_hall_can_be_selected(samples, page):
    page.get_by_label("Hall").select_option("Annenberg Hall")
    wait_for(page, "location=30")

    assert shown(page) == expected(samples, "date=2026-11-20&meal=1&location=30")


def test_the_default_date_is_today(samples, visit):
    page = visit(f"{samples.url}/explore?view=menus")

    assert page.get_by_label("Date", exact=True).input_value() == "2026-11-20"


def test_days_that_are_not_loaded_are_marked(page):
    days = [link.get_attribute("aria-label") for link in page.locator("#week a").all()]

    assert [day.endswith("not loaded") for day in days] == [True] * 4 + [False] * 3
    assert days[5] == "Friday, November 20, 2026, today"
    assert page.get_by_text("Loaded: Nov 19, 2026 to Nov 27, 2026").is_visible()


def test_previous_and_next_day_stop_at_the_loaded_dates(page):
    before = page.get_by_role("button", name="Previous day")

    before.click()
    wait_for(page, "date=2026-11-19")

    expect(before).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Next day").click()
    wait_for(page, "date=2026-11-20")


def test_meals_are_selected_with_arrow_keys(page):
    page.get_by_role("tab", name="Lunch").focus()

    page.keyboard.press("ArrowRight")

    wait_for(page, "meal=2")
    expect(page.get_by_role("tab", name="Dinner")).to_be_focused()
    expect(page.get_by_role("tab", selected=True)).to_have_text("Dinner")


def test_the_back_button_reverts_each_selection(page):
    page.get_by_role("tab", name="Dinner").click()
    wait_for(page, "meal=2")
    page.get_by_role("link", name="Saturday, November 21").click()
    wait_for(page, "date=2026-11-21")

    page.go_back()
    wait_for(page, "date=2026-11-20&meal=2")
    page.go_back()

    wait_for(page, "date=2026-11-20&meal=1")
    expect(page.get_by_role("tab", selected=True)).to_have_text("Lunch")


def test_a_day_that_is_not_loaded_shows_the_loaded_dates(samples, visit):
    page = visit(f"{samples.url}/explore?view=menus&date=2026-12-24&meal=1")

    assert page.get_by_role("heading", name="Not loaded").is_visible()
    assert page.get_by_text("Menus are loaded from November 19, 2026 to November 27, 2026.").is_visible()


def test_a_hall_without_dishes_shows_a_message(samples, visit):
    page = visit(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=1&location=999")

    assert page.get_by_role("heading", name="Nothing served").is_visible()


def test_a_meal_named_like_a_property_of_objects_is_an_unknown_meal(samples, visit):
    page = visit(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=constructor")

    assert page.get_by_role("heading", name="Nothing served").is_visible()


def test_a_failed_selection_can_be_retried(samples, page):
    page.context.set_offline(True)
    page.get_by_role("link", name="Saturday, November 21").click()
    expect(page.get_by_role("alert")).to_contain_text("The service cannot be reached")

    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()

    wait_for(page, "date=2026-11-21&meal=1")
    assert shown(page) == expected(samples, "date=2026-11-21&meal=1")


def test_an_invalid_date_shows_the_error_of_the_api(samples, visit):
    page = visit(f"{samples.url}/explore?view=menus&date=tomorrow&meal=1")

    expect(page.get_by_role("alert")).to_contain_text("date=tomorrow is not a date written YYYY-MM-DD.")


@pytest.fixture
def open_day(serve, visit, mongod_uri, mongod_database):
    """Open the breakfast menus of a day in a service with menus for the 18th and the 20th."""
    publish(mongod_database, plan_dining(mongod_database, [serving(date="2026-11-18"), serving()]), [])
    server = serve(ROOT / "production.ini", CAMPUS_MONGO_URI=mongod_uri, CAMPUS_CLOCK_FROZEN_AT=NOON)
    return lambda date: visit(f"{server.url}/explore?view=menus&date={date}&meal=0")


def test_a_closed_day_shows_a_message(open_day):
    assert open_day("2026-11-19").get_by_role("heading", name="Closed").is_visible()


def test_previous_day_skips_dates_that_are_not_loaded(open_day):
    page = open_day("2026-12-24")

    page.get_by_role("button", name="Previous day").click()

    wait_for(page, "date=2026-11-20")
    assert page.locator(".hall li").all_text_contents() == ["Kashi Pilaf"]
