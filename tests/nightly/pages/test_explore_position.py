"""The position of the visitor on the map in a real browser."""

import pytest
from playwright.sync_api import expect

NEAR, FAR = ({"latitude": latitude, "longitude": -71.122, "accuracy": 40} for latitude in (42.3795, 41.5))


def scale(page):
    return page.locator(".leaflet-control-scale-line").first


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_own_position_is_requested_on_a_click_only(samples, visit, motion):
    page = visit(f"{samples.url}/explore?id=350", geolocation=NEAR, permissions=["geolocation"], reduced_motion=motion)
    assert page.locator(".map-position").count() == 0

    page.get_by_role("button", name="My position").click()

    expect(page.locator(".map-position span")).to_be_in_viewport(ratio=1)
    expect(page.locator(".map-label span").get_by_text("Cabot House")).to_be_in_viewport(ratio=1)
    expect(page.locator(".map-status")).to_be_empty()


def test_a_visitor_far_away_sees_how_far(samples, visit):
    page = visit(f"{samples.url}/explore?id=350", geolocation=FAR, permissions=["geolocation"])

    page.get_by_role("button", name="My position").click()

    expect(page.locator(".map-status")).to_have_text("You are 97 km away from the campus.")
    expect(page.locator(".map-position span")).to_be_in_viewport(ratio=1)


def test_a_position_that_may_not_be_known_is_explained(samples, visit):
    page = visit(f"{samples.url}/explore?id=350", permissions=[])
    zoom = scale(page).text_content()

    page.get_by_role("button", name="My position").click()

    expect(page.locator(".map-status")).to_have_text("Your browser does not allow this page to know your position.")
    assert scale(page).text_content() == zoom
