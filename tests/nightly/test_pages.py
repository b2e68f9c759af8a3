"""All pages in a real browser: accessibility, small screens, large text, a prefix of the URL, screenshots."""

from itertools import product

import pytest
from playwright.sync_api import expect

from docs.screenshots import IMAGES, take_screenshots
from tests.factories import building
from tests.processes.browser import DESKTOP, PHONE, accessibility_violations, on_each_screen
from tests.processes.commands import PRODUCTION
from tests.publishing import publish_buildings

PAGES = ["/", "/explore?view=buildings&q=library&id=116", "/explore?view=menus&date=2026-11-20&meal=2"]
DOCUMENT = "/docs/clients.md"
# The list of all buildings, no match, a card with a hall, and one without a building.
STATES = ["/explore#buildings", "/explore?q=nothing+like+this", "/explore?id=350", "/explore?id=999"]
NOT_FOUND = "/map/building?name=a-long-name-without-any-space-to-break-it-on-a-phone"

# The visible texts of buttons, links and headings that are wider than their places.
CUT_OFF = """() => [...document.querySelectorAll("button, a, h1, h2, h3")]
    .filter((each) => each.checkVisibility() && getComputedStyle(each).overflow !== "visible")
    .filter((each) => getComputedStyle(each).clipPath === "none")
    .filter((each) => each.scrollWidth > each.clientWidth + 1)
    .map((each) => each.textContent)"""

# Whether the card covers the search, and the height that it cuts off.
COVERED_OR_CUT_OFF = """() => {
    const card = document.getElementById("building-card");
    const [a, b] = [card, document.getElementById("search")].map((each) => each.getBoundingClientRect());
    const overlaps = a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return [overlaps, card.scrollHeight - card.clientHeight];
}"""


@on_each_screen
@pytest.mark.parametrize("path", [*PAGES, DOCUMENT, NOT_FOUND, *STATES, "/search?q=rice"])
def test_axe_reports_no_violation(samples, visit, path):
    page = visit(samples.url + path)

    assert accessibility_violations(page) == []


def test_a_page_fits_the_width_of_a_phone(samples, visit):
    for path in [*PAGES, NOT_FOUND]:
        page = visit(samples.url + path, viewport={**PHONE, "width": 320})

        assert page.evaluate("document.documentElement.scrollWidth") == 320, path


def test_a_page_fits_the_width_with_text_of_twice_the_size(samples, visit):
    paths = ["/", "/explore?id=350", "/explore?q=house", PAGES[2], "/docs", DOCUMENT, NOT_FOUND]
    for viewport, path in product((DESKTOP, PHONE), paths):
        page = visit(samples.url + path, viewport=viewport, has_large_text=True)

        assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") == 32, path
        assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"], (path, viewport)
        assert page.evaluate(CUT_OFF) == [], (path, viewport)


@on_each_screen
def test_a_card_with_text_of_twice_the_size_neither_covers_the_search_nor_cuts_its_text_off(samples, visit):
    for is_zoomed, id_ in product((False, True), (350, 203)):
        page = visit("about:blank", has_large_text=not is_zoomed)
        if is_zoomed:
            page.set_viewport_size({side: length // 2 for side, length in page.viewport_size.items()})
        page.goto(f"{samples.url}/explore?id={id_}")
        link = page.get_by_role("article").get_by_role("link", name="Menus at").first
        expect(link, f"{id_} {is_zoomed}").to_be_visible()

        assert page.evaluate(COVERED_OR_CUT_OFF) == [False, 0], (is_zoomed, id_)


def test_pages_work_with_a_url_prefix(serve, tmp_path, mongod_uri, mongod_database, visit):
    publish_buildings(mongod_database, [building(116, name="Hall of Seven")])
    text = PRODUCTION.read_text(encoding="utf-8")
    (tmp_path / "below.ini").write_text(text.replace("threads = 4", "threads = 4\nurl_prefix = /campus"))
    server = serve(tmp_path / "below.ini", CAMPUS_MONGO_URI=mongod_uri)

    page = visit(f"{server.url}/campus/")
    page.get_by_role("link", name="See the map").click()

    page.get_by_role("button", name="Hall of Seven").click()
    expect(page.get_by_role("article").get_by_role("link", name="JSON", exact=True)).to_have_attribute(
        "href", "/campus/map/buildings/116"
    )
    assert page.errors == []

    reference = visit(f"{server.url}/campus/docs#/Buildings/getBuilding")
    operation = reference.locator("#operations-Buildings-getBuilding")
    operation.get_by_role("button", name="Execute").click()
    expect(operation.locator(".live-responses-table .microlight").first).to_contain_text("Hall of Seven")
    assert [each for each in reference.requested_urls if not each.startswith(f"{server.url}/campus/")] == []


def test_each_image_of_the_readme_is_a_small_screenshot(samples, visit, tmp_path):
    take_screenshots(visit, samples.url, tmp_path)

    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in IMAGES.iterdir())
    assert [path for path in [*tmp_path.iterdir(), *IMAGES.iterdir()] if path.stat().st_size > 200_000] == []
