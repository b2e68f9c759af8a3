"""All pages in a real browser: third-party requests, accessibility, small screens."""

import re
from itertools import product

import pytest
from playwright.sync_api import expect

from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import building
from tests.processes.browser import DESKTOP, PHONE, accessibility_violations, hosts
from tests.processes.commands import ROOT

PAGES = ["/", "/explore?view=buildings&q=library&id=116", "/explore?view=menus&date=2026-11-20&meal=2"]
# The list of all buildings, no match, a card with a hall, and one without a building.
STATES = ["/explore", "/explore?q=nothing+like+this", "/explore?id=350", "/explore?id=999"]
NOT_FOUND = "/map/building?name=a-long-name-without-any-space-to-break-it-on-a-phone"

# The visible texts of buttons, links and headings that are wider than their places.
CUT_OFF = """() => [...document.querySelectorAll("button, a, h1, h2, h3")]
    .filter((each) => each.checkVisibility() && getComputedStyle(each).overflow !== "visible")
    .filter((each) => getComputedStyle(each).clipPath === "none")
    .filter((each) => each.scrollWidth > each.clientWidth + 1)
    .map((each) => each.textContent)"""


@pytest.mark.parametrize("path", [*PAGES, "/docs"])
def test_a_page_loads_without_errors_or_third_party_requests(samples, visit, path):
    page = visit(samples.url + path)

    assert page.errors == []
    assert hosts(page) == {samples.url.removeprefix("http://")}


@pytest.mark.parametrize("path", [*PAGES, NOT_FOUND, *STATES])
def test_axe_reports_no_violation_in_any_colour_scheme_and_size(samples, visit, path):
    page = visit(samples.url + path)

    violations = []
    for size, scheme in product((DESKTOP, PHONE), ("light", "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        violations += accessibility_violations(page)

    assert violations == []


def luminance(colour):
    """Return the relative luminance of an `rgb()` colour (WCAG 2.2)."""
    channels = [int(digits) / 255 for digits in re.findall(r"\d+", colour)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("view", "field"), [("buildings", "#search"), ("menus", "#date"), ("menus", "#hall")])
def test_borders_of_fields_contrast_with_the_page(samples, visit, scheme, view, field):
    page = visit(f"{samples.url}/explore?view={view}", color_scheme=scheme)

    border = page.locator(field).evaluate("(element) => getComputedStyle(element).borderTopColor")
    backgrounds = [
        page.locator(each).evaluate("(element) => getComputedStyle(element).backgroundColor")
        for each in (field, "body")
    ]

    for background in backgrounds:
        darker, lighter = sorted(map(luminance, (border, background)))
        assert (lighter + 0.05) / (darker + 0.05) >= 3


@pytest.mark.parametrize("path", [*PAGES, NOT_FOUND])
def test_a_page_fits_the_width_of_a_phone(samples, visit, path):
    page = visit(samples.url + path, viewport={**PHONE, "width": 320})

    assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE])
@pytest.mark.parametrize("path", ["/", "/explore?id=350", "/explore?q=house", "/docs", NOT_FOUND])
def test_a_page_fits_the_width_with_text_of_twice_the_size(samples, visit, path, viewport):
    page = visit("about:blank", viewport=viewport)
    fonts = {"fontSizes": {"standard": 32, "fixed": 26}}
    page.context.new_cdp_session(page).send("Page.setFontSizes", fonts)

    page.goto(samples.url + path)
    expect(page.locator("[aria-busy]")).to_have_count(0)

    assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") == 32
    assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]
    assert page.evaluate(CUT_OFF) == []


@pytest.mark.parametrize("path", ["/", "/explore?id=350", "/docs", NOT_FOUND])
def test_the_current_page_is_marked_in_forced_colours(samples, visit, path):
    page = visit(samples.url + path, forced_colors="active")

    for link in page.locator("nav [aria-current]").all():
        assert "underline" in link.evaluate("(link) => getComputedStyle(link).textDecorationLine")
    assert accessibility_violations(page) == []


def test_pages_work_with_a_url_prefix(serve, tmp_path, mongod_uri, mongod_database, visit):
    publish(mongod_database, plan_buildings(mongod_database, [building(7, name="Hall of Seven")]), [])
    text = (ROOT / "production.ini").read_text()
    (tmp_path / "below.ini").write_text(text.replace("threads = 4", "threads = 4\nurl_prefix = /campus"))
    server = serve(tmp_path / "below.ini", CAMPUS_MONGO_URI=mongod_uri)

    page = visit(f"{server.url}/campus/")
    page.get_by_role("link", name="See the map").click()

    page.get_by_role("button", name="Hall of Seven").click()
    expect(page.get_by_role("article").get_by_role("link", name="JSON", exact=True)).to_have_attribute(
        "href", "/campus/map/buildings/7"
    )
    assert page.errors == []
