"""The search, the list and the card of buildings in a real browser."""

import csv
import io
import json
import re
import unicodedata
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from campus_api.domain.text import fold
from tests.processes.browser import PHONE
from tests.processes.commands import fetch

SEARCH = "Name, address or city"
# Cabot House has one dining hall.
CABOT, POINT = 350, "42.38121,-71.1244"
PHOTO = "https://example.edu/photos/widener-library.jpg"
PIXEL = b"<svg xmlns='http://www.w3.org/2000/svg' width='4' height='3'/>"
# After another letter, which gives Σ another lower case; those of Cherokee are folded to capitals by the API only.
LETTERS = [
    f"a{char}"
    for char in map(chr, range(0x110000))
    if unicodedata.category(char).startswith("L") and "CHEROKEE" not in unicodedata.name(char, "")
]
FOLD = """async (texts) => {
    const { fold } = await import(document.querySelector("script[type=module]").src.replace("explore.js", "text.js"));
    return texts.map(fold);
}"""
TYPE_QUICKLY = """(input) => ["l", "li", "lib"].forEach((text) => {
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
})"""


@pytest.fixture
def page(samples, visit):
    return visit(f"{samples.url}/explore#buildings")


@pytest.fixture
def visit_building(samples, visit):
    return lambda id_=CABOT, **options: visit(f"{samples.url}/explore?view=buildings&id={id_}", **options)


@pytest.fixture
def page_with_photo(samples, page):
    """The page with a photo of Widener Library, and buildings that are no samples, which have no photos."""

    def add_photo(route):
        response = route.fetch()
        rows = [row | {"image": PHOTO} if row["name"] == "Widener Library" else row for row in response.json()]
        route.fulfill(response=response, json=rows)

    def mark_as_real(route):
        response = route.fetch()
        index = response.json()
        index["datasets"]["buildings"]["samples"] = False
        route.fulfill(response=response, json=index)

    page.route("**/map/buildings", add_photo)
    page.route(f"{samples.url}/", mark_as_real)
    page.reload()
    return page


def get_json(server, path):
    return json.loads(fetch(server.url + path).body)


def listed(page):
    return page.locator("#results li strong").all_text_contents()


def search(page, text):
    page.get_by_label(SEARCH).fill(text)
    expect(page).to_have_url(re.compile(re.escape(f"q={quote_plus(text)}")))


def card_link(page, name):
    return page.get_by_role("article").get_by_role("link", name=name)


def downloads(page):
    """Return the URLs of the links at the end of the list, by format."""
    links = page.locator("#building-downloads a")
    return {link.text_content(): link.get_attribute("href") for link in links.all()}


def test_the_search_folds_all_letters_as_the_api_does(page):
    folded = page.evaluate(FOLD, LETTERS)

    assert [text for text, each in zip(LETTERS, folded, strict=True) if each != fold(text)] == []


def test_a_search_matches_the_names_and_addresses_of_the_api_and_sends_no_request(samples, page):
    for text in ("wiggles", "oxford", "house", "CAFÉ"):
        responses = [get_json(samples, f"/map/buildings?{field}={quote_plus(text)}") for field in ("name", "address")]
        names = {row["id"]: row["name"] or "Unnamed building" for rows in responses for row in rows}

        search(page, text)

        assert sorted(listed(page)) == sorted(names.values()), text
    assert [url for url in page.requested_urls if "/map/" in url] == [f"{samples.url}/map/buildings"]


def test_words_match_in_any_order_in_name_address_and_city(page):
    for text, names in {
        "science oxford": ["Science Center"],
        "OXFORD street 52": ["Northwest Building"],
        "way, boston library": ["Baker Library"],
        "boston": ["Baker Library", "Burden Hall", "Murr Center"],
        "lamont oxford": [],
    }.items():
        search(page, text)

        assert listed(page) == names, text


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


def test_a_search_waits_for_a_pause_unless_the_view_is_left(page):
    page.evaluate("addEventListener('campus:navigate', () => (window.searches ??= []).push(location.search))")

    # In one task of the browser, so that no pause between two keys exceeds the debounce delay.
    page.get_by_label(SEARCH).evaluate(TYPE_QUICKLY)
    expect(page.locator("#result-count")).to_have_text("4 of 44 buildings")
    assert page.evaluate("window.searches") == ["?view=buildings&q=lib"]

    page.clock.install()
    page.get_by_label(SEARCH).fill("libr")
    page.get_by_role("link", name="Menus", exact=True).click()
    expect(page.locator(".hall").first).to_be_visible()
    page.clock.run_for(1000)
    assert "view=menus" in page.url


def test_the_page_is_usable_by_keyboard(samples, visit):
    # Without a fragment, after which the focus would begin.
    page = visit(f"{samples.url}/explore?view=buildings")

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


def test_arrow_keys_move_between_the_search_field_and_the_list(page):
    field = page.get_by_label(SEARCH)
    field.focus()

    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name="Adams House")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name="Baker Library")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")

    expect(field).to_be_focused()


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


def test_a_photo_is_requested_when_its_building_is_opened(page_with_photo):
    page_with_photo.route(PHOTO, lambda route: route.fulfill(body=PIXEL, content_type="image/svg+xml"))
    assert PHOTO not in page_with_photo.requested_urls

    with page_with_photo.expect_request(PHOTO):
        page_with_photo.get_by_role("button", name="Widener Library").click()

    expect(page_with_photo.get_by_role("img", name="Photo of Widener Library")).to_be_visible()


