"""The menus of now: serving hours, and a page that is left open."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import cache
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from tests.factories import facts, hall, serving
from tests.functional.service import Service
from tests.publishing import publish_dining

HOURS = {"breakfast": "07:30-10:30", "lunch": "11:30-13:30,13:45-14:15", "dinner": "17:00-19:30; Th 17:00-26:00"}


@pytest.fixture(scope="module")
def server(serve_shared, shared_database):
    """The service with a hall, its hours, and all meals of three days, of which the first is a Thursday."""
    servings = [serving(date=f"2026-11-{day}", meal=meal) for day in (19, 20, 21) for meal in range(3)]
    publish_dining(shared_database, servings, facts={31001: facts()}, halls={30: hall(None, **HOURS)})
    return serve_shared()


@pytest.fixture(scope="module")
def index_at(server, shared_uri):
    """Return the index of the service at a time."""

    @cache
    def index_at(moment):
        service = Service(shared_uri, **{"clock.frozen_at": moment.isoformat()})
        service.revisions.poll()
        try:
            return service.app.get("/").json
        finally:
            service.close()

    return index_at


@pytest.fixture
def open_at(server, index_at, visit):
    """Open the menus, with motion, at a time of November on the campus; `pass_minutes` moves the clocks on."""

    def open_at(hour, minute, query="", day=20):
        page = visit(f"{server.url}/docs", reduced_motion="no-preference")
        now = datetime(2026, 11, day, hour, minute, tzinfo=ZoneInfo("America/New_York")).astimezone(UTC)

        def pass_minutes(minutes):
            nonlocal now
            now += timedelta(minutes=minutes)
            page.clock.fast_forward(minutes * 60_000)

        def send_index(route):
            route.fulfill(json=index_at(now), headers={"date": format_datetime(now, usegmt=True)})

        page.route(f"{server.url}/", send_index)
        # The clock of the browser is wrong, and stands still, but for what the test adds.
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        page.goto(f"{server.url}/explore?view=menus{query}")
        expect(page.locator(".hall")).to_be_visible()
        page.pass_minutes = pass_minutes
        return page

    return open_at


def test_a_page_left_open_moves_on_at_midnight(open_at):
    page = open_at(23, 55)
    expect(page.locator("#selection")).to_have_text("Tomorrow · Breakfast · All halls")
    expect(page.locator(".hours")).to_have_text("7:30 AM–10:30 AM")
    expect(page.locator("#menu-summary")).to_contain_text("Breakfast tomorrow, from 7:30 AM: 1 dish in 1 hall")
    page.locator("summary.dish").click()

    page.pass_minutes(6)

    expect(page.locator("#menu-summary")).to_contain_text("Breakfast today, from 7:30 AM: 1 dish")
    expect(page.locator("#week a[aria-current]")).to_have_text("Sat 21 November 2026, today")
    expect(page.locator(".facts")).to_contain_text("Sesame")


def test_a_dinner_stays_as_it_is_after_midnight_until_it_ends(open_at):
    page = open_at(23, 55, day=19)
    page.evaluate("document.querySelector('.dish').dataset.same = 'yes'")
    page.pass_minutes(6)
    expect(page.locator("[aria-busy]")).to_have_count(0)
    assert page.locator(".dish[data-same]").count() == 1

    later = open_at(1, 55)
    expect(later.locator("#menu-summary")).to_contain_text("Dinner today, Thursday, November 19")
    expect(later.locator(".hours")).to_have_text("Open now, until 2:00 AM")
    assert re.search("date=|meal=", later.url) is None
    later.pass_minutes(6)
    expect(later.locator("#menu-summary")).to_contain_text("Breakfast today, from 7:30 AM: 1 dish")


def test_a_page_left_open_moves_on_when_the_network_is_back(open_at):
    page = open_at(23, 55)
    page.context.set_offline(True)
    page.route("**/*", lambda route: route.abort())
    page.pass_minutes(6)
    expect(page.get_by_role("alert")).to_contain_text("The service cannot be reached")
    page.unroute("**/*")

    page.context.set_offline(False)

    expect(page.locator("#menu-summary")).to_contain_text("Breakfast today, from 7:30 AM: 1 dish")


def test_a_date_and_a_meal_that_were_chosen_stay(open_at):
    page = open_at(14, 10, "&date=2026-11-20&meal=1")
    tomorrow = open_at(23, 55, "&date=2026-11-21&meal=1")
    expect(tomorrow.locator("#menu-summary")).to_contain_text("Lunch tomorrow, Saturday, November 21")

    page.pass_minutes(6)
    tomorrow.pass_minutes(6)

    expect(page.locator(".hours")).to_have_text("Closed since 2:15 PM")
    expect(page.get_by_role("tab", selected=True)).to_have_text("Lunch")
    expect(tomorrow.locator("#menu-summary")).to_contain_text("Lunch today, Saturday, November 21")


def test_while_the_date_and_the_meal_are_those_of_now_the_url_does_not_have_them(open_at):
    page = open_at(12, 0)
    url = page.url
    assert url.endswith("?view=menus")
    for name, query in {"Dinner": "&meal=2", "Lunch": "", "Sat 21": "&date=2026-11-21&meal=1", "Fri 20": ""}.items():
        page.locator("[role=tab], #week a").filter(has_text=name).click()

        expect(page).to_have_url(url + query)
