"""Menus that cannot be shown: closed and missing days, links with mistakes; and where their links lead."""

import re

from playwright.sync_api import expect

from tests.factories import NOON, serving
from tests.publishing import publish_dining

LUNCH = "view=menus&date=2026-11-20&meal=1"
MISTAKES = {
    "date=2026-02-30&meal=2": ("is not a day of the calendar", "Show the current menu", "date=2026-11-20&meal=2"),
    "date=2026-11-21&meal=constructor": ("meal=constructor is not", "Show the current", "date=2026-11-21&meal=1"),
    "date=11/21/2026&meal=dinner&without=milk": (
        "meal=dinner is not an integer",
        "Show dinner",
        "date=2026-11-21&meal=2&without=milk",
    ),
    "date=2026-11-21&meal=7": ("There is no meal 7", "Show lunch", "date=2026-11-21&meal=1"),
    "date=2026-11-21&meal=1&location=999": ("no hall with the ID 999", "Show all halls", "date=2026-11-21&meal=1"),
}


def test_a_closed_day_and_a_meal_without_dishes_show_a_message_and_only_dates_with_menus_are_steps(
    serve_shared, shared_database, visit
):
    publish_dining(shared_database, [serving(date="2026-11-18"), serving()])
    service = serve_shared(CAMPUS_CLOCK_FROZEN_AT=NOON)
    for date, move in (("2026-12-24", "Previous day"), ("2026-11-19", "Next day")):
        page = visit(f"{service.url}/explore?view=menus&date={date}&meal=0")
        assert page.get_by_role("heading", name="Closed").count() == (move == "Next day"), date
        following = page.locator("#menu .message").get_by_role("link", name="Breakfast today, Friday, November 20")
        expect(following).to_have_count(int(move == "Next day"))
        page.get_by_role("button", name=move).click()
        expect(page.locator(".dish-name"), date).to_have_text(["Kashi Pilaf"])
        assert page.get_by_label("Date", exact=True).input_value() == "2026-11-20", date
        expect(page.get_by_role("button", name="Next day"), date).to_have_attribute("aria-disabled", "true")
    page.get_by_role("tab", name="Dinner").click()
    expect(page.get_by_role("heading", name="Nothing served")).to_be_visible()


def test_a_meal_without_a_menu_in_a_hall_that_serves_it_shows_its_hours(explore):
    message = explore("date=2026-11-20&meal=0&location=7").locator("#menu .message")

    expect(message).to_contain_text("No menu of Dunster and Mather House is listed for breakfast.")
    expect(message.locator(".hours")).to_have_text("Closed since 10:30 AM")


def test_a_day_that_is_not_loaded_leads_to_the_next_menu_or_the_last_one(explore):
    for date, following, value in [
        ("2026-12-24", "Friday, November 27", "2026-11-27"),
        ("2020-01-01", "Lunch today, Friday, November 20", "2026-11-20"),
    ]:
        page = explore(f"date={date}&meal=1")
        assert page.get_by_role("heading", name="No menu").is_visible(), date

        page.get_by_role("link", name=following).click()

        expect(page.get_by_role("link", name="JSON")).to_have_attribute("href", re.compile(f"date={value}"))
        assert page.locator(".hall li").count() > 5, date


def test_links_with_several_kinds_of_mistakes_are_corrected(explore):
    for query, (reason, link, corrected) in MISTAKES.items():
        page = explore(query)
        expect(page.get_by_role("alert")).to_contain_text(reason)
        assert page.get_by_role("button", name="Try again").count() == 0, query

        page.get_by_role("link", name=link).click()

        expect(page.get_by_role("link", name="JSON")).to_have_attribute("href", f"/dining/dishes?{corrected}")
        assert page.locator(".hall li").count() > 5, query


def test_the_link_of_a_message_leads_to_the_menu(explore):
    no_dish = "No dish name of this day in Annenberg Hall has “no such dish”."
    filtered = "With these filters, no dish name of this day has “chicken”."
    for query, (sentence, link) in {
        f"{LUNCH}&q=no+such+dish&location=30": (no_dish, "Show all halls"),
        f"{LUNCH}&q=milk": ("Names are searched, ingredients and allergens are not.", "Show all dishes"),
        f"{LUNCH}&q=no+such+dish": ("No dish name of this day has “no such dish”.", "Show all dishes"),
        "view=menus&date=2026-11-20&meal=0&q=chicken&label=vegan": (filtered, "Show without the filters"),
    }.items():
        page = explore(query)
        expect(page.locator("#menu")).to_contain_text(sentence)

        page.get_by_role("link", name=link).press("Enter")

        expect(page.locator("#menu"), query).to_be_focused()
        expect(page.get_by_role("alert").get_by_role("link", name=link)).to_have_count(0)


def test_the_map_link_of_a_hall_leads_to_the_card_of_its_building(explore):
    page = explore(LUNCH)

    page.get_by_role("link", name="Map: Annenberg Hall").press("Enter")

    expect(page.locator("#building-card h2")).to_be_focused()
    expect(page.locator("#building-card h2")).to_have_text("Memorial Hall")
    expect(page).to_have_url(re.compile(r"\?view=buildings&id=\d+$"))
