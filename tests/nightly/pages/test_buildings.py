"""The search and the list of buildings in a real browser."""

import csv
import io
import json
import re
import unicodedata
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from campus_api.domain.text import fold
from tests.processes.commands import fetch

SEARCH = "Name, address or city"
# After another letter, which gives Σ another lower case; those of Cherokee are folded to capitals by the API only.
LETTERS = [
    f"a{char}"
    for char in map(chr, range(0x110000))
    if unicodedata.category(char).startswith("L") and "CHEROKEE" not in unicodedata.name(char, "")
]
FOLD = """async (texts) => {
    const { src } = document.querySelector("script[src$='/explore.js']");
    const { fold } = await import(src.replace("explore.js", "text.js"));
    return texts.map(fold);
}"""


@pytest.fixture
def page(explore):
    return explore("view=buildings")


def search(page, text):
    page.get_by_label(SEARCH).fill(text)
    expect(page).to_have_url(re.compile(re.escape(f"q={quote_plus(text)}")))


def downloads(page):
    """Return the URLs of the links at the end of the list, by format."""
    links = page.locator("#building-downloads a")
    return {link.text_content(): link.get_attribute("href") for link in links.all()}


def test_the_search_folds_all_letters_as_the_api_does(page):
    folded = page.evaluate(FOLD, LETTERS)

    assert [text for text, each in zip(LETTERS, folded, strict=True) if each != fold(text)] == []


def test_only_buildings_that_match_can_be_clicked_on_the_map(page):
    search(page, "grays")
    region = page.get_by_role("region", name="Map: 1 of 44 buildings")
    box = region.bounding_box()
    for step in range(1, 20):
        region.click(position={"x": box["width"] * step / 20, "y": box["height"] * 0.75})
    assert page.get_by_role("article").count() == 0

    search(page, "widener")
    page.get_by_role("region", name="Map: 1 of 44 buildings").click()

    expect(page.get_by_role("heading", name="Widener Library")).to_be_visible()


def test_a_search_is_dropped_when_the_view_is_left(page):
    page.clock.install()
    page.get_by_label(SEARCH).fill("libr")
    page.get_by_role("link", name="Menus", exact=True).click()
    expect(page.locator(".hall").first).to_be_visible()
    page.clock.run_for(1000)
    assert "view=menus" in page.url


def test_the_page_is_usable_by_keyboard(page):
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("widener")
    expect(page.locator("#result-count")).to_have_text("1 of 44 buildings")

    # Past the map and its four buttons.
    for _ in range(6):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    heading = page.get_by_role("heading", name="Widener Library")
    expect(heading).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Widener Library")).to_be_focused()
    expect(heading).to_be_hidden()


def test_escape_clears_the_search_field_that_has_the_focus_or_closes_the_card(page):
    field, button = page.get_by_label(SEARCH), page.get_by_role("button", name="Widener Library")
    search(page, "widener")
    button.click()
    expect(page).to_have_title("Widener Library · Campus data API")

    field.press("Escape")
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    expect(page.locator("#result-count")).to_have_text("44 buildings")

    button.click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("article")).to_be_hidden()
    expect(button).to_be_focused()
    expect(page).to_have_title("Buildings · Campus data API")


def test_the_matches_of_a_search_are_those_of_the_api_without_a_request_and_can_be_downloaded(samples, page):
    for text in ("library", "CAFÉ", "oxford street", "rojo (l", "wiggles"):
        search(page, text)
        ids = {int(button.get_attribute("data-id")) for button in page.locator("[data-id]").all()}

        bodies = {name: fetch(samples.url + path).body.decode() for name, path in downloads(page).items()}

        assert {row["id"] for row in json.loads(bodies["JSON"])} == ids, text
        assert {feature["id"] for feature in json.loads(bodies["GeoJSON"])["features"]} == ids, text
        assert {int(row["id"]) for row in csv.DictReader(io.StringIO(bodies["Spreadsheet (CSV)"]))} == ids, text
        assert page.locator("#building-downloads").inner_text().startswith(f"{len(ids)} building"), text
    assert [url for url in page.requested_urls if "/map/" in url] == [f"{samples.url}/map/buildings"]


def test_a_search_that_the_api_does_not_have_offers_all_buildings(explore):
    for text in ("", "science oxford", "boston", "nothing like this"):
        page = explore(f"view=buildings&q={text}")

        assert page.locator("#building-downloads").inner_text().startswith("All buildings"), text
        assert downloads(page) == {
            "GeoJSON": "/map/buildings.geojson",
            "Spreadsheet (CSV)": "/map/buildings.csv",
            "JSON": "/map/buildings",
        }, text