def test_a_drawing_is_not_called_a_photo(visit_building):
    card = visit_building(203).get_by_role("article")

    expect(card.get_by_role("img")).to_have_accessible_name("Drawing")
    assert "photo" not in card.inner_text().lower()


def test_a_missing_photo_shows_a_message(page_with_photo):
    page_with_photo.route(PHOTO, lambda route: route.abort())

    page_with_photo.get_by_role("button", name="Widener Library").click()

    expect(page_with_photo.get_by_text("The photo is not available.")).to_be_visible()


def test_the_list_is_sorted_by_name_with_numbers_by_value(samples, visit):
    names = ["Zebra", None, "Hall 10", "éclair", "hall 9", "Eagle"]
    row = get_json(samples, f"/map/buildings/{CABOT}")
    page = visit(f"{samples.url}/docs")
    rows = [{**row, "id": id_, "name": name} for id_, name in enumerate(names)]
    page.route("**/map/buildings", lambda route: route.fulfill(json=rows))

    page.goto(f"{samples.url}/explore#buildings")

    ordered = ["Eagle", "éclair", "hall 9", "Hall 10", "Zebra", "Unnamed building"]
    expect(page.locator("#results li strong")).to_have_text(ordered)


def test_an_unknown_view_shows_the_menus(samples, visit):
    for view in ("constructor", "__proto__", "toString", "nothing"):
        page = visit(f"{samples.url}/explore?view={view}")

        expect(page.locator("#menus")).to_be_visible()
        assert page.errors == [], view


def test_directions_lead_to_openstreetmap_and_on_a_phone_to_its_app_for_maps(visit_building):
    openstreetmap = "https://www.openstreetmap.org/directions?route=%3B42.38121%2C-71.1244"
    apple = "https://maps.apple.com/?daddr=42.38121%2C-71.1244"
    touch = {"viewport": PHONE, "has_touch": True}
    for system, url, options in (
        ("X11; Linux x86_64", openstreetmap, {}),
        ("X11; Linux x86_64", openstreetmap, touch),
        ("Macintosh; Intel Mac OS X 10_15_7", openstreetmap, {}),
        ("Macintosh; Intel Mac OS X 10_15_7", apple, touch),
        ("iPhone; CPU iPhone OS 18_0 like Mac OS X", apple, touch),
        ("Linux; Android 10; K", f"geo:{POINT}?q={POINT}(Cabot%20House)", touch),
    ):
        page = visit_building(user_agent=f"Mozilla/5.0 ({system})", **options)

        expect(card_link(page, "Directions")).to_have_attribute("href", url)


def test_the_link_to_a_building_can_be_copied_or_shared_where_the_system_can(samples, visit, visit_building):
    url = f"{samples.url}/explore?view=buildings&id={CABOT}"
    page = visit_building(permissions=["clipboard-read", "clipboard-write"])
    page.get_by_label(SEARCH).fill("house")
    page.get_by_role("button", name="Cabot House").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == url

    other = visit("about:blank")
    other.add_init_script("navigator.share = async (data) => { window.shared = data; };")
    other.goto(f"{samples.url}/explore?id={CABOT}")
    other.get_by_role("button", name="Share").click()
    assert other.evaluate("window.shared") == {"title": "Cabot House", "url": url}
    assert other.get_by_role("button", name="Copy link").count() == 0


def test_a_building_has_links_to_menus_if_it_has_a_hall_and_halls_can_be_loaded(samples, visit, visit_building):
    without_hall = visit_building(116)
    without_hall.wait_for_load_state("networkidle")
    assert without_hall.locator("#building-card .hall-links a").count() == 0

    page = visit("about:blank")
    page.route("**/locations.geojson", lambda route: route.fulfill(status=503, json={}))
    with page.expect_response("**/locations.geojson"):
        page.goto(f"{samples.url}/explore?id={CABOT}")
    expect(card_link(page, "Directions")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_the_matches_of_a_search_can_be_downloaded(samples, page):
    for text in ("library", "CAFÉ", "oxford street", "rojo (l"):
        search(page, text)
        ids = {int(button.get_attribute("data-id")) for button in page.locator("[data-id]").all()}

        bodies = {name: fetch(samples.url + path).body.decode() for name, path in downloads(page).items()}

        assert {row["id"] for row in json.loads(bodies["JSON"])} == ids, text
        assert {feature["id"] for feature in json.loads(bodies["GeoJSON"])["features"]} == ids, text
        assert {int(row["id"]) for row in csv.DictReader(io.StringIO(bodies["Spreadsheet (CSV)"]))} == ids, text
        assert page.locator("#building-downloads").inner_text().startswith(f"{len(ids)} building"), text


def test_a_search_that_the_api_does_not_have_offers_all_buildings(samples, visit):
    for text in ("", "science oxford", "boston", "nothing like this"):
        page = visit(f"{samples.url}/explore?view=buildings&q={text}")

        assert page.locator("#building-downloads").inner_text().startswith("All buildings"), text
        assert downloads(page) == {
            "GeoJSON": "/map/buildings.geojson",
            "Spreadsheet (CSV)": "/map/buildings.csv",
            "JSON": "/map/buildings",
        }, text
