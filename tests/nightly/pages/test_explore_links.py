"""Links to buildings of a campus that is 40 km wide, in a real browser, with and without motion."""

import pytest
from playwright.sync_api import expect
from pymongo import MongoClient

from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import building
from tests.processes.browser import DESKTOP, PHONE
from tests.processes.commands import ROOT, spawning, start_server

MOTION = {"reduced_motion": "no-preference"}
LAST, COUNT = "Hall 300", 300
# In the page, because the map zooms for a quarter of a second only.
CHOOSE_WHILE_ZOOMING = """async () => {
    document.querySelector(".leaflet-control-zoom-out").click();
    while (!document.querySelector(".leaflet-zoom-anim")) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    document.querySelector("[data-id='8']").click();
}"""


@pytest.fixture(scope="module")
def wide(tmp_path_factory, mongod):
    """The service with 300 halls in a row from south to north, and without menus."""
    halls = [
        building(number, name=f"Hall {number}", point=(42.2 + 0.36 * number / COUNT, -71.1), polygons=())
        for number in range(1, COUNT + 1)
    ]
    with MongoClient(f"{mongod}/wide", tz_aware=True) as client:
        database = client.get_default_database()
        publish(database, plan_buildings(database, halls), [])
        with spawning(tmp_path_factory.mktemp("wide")) as spawn:
            yield start_server(spawn, ROOT / "production.ini", CAMPUS_MONGO_URI=f"{mongod}/wide")
        client.drop_database(database)


def label(page, name):
    return page.locator(".map-label span").get_by_text(name, exact=True)


def scale(page):
    return page.locator(".leaflet-control-scale-line").first


def rest(page):
    """Wait until the map does not move: an animation starts in the next frame."""
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    expect(page.locator(".leaflet-zoom-anim")).to_have_count(0)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE])
def test_a_link_to_a_building_shows_it(wide, visit, viewport, motion):
    page = visit(f"{wide.url}/explore?view=buildings&id=7", viewport=viewport, reduced_motion=motion)

    rest(page)

    assert scale(page).text_content() == "30 m"
    expect(label(page, "Hall 7")).to_be_in_viewport(ratio=1)


def test_a_building_chosen_while_the_map_zooms_is_shown(wide, visit):
    page = visit(f"{wide.url}/explore?id=7", **MOTION)

    page.evaluate(CHOOSE_WHILE_ZOOMING)
    rest(page)

    expect(label(page, "Hall 8")).to_be_in_viewport(ratio=1)
    assert scale(page).text_content() == "30 m"


@pytest.mark.parametrize("number", [60, COUNT])
def test_the_list_scrolls_to_the_building_of_a_link(wide, visit, number):
    page = visit(f"{wide.url}/explore?id={number}", **MOTION)

    button = page.get_by_role("button", name=f"Hall {number}", exact=False)

    expect(button).to_be_in_viewport(ratio=1)
    expect(button).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE])
def test_closing_the_card_of_a_link_leads_to_the_building_in_the_list(wide, visit, viewport):
    page = visit(f"{wide.url}/explore?id={COUNT}", viewport=viewport)

    page.get_by_role("button", name="Close").click()

    expect(page.get_by_role("button", name=f"Hall {COUNT}")).to_be_focused()
    expect(page.get_by_role("button", name=f"Hall {COUNT}")).to_be_in_viewport(ratio=1)
    expect(page.locator("#results li").last).to_have_text("99 more are shown on the map.")


def test_a_building_that_is_reached_by_back_is_in_the_list(wide, visit):
    page = visit(f"{wide.url}/explore?id={COUNT}")
    page.get_by_label("Name, address or city").fill("hall 7")
    expect(page.locator("#result-count")).to_have_text("57 of 300 buildings")

    page.go_back()

    expect(page.get_by_role("button", name=f"Hall {COUNT}")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("id_", ["999", "library", "-1", "1e3"])
def test_a_link_to_a_building_that_does_not_exist_leads_to_the_search(wide, visit, id_):
    page = visit(f"{wide.url}/explore?view=buildings&id={id_}")
    assert page.get_by_role("heading", name="Building not found").is_visible()

    page.get_by_role("button", name="Search the buildings").click()

    expect(page.get_by_label("Name, address or city")).to_be_focused()
    expect(page.get_by_role("article")).to_be_hidden()
    expect(page).to_have_url(f"{wide.url}/explore?view=buildings")
    assert page.errors == []
