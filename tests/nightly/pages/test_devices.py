"""The map and the menus on phones, on paper, with large text and in high contrast, in a real browser."""

import re
from itertools import product

import pytest
from playwright.sync_api import expect

from tests.processes.browser import DESKTOP, PHONE, accessibility_violations, check_filters, on_each_screen

MENU = "view=menus&date=2026-11-20&meal=1"
STATES = ["", "0", "&location=30", "&q=milk", "&label=vegan&without=Milk", "&label=halal&without=Wheat&q=rice"]
STATES = [*(MENU + each for each in STATES), "view=menus&date=2026-12-24&meal=1"]
BUILDING = "view=buildings&id=350"
FINGERS = {"is_mobile": True, "has_touch": True}
ACROSS = [{"width": 844, "height": 390}, {"width": 667, "height": 375}, {"width": 740, "height": 360}]
SMALL = """() => [...document.querySelectorAll("button, a, input, summary, .chip")]
    .filter((each) => each.checkVisibility() && !each.matches(".skip-link, .visually-hidden, .chip input"))
    .map((each) => [each.textContent, each.getBoundingClientRect().height])
    .filter(([, height]) => height < 43.9)"""

# The controls that are narrower than their texts: a list of options has room for eight letters.
NARROW = """() => [...document.querySelectorAll("#week a, #date, #hall, #filter-button, .tabs button, .quick button")]
    .filter((each) => each.checkVisibility())
    .filter((each) => each.scrollWidth > each.clientWidth + 1
        || each.matches("#hall") && each.clientWidth < 8 * parseFloat(getComputedStyle(each).fontSize) - 4)
    .map((each) => each.textContent)"""


# The times that the service writes have a space.
LOCAL = "() => !/\\d [AP]M/.test(document.querySelector('main').textContent)"


def test_the_controls_leave_the_first_dish_on_the_screen(explore):
    desktop = explore(MENU)
    assert desktop.locator(".hall").first.bounding_box()["y"] <= 200
    star, hours = (desktop.locator(f".columns {name}").first.bounding_box() for name in (".star", ".hours"))
    assert star["y"] + star["height"] <= hours["y"] + 1
    assert desktop.locator("#menus :is(select, .week, input[type=search]):visible").count() == 2
    for width in (640, 700, 800, 960):
        desktop.set_viewport_size({**DESKTOP, "width": width})
        hall, filters = (desktop.locator(name).bounding_box() for name in ("#hall", "#filter-button"))
        assert hall["y"] == filters["y"], width

    page = explore(MENU, viewport={**PHONE, "height": 664}, **FINGERS)
    fields, filters = page.locator("#selection"), page.locator("#filter-button")
    expect(page.locator("#week")).to_be_visible()
    for viewport, opened in product(({**PHONE, "height": 664}, *ACROSS), (filters, fields)):
        page.set_viewport_size(viewport)
        opened.click()

        expect(page.locator("#filters")).to_be_visible(visible=opened is filters)
        expect(page.locator("#week")).to_be_visible(visible=opened is fields)
        expect(page.locator(".dish").first).to_be_in_viewport(ratio=1)
    fields.click()
    for viewport in ({**PHONE, "height": 664}, *ACROSS[:1], {"width": 640, "height": 400}):
        page.set_viewport_size(viewport)
        assert fields.bounding_box()["y"] == filters.bounding_box()["y"], viewport
        expect(page.locator(".dish").first, str(viewport)).to_be_in_viewport(ratio=1)

    page = explore(MENU, viewport={"width": 320, "height": 568}, **FINGERS)
    check_filters(page, "milk")
    for width, height in ((320, 568), (360, 640), (568, 320)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".dish-name").first, str(height)).to_be_in_viewport(ratio=1)
    page.locator("#filter-button").click()
    expect(page.locator(".dish-name").first).to_be_in_viewport(ratio=1)
    page.locator("#selection").click()
    assert min(day.bounding_box()["width"] for day in page.locator("#week a").all()) >= 44

    zoomed = explore(MENU, viewport={"width": 320, "height": 256})
    zoomed.locator("#selection").click()
    expect(zoomed.locator(".dish-name").first).to_be_in_viewport(ratio=1)


