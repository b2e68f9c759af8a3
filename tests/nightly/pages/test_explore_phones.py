"""The menus page on phones and on paper, for large text and high contrast."""

import re
from itertools import product

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.processes.browser import DESKTOP, PHONE

MENU = "view=menus&date=2026-11-20&meal=1"
TOUCH = {"viewport": PHONE, "is_mobile": True, "has_touch": True, "reduced_motion": "no-preference"}
LANDSCAPE = {**TOUCH, "viewport": {"width": 844, "height": 390}}
FILTERED = f"{MENU}&label=vegan&without=Milk"
STATES = [MENU, FILTERED, f"{MENU}&location=30", f"{MENU}&q=milk", f"{MENU}&label=halal&without=Wheat&q=rice"]
STATES += [f"{MENU}0", "view=menus&date=2026-12-24&meal=1"]


def test_chips_scroll_to_the_cards_of_halls(samples, visit):
    page = visit(f"{samples.url}/explore?{MENU}", **TOUCH)
    heading = page.get_by_role("heading", name="Quincy House")
    expect(heading).not_to_be_in_viewport()

    page.get_by_role("navigation", name="Halls").get_by_role("link", name="Quincy House").click()

    expect(heading).to_be_in_viewport(ratio=1)
    expect(heading).to_be_focused()
    bar = page.locator(".menu-bar").bounding_box()
    assert heading.bounding_box()["y"] >= bar["y"] + bar["height"]
    assert page.url.endswith(MENU)


def test_a_single_hall_has_no_chips(samples, visit):
    page = visit(f"{samples.url}/explore?{MENU}&location=30", **TOUCH)

    assert page.locator("#hall-chips a").count() == 0


@pytest.mark.parametrize(
    "place", ["summary.dish", ".chip:visible", "#menu-links a", ".hall header a", "#menus button:visible"]
)
def test_rows_and_links_are_40_pixels_high_for_fingers(samples, visit, place):
    page = visit(f"{samples.url}/explore?{MENU}", **TOUCH)
    page.get_by_role("button", name="Filters").click()

    heights = [each.bounding_box()["height"] for each in page.locator(place).all()]

    assert heights
    assert min(heights) >= 40


@pytest.mark.parametrize("options", [TOUCH, LANDSCAPE])
@pytest.mark.parametrize("query", [MENU, FILTERED])
def test_the_controls_take_less_than_a_third_of_a_screen(samples, visit, options, query):
    page = visit(f"{samples.url}/explore?{query}", **options)

    controls, tabs = (page.locator(each).bounding_box() for each in (".menu-controls", ".tabs"))

    assert tabs["y"] + tabs["height"] - controls["y"] < options["viewport"]["height"] / 3
    assert page.evaluate("document.documentElement.scrollWidth") == options["viewport"]["width"]


def test_the_card_of_a_hall_links_to_its_building(samples, visit):
    page = visit(f"{samples.url}/explore?{FILTERED}", **TOUCH)

    page.get_by_role("link", name="Map: Annenberg Hall").click()

    expect(page).to_have_url(re.compile(r"\?view=buildings&id=\d+$"))
    expect(page.locator("#building-card h2")).to_have_text("Memorial Hall")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_day_of_a_hall_is_printed_on_one_page_without_controls(samples, visit, scheme):
    page = visit(f"{samples.url}/explore?{MENU}&location=30", color_scheme=scheme)

    pages = page.pdf(format="Letter").count(b"/Type /Page\n")
    page.emulate_media(media="print")

    assert pages == 1
    assert page.locator("#printed-menu h3").all_text_contents() == [
        "Breakfast 07:30–10:30",
        "Lunch 11:30–13:30, 13:45–14:15",
        "Dinner 16:30–19:15",
    ]
    visible = page.locator(":is(a, button, input, select, summary, h1, h2):visible")
    assert visible.all_text_contents() == ["Annenberg Hall"]


def test_the_day_of_a_hall_is_printed_without_the_search(samples, visit):
    page, searched = (visit(f"{samples.url}/explore?{MENU}&location=30{query}") for query in ("", "&q=rice"))

    printed, of_search = (each.locator("#printed-menu li").all_text_contents() for each in (page, searched))

    assert of_search == printed
    assert len(printed) > 10


def test_the_menu_of_all_halls_is_printed_without_controls(samples, visit):
    page = visit(f"{samples.url}/explore?{MENU}")
    page.emulate_media(media="print")

    assert page.locator(":is(a, button, input, select):visible").count() == 0
    assert page.locator(".hall h2").first.is_visible()


def test_paper_has_the_hours_of_the_meal_and_not_those_of_now(samples, visit):
    page = visit(f"{samples.url}/explore?view=menus")
    hall = page.get_by_role("article", name="Annenberg Hall")
    expect(hall).to_contain_text("Open now, until 13:30")

    page.emulate_media(media="print")

    assert "11:30–13:30, 13:45–14:15" in hall.inner_text()
    assert "Open now" not in hall.inner_text()


def violations(page):
    """Return all violations that axe reports, also those of labels that differ from the visible text."""
    options = {"rules": {"label-content-name-mismatch": {"enabled": True}}}
    return [
        (violation["id"], [node["html"] for node in violation["nodes"]])
        for violation in Axe().run(page, options=options).response["violations"]
    ]


@pytest.mark.parametrize("query", STATES)
def test_axe_reports_nothing_in_any_state_of_the_menus(samples, visit, query):
    page = visit(f"{samples.url}/explore?{query}", reduced_motion="no-preference")
    # There are none where no dish is shown.
    for disclosure in (page.locator("summary"), page.get_by_role("button", name="Filters")):
        if disclosure.count():
            disclosure.first.click()

    found = []
    for size, scheme in product((DESKTOP, PHONE), ("light", "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        found += violations(page)

    assert found == []


CUT_OFF = """() => [...document.querySelectorAll("#menus *, .site-header *")].filter((each) => {
  const { left, right } = each.getBoundingClientRect();
  const { scrollWidth, clientWidth } = each;
  const skipped = ".chips, .visually-hidden, .brand, .field label, option, #range";
  const isCut = left < 0 || right > innerWidth + 1 || (clientWidth && scrollWidth > clientWidth + 1);
  return isCut && each.checkVisibility() && !each.closest(skipped);
}).map((each) => each.outerHTML.slice(0, 100))"""


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE])
@pytest.mark.parametrize("query", [MENU, FILTERED])
def test_nothing_is_cut_off_at_twice_the_text_size(samples, visit, viewport, query):
    page = visit(f"{samples.url}/explore?{query}", viewport=viewport)
    page.get_by_role("button", name="Filters").click()
    page.locator("summary").first.click()

    page.evaluate("document.documentElement.style.fontSize = '200%'")

    assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]
    assert page.evaluate(CUT_OFF) == []


def test_the_selection_is_visible_in_high_contrast(samples, visit):
    page = visit(f"{samples.url}/explore?{FILTERED}", forced_colors="active")
    page.get_by_role("button", name="Filters").click()

    def background(selector):
        return page.locator(selector).first.evaluate("(element) => getComputedStyle(element).backgroundColor")

    for selected, other in [
        (".week [aria-current]", ".week a:not([aria-current])"),
        (".tabs [aria-selected='true']", ".tabs [aria-selected='false']"),
        (".chip:has(:checked)", "label.chip:not(:has(:checked))"),
    ]:
        assert background(selected) != background(other)
