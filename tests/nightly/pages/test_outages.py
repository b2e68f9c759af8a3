"""Pages during an outage, and when it ends, in a real browser; without data, nothing looks like an outage."""

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.processes.browser import accessibility_violations, on_each_screen
from tests.processes.commands import PRODUCTION

# The times of requests by the clock of the page: a test sees them later.
RECORD_REQUESTS = """
const send = fetch;
window.requestTimes = [];
window.fetch = (url, options) => {
    if (url.includes("/dining/dishes")) {
        window.requestTimes.push(Date.now());
    }
    return send(url, options);
};
"""
PROBLEM = {"status": 503, "detail": "The database is unavailable.", "errors": []}


def send_as_stale(seconds):
    """Return a handler of requests that marks the response as stale."""

    def send(route):
        response = route.fetch()
        stale = {"Age": str(seconds), "Cache-Status": "campus; fwd=stale"}
        route.fulfill(response=response, headers={**response.headers, **stale})

    return send


def test_without_data_the_page_says_so(serve, visit):
    server = serve(PRODUCTION, CAMPUS_MONGO_URI="mongomock://")

    buildings, menus = (visit(f"{server.url}/explore?view={view}") for view in ("buildings", "menus"))

    assert buildings.get_by_role("heading", name="No buildings yet").is_visible()
    expect(buildings.locator("#map")).to_be_hidden()
    assert menus.get_by_role("heading", name="No menus yet").is_visible()
    assert menus.get_by_text("run campus-load dining with an export, or campus-load samples").is_visible()


def test_a_page_says_from_when_stale_data_is(samples, visit):
    page = visit(f"{samples.url}/docs", timezone_id="America/New_York")
    page.route("**/map/buildings", send_as_stale(7200))
    page.clock.set_fixed_time("2026-11-20T17:40:00Z")

    page.goto(f"{samples.url}/explore?view=buildings")

    notice = "The database is unavailable: this data is from Friday 10:40 AM."
    expect(page.locator("#notice")).to_have_text(notice)


def test_the_notice_is_about_the_dishes_whatever_comes_after_them(samples, visit):
    page = visit(f"{samples.url}/docs")
    page.route("**/dining/dishes?*", send_as_stale(300))
    held = []
    page.route("**/dining/hours?*", lambda route: held.append(route))
    with page.expect_request("**/dining/hours?*"), page.expect_response("**/dining/dishes?*"):
        page.goto(f"{samples.url}/explore?view=menus")
    expect(page.get_by_role("tab", name="Lunch")).to_be_visible()

    held[0].continue_()

    expect(page.locator(".dish-name").first).to_be_visible()
    expect(page.locator("#notice")).to_contain_text("The database is unavailable: this data is from ")


@pytest.fixture
def open_in_outage(samples, visit):
    """Open the menus with a clock of the test, in an outage that ends when the test calls `end`; count `attempts`."""

    def open_in_outage(retry_after):
        page = visit(f"{samples.url}/docs")
        page.attempts = []

        def fail(route):
            page.attempts.append(route.request.url)
            route.fulfill(status=503, json=PROBLEM, headers={"Retry-After": retry_after})

        page.route("**/dining/dishes?*", fail)
        page.end = lambda: page.unroute("**/dining/dishes?*")
        # A clock that stands still, but for what the test adds.
        page.clock.install(time=0)
        page.add_init_script(RECORD_REQUESTS)
        page.clock.pause_at(1000)
        page.goto(f"{samples.url}/explore?view=menus&date=2026-11-20&meal=1")
        expect(page.get_by_role("alert")).to_contain_text("The database is unavailable")
        return page

    return open_in_outage


def test_retry_after_is_respected(open_in_outage):
    page = open_in_outage("30")
    page.clock.fast_forward(29_500)
    assert len(page.attempts) == 1

    page.end()
    page.clock.fast_forward(1000)

    expect(page.locator(".hall").first).to_be_visible()


def test_attempts_become_less_frequent(open_in_outage):
    page = open_in_outage("0")

    while len(page.attempts) <= 5:
        page.clock.fast_forward(1000)

    delays = [later - earlier for earlier, later in pairwise(page.evaluate("requestTimes"))]
    assert len(delays) == 5
    assert all(delay >= 1000 * 2**attempt for attempt, delay in enumerate(delays)), delays


def test_an_error_of_a_page_that_was_left_is_not_retried(open_in_outage):
    page = open_in_outage("0")
    page.get_by_role("link", name="Buildings", exact=True).click()
    # The map opens in several tasks, which timers start.
    page.clock.resume()
    expect(page.get_by_role("button", name="Adams House")).to_be_visible()

    page.clock.fast_forward(120_000)

    expect(page.locator("#buildings")).to_be_visible()
    assert len(page.attempts) == 1


def test_an_error_of_the_menus_does_not_change_the_title_of_the_buildings(samples, visit):
    page = visit(f"{samples.url}/docs")
    held = []
    page.route("**/dining/dishes?*", lambda route: held.append(route))
    with page.expect_request("**/dining/dishes?*"):
        page.goto(f"{samples.url}/explore?view=menus")
    page.get_by_role("link", name="Buildings", exact=True).click()
    expect(page).to_have_title("Buildings · Campus data API")

    held[0].fulfill(status=503, json=PROBLEM)

    expect(page.locator("#menu .loading")).to_have_count(0)
    expect(page).to_have_title("Buildings · Campus data API")


@on_each_screen
def test_a_page_says_how_long_it_waits_for_the_service_at_each_attempt(samples, visit):
    held = []
    for view, url, place, result in (
        ("menus&q=e", "**/dining/dishes?*", "#menu", ".hall"),
        ("buildings", "**/map/buildings", "#results", "[data-id]"),
    ):
        page = visit(f"{samples.url}/docs")
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        page.route(url, lambda route: held.append(route), times=3)
        page.goto(f"{samples.url}/explore?view={view}")
        expect(page.locator(f"{place} .skeleton")).to_be_visible()
        status = page.locator(f"{place} .loading")
        expect(status, view).to_have_text("")

        page.clock.fast_forward(3000)
        expect(status, view).to_have_text("Still loading")
        page.clock.fast_forward(7000)
        expect(status, view).to_contain_text("The service does not respond")
        held[-1].fulfill(body="")
        for _ in range(2):
            page.get_by_role("alert").get_by_role("button", name="Try again").click()
        expect(status, view).to_have_text("")
        page.clock.fast_forward(10_000)
        expect(status, view).to_contain_text("The service does not respond")

        page.clock.resume()
        assert accessibility_violations(page) == [], view
        page.get_by_role("button", name="Try again").first.press("Enter")
        expect(page.locator(result).first).to_be_visible()
        expect(page.locator(place)).to_be_focused()
        expect(page.locator(f".loading, {place} .skeleton"), view).to_have_count(0)
        assert page.errors == [], view