def test_each_control_has_room_for_its_text_at_any_width_and_size_of_text(explore):
    sizes = [({"width": width, "height": 400}, False) for width in (320, 640, 720, 800)]
    for viewport, is_large in [*sizes, *((each, True) for each in (PHONE, DESKTOP, {"width": 720, "height": 900}))]:
        page = explore(f"{MENU}&without=milk", viewport=viewport, has_large_text=is_large)

        assert page.locator("#menus :is(#week a, #date, #hall, #previous, #next):visible").count() == 11, viewport
        assert page.evaluate(NARROW) == [], (viewport, is_large)
        boxes = [each.bounding_box() for each in page.locator("#week a, #date, #hall, #filter-button").all()]
        assert max(box["x"] + box["width"] for box in boxes) <= viewport["width"], (viewport, is_large)
        assert page.get_by_role("banner").bounding_box()["height"] <= 240, (viewport, is_large)
        page.locator("#filter-button").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], (viewport, is_large)


def test_whatever_a_finger_touches_is_44_pixels_high(explore):
    for viewport in (PHONE, *ACROSS):
        page = explore(BUILDING, viewport=viewport, **FINGERS)
        expect(page.get_by_role("link", name="Menus at"), str(viewport)).to_be_visible()
        assert page.evaluate(SMALL) == [], viewport

    page = explore(MENU, viewport={**PHONE, "height": 664}, **FINGERS)
    for opened in ("summary.dish", ".dish-actions summary", "#filter-button", "#more-allergens summary"):
        assert page.evaluate(SMALL) == [], opened
        page.locator(opened).first.click()
    assert page.evaluate(SMALL) == []
    page.get_by_role("link", name="Campus data", exact=True).click()
    expect(page.get_by_role("link", name="See the map")).to_be_in_viewport(ratio=1)
    assert page.evaluate(SMALL) == []


def test_times_and_dates_are_those_of_the_language_of_the_visitor_in_english(samples, explore):
    for locale, time, date in (
        ("en-US", "until 2:00 PM", "Friday, November 20"),
        ("de-DE", "until 14:00", "Friday 20 November"),
        ("en-IN", "until 2:00 pm", "Friday 20 November"),
        ("ja-JP", "until 14:00", "Friday, November 20"),
    ):
        page = explore("", locale=locale)
        expect(page.locator(".hours", has_text="Open now").first).to_contain_text(time)
        assert date in page.locator("#menu-summary").inner_text(), locale
        for path in ("/explore", "/explore?view=menus&date=2026-11-21&meal=0&location=29", "/search?q=annenberg", "/"):
            page.goto(samples.url + path)
            page.wait_for_function(LOCAL)
            texts = page.locator("main").text_content()
            upper, lower = (bool(re.search(rf"\d\s{half}", texts)) for half in ("[AP]M", "[ap]m"))
            assert (upper, lower) == ("PM" in time, "pm" in time), (locale, path)


def test_the_day_of_a_hall_is_printed_on_one_page_without_controls(explore):
    page = explore(f"{MENU}&location=30&q=rice")
    assert page.pdf(format="Letter").count(b"/Type /Page\n") == 1
    page.emulate_media(media="print")
    expect(page.locator("#printed-menu h3")).to_have_text(
        ["Breakfast 7:30 AM–10:30 AM", "Lunch 11:30 AM–1:30 PM, 1:45 PM–2:15 PM", "Dinner 4:30 PM–7:15 PM"]
    )
    expect(page.locator(":is(a, button, input, select, summary, h1, h2):visible")).to_have_text(["Annenberg Hall"])
    # Those of a search alone would be fewer.
    assert page.locator("#printed-menu li").count() > 10


def test_samples_say_so_on_the_screen_and_on_paper(explore):
    for query in (MENU, f"{MENU}&location=30", BUILDING):
        page = explore(query)
        for media in ("screen", "print"):
            page.emulate_media(media=media)
            assert page.get_by_text("These are samples, not real data.").locator("visible=true").count() == 1, (
                query,
                media,
            )


@on_each_screen
@pytest.mark.parametrize("query", STATES)
def test_axe_reports_nothing_in_any_state_of_the_menus(explore, query):
    page = explore(query, reduced_motion="no-preference")
    # There are none where no dish is shown.
    for disclosure in ("#menu .hours:visible", "summary.dish", ".group summary", "#filter-button"):
        if page.locator(disclosure).count():
            page.locator(disclosure).first.click()

    assert accessibility_violations(page) == []
