"""Pages that were opened during an outage, when it ends."""

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.factories import NOON
from tests.processes.commands import IMPATIENT, ROOT, wait_for

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


def test_pages_recover_when_the_database_is_back(mongod_with_data, serve, visit):
    mongod_with_data.kill()
    settings = {"CAMPUS_MONGO_URI": mongod_with_data.uri(), "CAMPUS_CLOCK_FROZEN_AT": NOON, **IMPATIENT}
    server = serve(ROOT / "production.ini", **settings)
    pages = [visit(f"{server.url}/explore?view={view}") for view in ("menus&meal=0", "buildings")]
    for page in pages:
        expect(page.get_by_role("alert")).to_contain_text("recovers by itself")

    mongod_with_data.start()

    expect(pages[0].locator(".dish-name")).to_have_text(["Kashi Pilaf"])
    expect(pages[1].locator("#results li strong")).to_have_text(["Widener Library"] * 3)
    assert [page.get_by_role("alert").count() for page in pages] == [0, 0]


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


def show_again(page):
    """Pretend that the user returns to the tab."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_retry_after_is_respected_even_if_the_tab_becomes_visible(open_in_outage):
    page = open_in_outage("30")
    page.clock.fast_forward(29_000)
    show_again(page)
    page.clock.fast_forward(500)
    assert len(page.attempts) == 1

    page.end()
    page.clock.fast_forward(1000)

    expect(page.locator(".hall").first).to_be_visible()


def await_next_attempt(page):
    attempts = len(page.attempts)
    while len(page.attempts) == attempts:
        page.clock.fast_forward(1000)


def test_attempts_become_less_frequent(open_in_outage):
    page = open_in_outage("0")

    for _ in range(5):
        await_next_attempt(page)

    delays = [later - earlier for earlier, later in pairwise(page.evaluate("requestTimes"))]
    assert len(delays) == 5
    assert all(delay >= 1000 * 2**attempt for attempt, delay in enumerate(delays)), delays


def test_a_tab_that_becomes_visible_tries_at_once(open_in_outage):
    page = open_in_outage("0")
    for _ in range(5):
        await_next_attempt(page)
    start = page.evaluate("Date.now()")
    page.end()

    def is_recovered():
        show_again(page)
        page.clock.run_for(1)
        return page.locator(".hall").count()

    wait_for(is_recovered)

    # The sixth attempt would follow after 32 seconds.
    assert page.evaluate("Date.now()") - start < 30_000


def test_an_error_of_a_page_that_was_left_is_not_retried(open_in_outage):
    page = open_in_outage("0")
    page.get_by_role("link", name="Buildings", exact=True).click()
    # The map opens in several tasks, which timers start.
    page.clock.resume()
    expect(page.get_by_role("button", name="Adams House")).to_be_visible()

    page.clock.fast_forward(120_000)

    expect(page.locator("#buildings")).to_be_visible()
    assert len(page.attempts) == 1
