"""The buildings on phones held upright and across, in high contrast and on paper, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.processes.browser import DESKTOP, PHONE

TOUCH = {"is_mobile": True, "has_touch": True}
ACROSS = [{"width": 844, "height": 390}, {"width": 667, "height": 375}]
SMALL = """() => [...document.querySelectorAll("button, a, input")]
    .filter((each) => each.checkVisibility() && !each.matches(".skip-link"))
    .map((each) => [each.textContent, each.getBoundingClientRect().height])
    .filter(([, height]) => height < 39.9)"""


@pytest.fixture
def visit_buildings(samples, visit):
    return lambda query="", **options: visit(f"{samples.url}/explore?view=buildings{query}", **options)


@pytest.mark.parametrize("viewport", ACROSS)
def test_controls_take_less_than_a_third_of_a_phone_held_across(visit_buildings, viewport):
    page = visit_buildings(viewport=viewport, **TOUCH)

    count, area = (page.locator(each).bounding_box() for each in ("#result-count", "#map"))

    assert count["y"] + count["height"] < viewport["height"] / 3
    assert area["height"] > 2 / 3 * viewport["height"]
    expect(page.get_by_label("Name, address or city")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("viewport", [PHONE, *ACROSS])
def test_whatever_a_finger_touches_is_40_pixels_high(visit_buildings, viewport):
    page = visit_buildings("&id=350", viewport=viewport, **TOUCH)
    expect(page.get_by_role("link", name="Menus at")).to_be_visible()

    assert page.evaluate(SMALL) == []


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE])
def test_the_selected_building_is_marked_in_forced_colours(visit_buildings, viewport):
    page = visit_buildings("&id=350", viewport=viewport, forced_colors="active")

    style = "(button) => getComputedStyle(button).outlineStyle"
    outlines = {name: page.get_by_role("button", name=name).evaluate(style) for name in ("Cabot House", "Adams House")}

    assert outlines == {"Cabot House": "solid", "Adams House": "none"}


@pytest.mark.parametrize("viewport", [{"width": 1920, "height": 1000}, DESKTOP, PHONE])
def test_paper_has_the_map_and_the_list_without_controls(visit_buildings, viewport):
    page = visit_buildings("&q=house&id=350", viewport=viewport)

    page.emulate_media(media="print")

    expect(page.get_by_role("button", name="Show all")).to_be_hidden()
    for text in ("Menus", "Directions", "GeoJSON", "Copy link"):
        expect(page.get_by_text(text, exact=True).first).to_be_hidden()
    expect(page.get_by_role("searchbox")).to_be_hidden()
    expect(page.get_by_role("heading", name="Cabot House")).to_be_visible()
    assert page.locator("#map").bounding_box()["width"] <= 681
    assert page.locator("#results [data-id]").count() == 12
