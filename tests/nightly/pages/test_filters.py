"""The filters of the menus page by labels and allergens, in a real browser."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from tests.processes.browser import accessibility_violations, check_filters, dish_names, on_each_screen
from tests.processes.commands import fetch
from tests.processes.servers import get_json

MENU = "date=2026-11-20&meal=1"


@pytest.fixture
def page(explore):
    """The lunch, with motion."""
    return explore(f"view=menus&{MENU}", reduced_motion="no-preference")


def test_unknown_dishes_are_counted_for_the_whole_meal(samples, explore):
    dishes = get_json(samples, f"/dining/dishes?{MENU}")
    recipes = {dish["recipe"] for dish in dishes if dish["facts"]["contains"] is None}
    assert len(recipes) > 0

    for query in ("", "&q=no+such+dish", "&location=30"):
        page = explore(f"view=menus&{MENU}{query}")

        expect(page.locator("#filter-note")).to_contain_text(f"unknown allergens, {len(recipes)} in this meal,"), query


def test_filters_that_hide_all_dishes_can_be_removed(page):
    check_filters(page, "halal", "wheat", "milk", "eggs", "soy", "sesame", "tree nuts")
    expect(page.get_by_role("heading", name="No dish matches the filters")).to_be_visible()

    page.get_by_role("button", name="Remove filters").click()

    expect(page.locator(".dish").first).to_be_visible()
    assert "without" not in page.url
    page.goto(page.url)
    expect(page.get_by_text("Filters", exact=True)).to_be_visible()


def test_the_caution_comes_first_when_the_first_filter_is_set(page):
    caution = "As listed by the dining service; nobody has checked it, and dishes share kitchens. Ask in the hall."
    expect(page.locator("#menu-summary")).not_to_contain_text(caution)
    check_filters(page, "milk")
    expect(page.locator("#menu-summary")).to_contain_text(caution)

    check_filters(page, "eggs")

    expect(page.locator("#menu-summary")).to_contain_text("eggs")
    expect(page.locator("#menu-summary")).not_to_contain_text(caution)


def test_back_and_forward_revert_a_label_and_keep_the_allergens_as_do_other_tabs(page):
    page.get_by_role("tab", name="Dinner").click()
    expect(page).to_have_url(re.compile("meal=2"))
    check_filters(page, "milk")
    for go, meal in ((page.go_back, "2"), (page.go_back, "1"), (page.go_forward, "2")):
        go()

        expect(page).to_have_url(re.compile(f"meal={meal}&without=milk"))
        expect(page.get_by_role("checkbox", name="milk", exact=True), meal).to_be_checked()
    check_filters(page, "vegan")
    page.go_back()
    expect(page.get_by_role("checkbox", name="vegan")).not_to_be_checked()

    other = page.context.new_page()
    other.goto(page.url)
    check_filters(other, "eggs", "halal")
    expect(page).to_have_url(re.compile("without=milk&without=eggs&label=vegan&label=halal"))


def test_a_storage_that_is_blocked_does_not_matter(page):
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked'); } })")
    page.reload()

    check_filters(page, "vegan")

    expect(page).to_have_url(re.compile("label=vegan"))
    assert page.errors == []


@on_each_screen
def test_links_to_the_data_have_the_filters_in_force_and_are_one_tap_away(samples, explore):
    page = explore(f"view=menus&{MENU}&without=milk&label=vegan")

    page.get_by_role("link", name="Take it with you").click()

    query = f"{MENU}&label=vegan&without=milk"
    for name, path in {"Spreadsheet": "dishes.csv", "JSON": "dishes"}.items():
        link = page.locator("#menu-links").get_by_role("link", name=name, exact=True)
        expect(link, name).to_be_in_viewport(ratio=1)
        assert link.get_attribute("href") == f"/dining/{path}?{query}", name
    calendar = page.locator("#menu-links li a").last.get_attribute("href")
    assert calendar == "/dining/menus.ics?meal=1&label=vegan&without=milk"
    assert {dish["name"] for dish in get_json(samples, f"/dining/dishes?{query}")} == dish_names(page)


def test_the_link_to_share_takes_allergens_along_only_if_the_visitor_says_so(explore, visit):
    page = explore("view=menus&location=30&without=milk", permissions=["clipboard-read", "clipboard-write"])
    shown = dish_names(page)

    page.get_by_text("Copy link", exact=True).click()
    expect(page.locator("#menu-links")).to_contain_text("Do you want others to know your filters: no milk?")
    assert accessibility_violations(page) == []

    values = {"view": "menus", "location": "30", "date": "2026-11-20", "meal": "1"}
    for name, filters in (("Copy link without filters", {}), ("Copy link with filters", {"without": "milk"})):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("button", name=name)).to_have_count(0)
        url = page.evaluate("navigator.clipboard.readText()")
        assert parse_qs(urlsplit(url).query) == {name: [value] for name, value in (values | filters).items()}, name
    assert dish_names(visit(url)) == shown != set()


@on_each_screen
def test_calendars_are_of_the_hall_or_of_the_meal(samples, explore):
    page = explore(f"view=menus&{MENU}&location=30")
    links = page.locator("#menu-links")

    links.get_by_text("Calendar", exact=True).press("Enter")

    webcal = samples.url.replace("http", "webcal")
    for title, query in {"The whole hall": "location=30", "This meal": "meal=1&location=30"}.items():
        path = f"/dining/menus.ics?{query}"
        google = "https://calendar.google.com/calendar/r?" + urlencode({"cid": webcal + path})
        added = f"calendar/0/addfromweb?{urlencode({'url': samples.url + path})}"
        outlook = {
            "Outlook": f"https://outlook.live.com/{added}",
            "Microsoft 365": f"https://outlook.office.com/{added}",
        }
        for name, url in {"Google": google, "Apple": webcal + path, **outlook, "Link": path}.items():
            link = links.get_by_role("link", name=f"{name}: {title}")
            expect(link, name).to_be_visible()
            assert link.get_attribute("href") == url, name
        assert b"BEGIN:VEVENT" in fetch(samples.url + path).body, title
    assert accessibility_violations(page) == []


@on_each_screen
def test_a_spreadsheet_has_the_byte_order_mark_that_excel_needs(samples, page):
    files = (("menus", "Spreadsheet", "dishes.csv"), ("buildings", "Spreadsheet (CSV)", "buildings.csv"))
    for view, link, name in files:
        page.goto(f"{samples.url}/explore?view={view}&{MENU}")

        with page.expect_download() as download:
            page.get_by_role("link", name=link, exact=True).click()

        url = samples.url + page.get_by_role("link", name=link, exact=True).get_attribute("href")
        assert download.value.suggested_filename == name, view
        assert Path(download.value.path()).read_bytes() == b"\xef\xbb\xbf" + fetch(url).body, view


def test_links_to_the_data_have_the_dishes_of_a_search(samples, page):
    check_filters(page)
    page.get_by_label("Dish name").fill("wrap")
    expect(page.get_by_role("link", name="JSON")).to_have_attribute("href", re.compile("recipe="))

    url = page.get_by_role("link", name="JSON").get_attribute("href")

    served = {dish["name"] for dish in get_json(samples, url)}
    assert served == dish_names(page)
    assert len(served) > 1
