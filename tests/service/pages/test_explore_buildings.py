"""The map of buildings in a real browser."""

import json
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from tests.service.processes import fetch

pytestmark = pytest.mark.slow

UNNAMED = "Unnamed building"
PHOTO = "https://example.edu/photos/widener-library.jpg"
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
    page.get_by_label("Name or address").fill(text)
    expect(page.locator("#building-sources")).to_contain_text(quote_plus(text))


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
    # In one task of the browser, so that no pause between two keys exceeds the debounce delay.
    page.get_by_label("Name or address").evaluate(
        """(input) => ["l", "li", "lib"].forEach((text) => {
            input.value = text;
            input.dispatchEvent(new Event("input", { bubbles: true }));
        })"""
    )
    expect(page.locator("#building-sources")).to_contain_text("name=lib")

    assert [url.partition("?")[2] for url in page.requested_urls if "?name=" in url] == ["name=lib"]


def test_the_url_of_the_page_restores_its_state(page, visit):
    search(page, "house")
    page.get_by_role("button", name="Adams House").click()

    other = visit(page.url)

    assert other.get_by_label("Name or address").input_value() == "house"
    assert other.get_by_role("heading", name="Adams House").is_visible()


def test_the_back_button_reverts_a_selection_and_then_a_search(page):
    search(page, "house")
    page.get_by_role("button", name="Adams House").click()
    expect(page.get_by_role("heading", name="Adams House")).to_be_visible()

    page.go_back()
    expect(page.get_by_role("article")).to_be_hidden()
    page.go_back()

    expect(page.get_by_label("Name or address")).to_have_value("")
    expect(page.locator("#result-count")).to_have_text("44 buildings")


def test_the_page_is_usable_by_keyboard(page):
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("widener")
    expect(page.locator("#result-count")).to_have_text("1 of 44 buildings")

    # Past the map and its two buttons.
    for _ in range(4):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    heading = page.get_by_role("heading", name="Widener Library")
    expect(heading).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Widener Library")).to_be_focused()
    expect(heading).to_be_hidden()


def test_a_photo_is_requested_when_its_building_is_opened(page_with_photo):
    page_with_photo.route(PHOTO, lambda route: route.fulfill(body=PIXEL, content_type="image/svg+xml"))
    assert PHOTO not in page_with_photo.requested_urls

    page_with_photo.get_by_role("button", name="Widener Library").click()

    expect(page_with_photo.get_by_role("img", name="Photo of Widener Library")).to_be_visible()
    assert PHOTO in page_with_photo.requested_urls


def test_a_missing_photo_shows_a_message(page_with_photo):
    page_with_photo.route(PHOTO, lambda route: route.abort())

    page_with_photo.get_by_role("button", name="Widener Library").click()

    expect(page_with_photo.get_by_text("The photo is not available.")).to_be_visible()


def test_a_search_without_a_match_shows_a_message(page):
    search(page, "no such thing")

    assert page.get_by_text("No building name or address contains “no such thing”.").is_visible()


def test_an_unknown_building_shows_a_message(samples, visit):
    page = visit(f"{samples.url}/explore?view=buildings&id=999")

    assert page.get_by_role("heading", name="Building not found").is_visible()


def test_a_failed_search_can_be_retried(page):
    page.context.set_offline(True)
    page.get_by_label("Name or address").fill("widener")
    expect(page.get_by_role("alert")).to_contain_text("The service cannot be reached")

    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()

    expect(page.locator("#results li strong")).to_have_text(["Widener Library"])
