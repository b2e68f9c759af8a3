"""The search, the list and the card of buildings in a real browser."""

import json
import re
import unicodedata
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from campus_api.domain.text import fold
from tests.processes.commands import fetch

SEARCH = "Name, address or city"
UNNAMED = "Unnamed building"
PHOTO = "https://example.edu/photos/widener-library.jpg"
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
PIXEL = b"<svg xmlns='http://www.w3.org/2000/svg' width='4' height='3'/>"


@pytest.fixture
def page(samples, visit):
    return visit(f"{samples.url}/explore")


@pytest.fixture
def page_with_photo(page):
    """The page with a photo of Widener Library; the samples have no photos."""

    def add_photo(route):
        response = route.fetch()
        rows = [row | {"image": PHOTO} if row["name"] == "Widener Library" else row for row in response.json()]
        route.fulfill(response=response, json=rows)

    page.route("**/map/buildings", add_photo)
    page.reload()
    return page


def get_json(server, path):
    return json.loads(fetch(server.url + path).body)


def listed(page):
    return page.locator("#results li strong").all_text_contents()


def search(page, text):
    page.get_by_label(SEARCH).fill(text)
    expect(page).to_have_url(re.compile(re.escape(f"q={quote_plus(text)}")))


def test_the_search_folds_all_letters_as_the_api_does(page):
    folded = page.evaluate(FOLD, LETTERS)

    assert [text for text, each in zip(LETTERS, folded, strict=True) if each != fold(text)] == []


def test_all_buildings_are_listed_initially(samples, page):
    names = [row["name"] or UNNAMED for row in get_json(samples, "/map/buildings")]

    assert sorted(listed(page)) == sorted(names)
    assert page.get_by_role("region", name=f"Map: {len(names)} buildings").is_visible()


@pytest.mark.parametrize("text", ["wiggles", "oxford", "house", "CAFÉ"])
def test_a_search_matches_names_and_addresses(samples, page, text):
    responses = [get_json(samples, f"/map/buildings?{field}={quote_plus(text)}") for field in ("name", "address")]
    names = {row["id"]: row["name"] or UNNAMED for rows in responses for row in rows}

    search(page, text)

    assert sorted(listed(page)) == sorted(names.values())


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("science oxford", ["Science Center"]),
        ("OXFORD street 52", ["Northwest Building"]),
        ("way, boston library", ["Baker Library"]),
        ("boston", ["Baker Library", "Burden Hall", "Murr Center"]),
        ("rojo yard cafe", ["Café Gato Rojo (Lehman Hall)"]),
        ("lamont oxford", []),
    ],
)
def test_words_match_in_any_order_in_name_address_and_city(page, text, names):
    search(page, text)

    assert listed(page) == names


def test_a_view_named_like_a_property_of_objects_shows_the_buildings(samples, visit):
    page = visit(f"{samples.url}/explore?view=constructor")

    assert page.get_by_role("heading", name="Buildings").is_visible()


def test_a_search_narrows_the_map(page):
    search(page, "widener")
    region = page.get_by_role("region", name="Map: 1 of 44 buildings")

    region.click()

    expect(page.get_by_role("heading", name="Widener Library")).to_be_visible()


def test_buildings_that_do_not_match_cannot_be_clicked(page):
    search(page, "grays")
    region = page.get_by_role("region", name="Map: 1 of 44 buildings")
    box = region.bounding_box()

    for step in range(1, 20):
        region.click(position={"x": box["width"] * step / 20, "y": box["height"] * 0.75})

    assert page.get_by_role("article").count() == 0


def test_the_search_is_debounced(page):
    page.evaluate("addEventListener('campus:navigate', () => (window.searches ??= []).push(location.search))")

    # In one task of the browser, so that no pause between two keys exceeds the debounce delay.
    page.get_by_label(SEARCH).evaluate(
        """(input) => ["l", "li", "lib"].forEach((text) => {
            input.value = text;
            input.dispatchEvent(new Event("input", { bubbles: true }));
        })"""
    )
    expect(page.locator("#result-count")).to_have_text("4 of 44 buildings")

    assert page.evaluate("window.searches") == ["?view=buildings&q=lib"]


