"""Directions, links and downloads of buildings in a real browser."""

import csv
import io
import json
import re

import pytest
from playwright.sync_api import expect

from tests.processes.browser import PHONE
from tests.processes.commands import fetch

# Cabot House, which has a dining hall.
CABOT, POINT = 350, "42.38121,-71.1244"
# It has two halls, of which Fly-By serves lunch only.
MEMORIAL_HALL = 203


@pytest.fixture
def visit_building(samples, visit):
    return lambda id_=CABOT, **options: visit(f"{samples.url}/explore?view=buildings&id={id_}", **options)


def card_link(page, name):
    return page.get_by_role("article").get_by_role("link", name=name)


def downloads(page):
    """Return the URLs of the links at the end of the list, by format."""
    links = page.locator("#building-downloads a")
    return {link.text_content(): link.get_attribute("href") for link in links.all()}


def test_directions_lead_to_openstreetmap(visit_building):
    page = visit_building()

    url = "https://www.openstreetmap.org/directions?route=%3B42.38121%2C-71.1244"
    expect(card_link(page, "Directions")).to_have_attribute("href", url)


def test_directions_on_a_phone_open_its_app_for_maps(visit_building):
    page = visit_building(viewport=PHONE, is_mobile=True, has_touch=True)

    expect(card_link(page, "Directions")).to_have_attribute("href", f"geo:{POINT}?q={POINT}(Cabot%20House)")


def test_the_link_to_a_building_can_be_copied(samples, visit_building):
    page = visit_building(permissions=["clipboard-read", "clipboard-write"])
    page.get_by_label("Name, address or city").fill("house")
    page.get_by_role("button", name="Cabot House").click()

    page.get_by_role("button", name="Copy link").click()

    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{samples.url}/explore?view=buildings&id={CABOT}"


def test_the_link_to_a_building_is_shared_where_the_system_can(samples, visit):
    page = visit("about:blank")
    page.add_init_script("navigator.share = async (data) => { window.shared = data; };")
    page.goto(f"{samples.url}/explore?id={CABOT}")

    page.get_by_role("button", name="Share").click()

    url = f"{samples.url}/explore?view=buildings&id={CABOT}"
    assert page.evaluate("window.shared") == {"title": "Cabot House", "url": url}
    assert page.get_by_role("button", name="Copy link").count() == 0


def test_a_building_with_a_hall_links_to_its_menus_of_now(visit_building):
    page = visit_building(MEMORIAL_HALL)

    card_link(page, "Menus at Fly-By").click()

    expect(page.get_by_role("tab", name="Lunch")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".hall h2")).to_have_text(["Fly-By"])


def test_a_building_without_a_hall_has_no_link_to_menus(visit_building):
    page = visit_building(116)
    page.wait_for_load_state("networkidle")

    assert page.locator("#building-card .hall-links a").count() == 0


def test_a_building_is_shown_while_halls_cannot_be_loaded(samples, visit):
    page = visit("about:blank")
    page.route("**/locations.geojson", lambda route: route.fulfill(status=503, json={}))

    with page.expect_response("**/locations.geojson"):
        page.goto(f"{samples.url}/explore?id={CABOT}")

    expect(card_link(page, "Directions")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_all_buildings_can_be_downloaded(samples, visit):
    page = visit(f"{samples.url}/explore")

    assert page.locator("#building-downloads").inner_text().startswith("All buildings")
    assert downloads(page) == {
        "GeoJSON": "/map/buildings.geojson",
        "Spreadsheet (CSV)": "/map/buildings.csv",
        "JSON": "/map/buildings",
    }


@pytest.mark.parametrize("text", ["library", "CAFÉ", "oxford street", "rojo (l"])
def test_the_matches_of_a_search_can_be_downloaded(samples, visit, text):
    page = visit(f"{samples.url}/explore")
    page.get_by_label("Name, address or city").fill(text)
    expect(page).to_have_url(re.compile("q="))
    ids = {int(button.get_attribute("data-id")) for button in page.locator("[data-id]").all()}

    bodies = {name: fetch(samples.url + path).body.decode() for name, path in downloads(page).items()}

    assert {row["id"] for row in json.loads(bodies["JSON"])} == ids
    assert {feature["id"] for feature in json.loads(bodies["GeoJSON"])["features"]} == ids
    assert {int(row["id"]) for row in csv.DictReader(io.StringIO(bodies["Spreadsheet (CSV)"]))} == ids
    assert page.locator("#building-downloads").inner_text().startswith(f"{len(ids)} of the buildings")


@pytest.mark.parametrize("text", ["science oxford", "boston", "nothing like this"])
def test_a_search_that_the_api_does_not_have_offers_all_buildings(samples, visit, text):
    page = visit(f"{samples.url}/explore?q={text}")

    assert page.locator("#building-downloads").inner_text().startswith("All buildings")
    assert downloads(page)["JSON"] == "/map/buildings"
