"""The clock of the campus in browsers of other time zones."""

import pytest
from playwright.sync_api import expect

from tests.processes.commands import ROOT

ZONES = ["Asia/Tokyo", "America/New_York", "Pacific/Honolulu"]


def shown(page):
    return page.get_by_label("Date", exact=True).input_value(), page.get_by_role("tab", selected=True).text_content()


@pytest.mark.parametrize(
    ("now", "date", "meal"),
    [
        ("2026-11-20T09:59:00-05:00", "2026-11-20", "Breakfast"),
        ("2026-11-20T14:59:00-05:00", "2026-11-20", "Lunch"),
        ("2026-11-21T04:59:00+00:00", "2026-11-20", "Dinner"),
        ("2026-11-21T05:00:00+00:00", "2026-11-21", "Breakfast"),
    ],
)
def test_the_day_and_the_meal_are_those_of_the_campus(serve, visit, now, date, meal):
    server = serve(ROOT / "production.ini", CAMPUS_MONGO_URI="mongomock://", CAMPUS_CLOCK_FROZEN_AT=now)

    pages = [visit(f"{server.url}/explore?view=menus", timezone_id=zone) for zone in ZONES]

    assert [shown(page) for page in pages] == [(date, meal)] * len(ZONES)


@pytest.mark.parametrize(("hour", "meal"), [(14, "Breakfast"), (15, "Lunch"), (20, "Dinner")])
def test_the_hour_is_that_of_the_response_and_not_of_the_browser(serve, visit, hour, meal):
    server = serve(ROOT / "production.ini", CAMPUS_MONGO_URI="mongomock://")
    page = visit(f"{server.url}/docs", timezone_id="Asia/Tokyo")

    def send_at_this_hour(route):
        response = route.fetch()
        route.fulfill(response=response, headers={**response.headers, "date": f"Fri, 20 Nov 2026 {hour}:00:00 GMT"})

    page.route(f"{server.url}/", send_at_this_hour)
    page.goto(f"{server.url}/explore?view=menus")

    expect(page.get_by_role("tab", selected=True)).to_have_text(meal)
