"""Menus that cannot be shown: closed and missing days, links with mistakes."""

import re

import pytest
from playwright.sync_api import expect

from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import NOON, serving
from tests.processes.commands import ROOT


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

    expect(page.locator(".dish-name")).to_have_text(["Kashi Pilaf"])
    assert page.get_by_label("Date", exact=True).input_value() == "2026-11-20"


def test_a_meal_without_dishes_shows_a_message(open_day):
    page = open_day("2026-11-20")

    page.get_by_role("tab", name="Dinner").click()

    expect(page.get_by_role("heading", name="Nothing served")).to_be_visible()


def test_a_meal_without_a_menu_in_a_hall_that_serves_it_shows_its_hours(samples, visit):
    page = visit(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=0&location=7")

    message = page.locator("#menu .message")
    expect(message).to_contain_text("No menu of Dunster and Mather House is listed for breakfast.")
    expect(message.locator(".hours")).to_have_text("Closed since 10:30")


@pytest.mark.parametrize(
    ("date", "nearest", "value"),
    [
        ("2026-12-24", "Friday, November 27, 2026", "2026-11-27"),
        ("2020-01-01", "Thursday, November 19, 2026", "2026-11-19"),
    ],
)
def test_a_day_that_is_not_loaded_leads_to_the_nearest_one(samples, visit, date, nearest, value):
    page = visit(f"{samples.url}/explore?view=menus&date={date}&meal=1")
    assert page.get_by_role("heading", name="No menu").is_visible()
    assert page.get_by_text("There are menus from November 19, 2026 to November 27, 2026.").is_visible()

    page.get_by_role("link", name=f"Show {nearest}").click()

    expect(page.get_by_role("link", name="JSON")).to_have_attribute("href", re.compile(f"date={value}"))
    assert page.locator(".hall li").count() > 5


def test_a_link_with_an_unknown_meal_leaves_the_meals_to_the_keyboard(samples, visit):
    page = visit(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=7")
    page.get_by_role("button", name="Filters").focus()

    page.keyboard.press("Tab")

    expect(page.get_by_role("tab", name="Breakfast")).to_be_focused()


@pytest.mark.parametrize(
    ("query", "reason", "link", "corrected"),
    [
        (
            "date=11/20/2026&meal=dinner",
            "date=11/20/2026 is not a date written YYYY-MM-DD; meal=dinner is not an integer",
            "Show dinner, Friday, November 20, 2026",
            "date=2026-11-20&meal=2",
        ),
        ("date=2026-13-45&meal=2", "is not a day of the calendar", "Show the current menu", "date=2026-11-20&meal=2"),
        ("date=2026-02-30&meal=2", "is not a day of the calendar", "Show the current menu", "date=2026-11-20&meal=2"),
        ("date=2026-11-21&meal=constructor", "meal=constructor is not", "Show the current", "date=2026-11-21&meal=1"),
        ("date=2026-11-21&meal=7", "There is no meal 7", "Show lunch", "date=2026-11-21&meal=1"),
        ("date=2026-11-21&meal=1&location=999", "no hall with the ID 999", "Show all halls", "date=2026-11-21&meal=1"),
        ("date=2026-11-21&meal=1&location=x", "location=x is not an", "Show the current", "date=2026-11-21&meal=1"),
    ],
)
def test_a_link_with_mistakes_shows_them_and_a_corrected_link(samples, visit, query, reason, link, corrected):
    page = visit(f"{samples.url}/explore?view=menus&{query}")
    expect(page.get_by_role("alert")).to_contain_text(reason)
    assert page.get_by_role("button", name="Try again").count() == 0

    page.get_by_role("link", name=link).click()

    expect(page.get_by_role("link", name="JSON")).to_have_attribute("href", f"/dining/dishes?{corrected}")
    assert page.locator(".hall li").count() > 5
