"""The menus of now: serving hours, a page that is left open, browsers of other time zones."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from tests.factories import hall, serving
from tests.processes.commands import PRODUCTION
from tests.publishing import publish_dining

ZONES = ["Asia/Tokyo", "America/New_York", "Pacific/Honolulu"]
HOURS = {"breakfast": "07:30-10:30", "lunch": "11:30-13:30,13:45-14:15", "dinner": "17:00-19:30"}


@pytest.fixture(scope="module")
def server(serve_shared, shared_database):
    """The service with a hall, its hours, and all meals of three days; without breakfast on a fourth."""
    servings = [serving(date=f"2026-11-{day}", meal=meal) for day in (19, 20, 21, 22) for meal in range(day == 22, 3)]
    publish_dining(shared_database, servings, halls={30: hall(None, **HOURS)})
    return serve_shared()


@pytest.fixture
def open_at(server, visit):
    """Open the menus, with motion, at a time of November 20 on the campus; `pass_minutes` moves the clocks on."""

    def replace_closing(route, until):
        rows = route.fetch().json()
        dinners = [row | {"closes": closes} for row in rows if row["closes"] == "19:30" for closes in until]
        route.fulfill(json=[row for row in rows if row["closes"] != "19:30"] + dinners)

    def open_at(hour, minute, query="", day=20, until=("19:30",)):
        page = visit(f"{server.url}/docs", reduced_motion="no-preference")
        now = datetime(2026, 11, day, hour, minute, tzinfo=ZoneInfo("America/New_York")).astimezone(UTC)

        def pass_minutes(minutes):
            nonlocal now
            now += timedelta(minutes=minutes)
            page.clock.fast_forward(minutes * 60_000)

        page.route(f"{server.url}/", lambda route: send_at(format_datetime(now, usegmt=True), route))
        page.route("**/dining/hours?*", lambda route: replace_closing(route, until))
        # The clock of the browser is wrong, and stands still, but for what the test adds.
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        page.goto(f"{server.url}/explore?view=menus{query}")
        expect(page.locator(".hall")).to_be_visible()
        page.pass_minutes = pass_minutes
        return page

    return open_at


def test_the_meal_that_is_served_now_or_next_is_shown_with_its_hours(open_at):
    for time, (meal, hours) in {
        (7, 0): ("Breakfast", "Opens at 7:30 AM, until 10:30 AM"),
        (10, 29): ("Breakfast", "Open now, until 10:30 AM"),
        (10, 30): ("Lunch", "Opens at 11:30 AM, until 1:30 PM"),
        (12, 0): ("Lunch", "Open now, until 1:30 PM, and 1:45 PM–2:15 PM"),
        (13, 35): ("Lunch", "Opens at 1:45 PM, until 2:15 PM"),
        (14, 15): ("Dinner", "Opens at 5:00 PM, until 7:30 PM"),
        (21, 0): ("Dinner", "Closed since 7:30 PM"),
    }.items():
        page = open_at(*time)

        expect(page.get_by_role("tab", selected=True)).to_have_text(meal)
        expect(page.locator(".hours")).to_have_text(hours)

    without_breakfast = open_at(9, 0, day=22)
    expect(without_breakfast.get_by_role("tab", selected=True)).to_have_text("Lunch")


def test_the_hours_of_another_day_are_not_those_of_now_and_yesterday_is_called_so(open_at):
    for day, summary in ((19, "Lunch yesterday, Thursday, November 19: 1 dish in 1 hall"), (21, "Lunch tomorrow")):
        page = open_at(12, 0, f"&date=2026-11-{day}&meal=1")
        expect(page.locator(".hours")).to_have_text("11:30 AM–1:30 PM, 1:45 PM–2:15 PM")
        expect(page.locator("#menu-summary")).to_contain_text(summary)


def test_a_page_left_open_moves_on_at_the_end_of_a_meal(open_at):
    page = open_at(14, 10)
    expect(page.locator(".hours")).to_have_text("Open now, until 2:15 PM")

    page.pass_minutes(6)

    expect(page.get_by_role("tab", selected=True)).to_have_text("Dinner")
    expect(page.locator(".hours")).to_have_text("Opens at 5:00 PM, until 7:30 PM")
    assert re.search("date=|meal=", page.url) is None


def test_a_page_left_open_moves_on_at_midnight(open_at):
    page = open_at(23, 55)
    expect(page.locator("#menu-summary")).to_contain_text("Dinner today, Friday, November 20")

    page.pass_minutes(6)

    expect(page.locator("#menu-summary")).to_contain_text("Breakfast today, Saturday, November 21: 1 dish")
    expect(page.locator("#week a[aria-current]")).to_have_text("Sat 21 November 2026, today")


def test_a_dinner_stays_as_it_is_after_midnight_until_it_ends(open_at):
    page = open_at(23, 55, until=["02:00"])
    page.evaluate("document.querySelector('.dish').dataset.same = 'yes'")
    page.pass_minutes(6)
    expect(page.locator("[aria-busy]")).to_have_count(0)
    assert page.locator(".dish[data-same]").count() == 1

    later = open_at(1, 55, day=21, until=["02:00"])
    expect(later.locator("#menu-summary")).to_contain_text("Dinner today, Friday, November 20")
    expect(later.locator(".hours")).to_have_text("Open now, until 2:00 AM")
    assert re.search("date=|meal=", later.url) is None
    later.pass_minutes(6)
    expect(later.locator("#menu-summary")).to_contain_text("Breakfast today, Saturday, November 21: 1 dish")


def test_a_serving_that_ended_after_midnight_is_not_open(open_at):
    page = open_at(0, 45, day=21, until=["00:30", "02:00"])

    expect(page.locator(".hours")).to_have_text("Open now, until 2:00 AM")


def test_a_page_left_open_moves_on_when_the_network_is_back(open_at):
    page = open_at(23, 55)
    page.context.set_offline(True)
    page.route("**/*", lambda route: route.abort())
    page.pass_minutes(6)
    expect(page.get_by_role("alert")).to_contain_text("The service cannot be reached")
    page.unroute("**/*")

    page.context.set_offline(False)

    expect(page.locator("#menu-summary")).to_contain_text("Breakfast today, Saturday, November 21: 1 dish")


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

    def query():
        return page.url.partition("?")[2]

    assert query() == "view=menus"
    page.get_by_role("tab", name="Dinner").click()
    assert query() == "view=menus&meal=2"
    page.get_by_role("tab", name="Lunch").click()
    assert query() == "view=menus"
    page.get_by_role("link", name="Sat 21").click()
    expect(page.locator("#menu-summary")).to_contain_text("Lunch tomorrow")
    assert query() == "view=menus&date=2026-11-21&meal=1"
    page.get_by_role("link", name="Fri 20").click()
    expect(page.locator("#menu-summary")).to_contain_text("Lunch today")
    assert query() == "view=menus"


def test_the_last_hall_is_remembered_but_no_limit_of_a_link_to_a_menu_of_all_halls(open_at):
    page = open_at(12, 0)
    hall = page.get_by_label("Hall", exact=True)
    hall.select_option("Hall 30")
    expect(page).to_have_url(re.compile("location=30"))
    menus = page.url.partition("&")[0]
    for url, value in ((menus, "30"), (f"{menus}&date=2026-11-21&meal=1", "")):
        page.goto(url)
        expect(page.locator(".hall")).to_be_visible()
        expect(hall).to_have_value(value)
    page.goto(menus)
    expect(hall).to_have_value("30")
    hall.select_option("All halls")
    page.reload()
    expect(page.locator(".hall")).to_be_visible()
    expect(hall).to_have_value("")


def shown(page):
    return page.get_by_label("Date", exact=True).input_value(), page.get_by_role("tab", selected=True).text_content()


def test_the_day_and_the_meal_are_those_of_the_campus(serve, visit):
    for now, expected in {
        "2026-11-20T09:59:00-05:00": ("2026-11-20", "Breakfast"),
        "2026-11-20T14:59:00-05:00": ("2026-11-20", "Lunch"),
        "2026-11-21T04:59:00+00:00": ("2026-11-20", "Dinner"),
        "2026-11-21T05:00:00+00:00": ("2026-11-21", "Breakfast"),
    }.items():
        server = serve(PRODUCTION, CAMPUS_MONGO_URI="mongomock://", CAMPUS_CLOCK_FROZEN_AT=now)
        pages = [visit(f"{server.url}/explore?view=menus", timezone_id=zone) for zone in ZONES]
        assert [shown(page) for page in pages] == [expected] * len(ZONES), now


def send_at(date, route):
    response = route.fetch()
    route.fulfill(response=response, headers={**response.headers, "date": date})