def test_a_search_sends_no_request(samples, page):
    search(page, "house")

    assert [url for url in page.requested_urls if "/map/" in url] == [f"{samples.url}/map/buildings"]


def test_the_url_of_the_page_restores_its_state(page, visit):
    search(page, "house")
    page.get_by_role("button", name="Adams House").click()
    expect(page).to_have_url(re.compile("q=house&id="))

    other = visit(page.url)

    assert other.get_by_label(SEARCH).input_value() == "house"
    assert other.get_by_role("heading", name="Adams House").is_visible()


def test_the_back_button_reverts_a_selection_and_then_a_search(page):
    search(page, "house")
    page.get_by_role("button", name="Adams House").click()
    expect(page.get_by_role("heading", name="Adams House")).to_be_visible()

    page.go_back()
    expect(page.get_by_role("article")).to_be_hidden()
    page.go_back()

    expect(page.get_by_label(SEARCH)).to_have_value("")
    expect(page.locator("#result-count")).to_have_text("44 buildings")


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


def test_escape_closes_the_card(page):
    page.get_by_role("button", name="Widener Library").click()
    expect(page.get_by_role("article")).to_be_visible()

    page.keyboard.press("Escape")

    expect(page.get_by_role("article")).to_be_hidden()
    expect(page.get_by_role("button", name="Widener Library")).to_be_focused()


def test_escape_in_a_search_field_with_text_only_clears_it(page):
    search(page, "widener")
    page.get_by_role("button", name="Widener Library").click()
    expect(page.get_by_role("article")).to_be_visible()
    field = page.get_by_label(SEARCH)

    field.press("Escape")

    expect(field).to_have_value("")
    expect(page.locator("#result-count")).to_have_text("44 buildings")
    expect(field).to_be_focused()


def test_the_title_names_the_building_that_is_shown(page):
    expect(page).to_have_title("Buildings · Campus data API")

    page.get_by_role("button", name="Widener Library").click()
    expect(page).to_have_title("Widener Library · Campus data API")
    page.keyboard.press("Escape")

    expect(page).to_have_title("Buildings · Campus data API")


def test_a_photo_is_requested_when_its_building_is_opened(page_with_photo):
    page_with_photo.route(PHOTO, lambda route: route.fulfill(body=PIXEL, content_type="image/svg+xml"))
    assert PHOTO not in page_with_photo.requested_urls

    with page_with_photo.expect_request(PHOTO):
        page_with_photo.get_by_role("button", name="Widener Library").click()

    expect(page_with_photo.get_by_role("img", name="Photo of Widener Library")).to_be_visible()


def test_a_missing_photo_shows_a_message(page_with_photo):
    page_with_photo.route(PHOTO, lambda route: route.abort())

    page_with_photo.get_by_role("button", name="Widener Library").click()

    expect(page_with_photo.get_by_text("The photo is not available.")).to_be_visible()


def test_a_search_without_a_match_shows_a_message(page):
    search(page, "no such thing")

    message = "No building has all words of “no such thing” in its name, address and city."
    assert page.get_by_text(message).is_visible()


def test_an_unknown_building_shows_a_message(samples, visit):
    page = visit(f"{samples.url}/explore?view=buildings&id=999")

    assert page.get_by_role("heading", name="Building not found").is_visible()


def test_buildings_that_could_not_be_loaded_can_be_retried(samples, visit):
    page = visit(f"{samples.url}/explore?view=menus")
    page.context.set_offline(True)
    page.get_by_role("link", name="Buildings").click()
    expect(page.get_by_role("alert")).to_contain_text("The service cannot be reached")

    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()

    expect(page.locator("#result-count")).to_have_text("44 buildings")


def test_a_search_that_waits_for_a_pause_ends_when_the_view_is_left(page):
    page.clock.install()
    page.get_by_label(SEARCH).fill("lib")
    page.get_by_role("link", name="Menus", exact=True).click()
    expect(page.locator(".hall").first).to_be_visible()

    page.clock.run_for(1000)

    assert "view=menus" in page.url
