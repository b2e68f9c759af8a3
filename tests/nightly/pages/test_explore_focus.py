"""The keyboard focus after links that replace what contains them, in a real browser."""

import pytest
from playwright.sync_api import expect

DAY = "date=2026-11-20&meal=1"


@pytest.mark.parametrize(
    ("query", "link"),
    [
        (f"{DAY}&q=no+such+dish&location=30", "Show all halls"),
        ("date=2026-11-20&meal=0&q=chicken&label=vegan", "Remove the filters"),
        ("date=2026-12-24&meal=1", "Show Friday, November 27, 2026"),
        ("date=2026-11-20&meal=7", "Show lunch"),
    ],
)
def test_the_link_of_a_message_leads_to_the_menu(samples, visit, query, link):
    page = visit(f"{samples.url}/explore?view=menus&{query}")

    page.get_by_role("link", name=link).press("Enter")

    expect(page.locator("#menu")).to_be_focused()
    expect(page.get_by_role("alert").get_by_role("link", name=link)).to_have_count(0)


def test_the_button_to_try_again_leads_to_the_menu(samples, visit):
    page = visit(f"{samples.url}/explore?view=menus&{DAY}")
    page.route("**/*", lambda route: route.abort())
    page.get_by_role("link", name="Sat 21 November 2026").click()
    button = page.get_by_role("button", name="Try again")
    button.focus()
    page.unroute("**/*")

    button.press("Enter")

    expect(page.locator(".hall").first).to_be_visible()
    expect(page.locator("#menu")).to_be_focused()


def test_the_map_link_of_a_hall_leads_to_the_card_of_its_building(samples, visit):
    page = visit(f"{samples.url}/explore?view=menus&{DAY}")

    page.get_by_role("link", name="Map: Annenberg Hall").press("Enter")

    expect(page.locator("#building-card h2")).to_be_focused()
