"""What people do on the pages, in a real browser: open, search, choose, filter, follow a link, lose the service."""

import re

import pytest
from playwright.sync_api import expect

from tests.factories import NOON
from tests.processes.browser import NO_WORKER, PHONE, accessibility_violations, check_filters, dish_names, hosts
from tests.processes.commands import IMPATIENT, PRODUCTION
from tests.processes.servers import get_json

LUNCH = "date=2026-11-20&meal=1"
SEARCH = "Name, address or city"


@pytest.fixture
def buildings(samples, visit):
    return visit(f"{samples.url}/explore#buildings")


BOTTOMS = "(all) => all.map((each) => each.getBoundingClientRect().bottom)"


def test_every_page_loads_without_errors_or_third_party_requests(samples, visit):
    for path in ("/", "/explore?q=library&id=116", f"/explore?view=menus&{LUNCH}", "/docs"):
        page = visit(samples.url + path)

        assert (page.errors, hosts(page)) == ([], {samples.url.removeprefix("http://")}), path


def test_the_first_dishes_are_on_the_first_screen_with_few_requests_even_without_the_modules(samples, chromium):
    for viewport, dishes in (({"width": 390, "height": 664}, 2), ({"width": 1280, "height": 800}, 8)):
        for blocked in (False, True):
            context = chromium.new_context(viewport=viewport)
            page = context.new_page()
            requested = []
            page.on("request", lambda request, requested=requested: requested.append(request))
            if blocked:
                page.route("**/*.js", lambda route: route.abort())
            page.goto(f"{samples.url}/explore")
            page.locator(".dish-name").first.wait_for()
            before = [each for each in requested if each.resource_type in ("document", "stylesheet")]
            expect(page.locator("#menu h3 + ul, #menu .day-hours").first, f"{viewport} {blocked}").to_be_visible()

            bottoms = page.locator(".dish").evaluate_all(BOTTOMS)
            visible = [bottom for bottom in bottoms if 0 < bottom <= viewport["height"]]
            assert len(visible) >= dishes, (viewport, blocked)
            assert len(before) <= 4, (viewport, blocked)
            page.wait_for_load_state("networkidle")
            assert len(requested) <= 25, (viewport, blocked)
            context.close()


def test_what_this_device_hides_is_not_shown_if_a_module_or_the_api_fails_and_marked_if_nothing_filters(samples, visit):
    page = visit(f"{samples.url}/explore")
    modules = sorted({url.split("/")[-1] for url in page.requested_urls if url.endswith(".js")})
    assert len(modules) > 10
    page.add_init_script("localStorage['campus:menus'] = '{\"without\": [\"milk\"]}'")
    filtered, warning = page.get_by_text("Hidden: 9 dishes that list milk"), page.get_by_text("Not filtered: allergens")
    unmarked = page.locator(".dish-allergens:visible:not(:has(mark))").filter(has_text=re.compile(r"\bmilk\b"))
    held, api = [], ["dining/dishes?*", "dining/locations"]
    for name, is_held in [(each, False) for each in api] + [(each, True) for each in ("*.js", *modules, *api)]:
        page.route(f"**/{name}", lambda route: route.abort())
        if is_held:
            page.route("**/explore?*", lambda route: held.append(route))
        page.goto(f"{samples.url}/explore")

        expect(page.locator(".dish-name").first, name).to_be_visible()
        expect(page.locator("#filter-button.in-force"), name).to_have_text("Filters (1)")
        expect(unmarked, name).to_have_count(0)
        is_marked = is_held and page.locator("#notice:not(:empty), #menu [role=alert]").count() > 0
        expect(warning if is_marked else filtered, name).to_be_visible()
        assert (page.locator("mark").count() > 0) == is_marked, name
        if is_held:
            held[-1].continue_()
            expect(filtered, name).to_be_visible()
            expect(page.locator("#menu [role=alert]"), name).to_have_count(int(name in api))
        page.unroute_all()
    for path in ("dining/locations", "explore?*"):
        page.route(f"**/{path}", lambda route: route.abort())
    page.goto(f"{samples.url}/explore")
    expect(warning).to_be_visible()
    page.unroute_all()
    page.get_by_role("link", name="Filter them").click()
    expect(filtered).to_be_visible()


def test_the_controls_work_without_the_script_which_takes_over_what_is_chosen(samples, chromium):
    held = []
    for options, loads in (({}, True), ({}, False), ({"java_script_enabled": False}, False)):
        page = chromium.new_context(viewport=PHONE, **NO_WORKER, **options).new_page()
        page.route("**/explore.js", lambda route: held.append(route))
        page.goto(f"{samples.url}/explore?date=2026-11-20&meal=2", wait_until="commit")
        page.locator("#selection").click()
        page.get_by_label("Hall", exact=True).select_option("Annenberg Hall")
        page.locator("#filter-button").click()
        page.get_by_role("checkbox", name="milk", exact=True).check()

        if loads:
            held[0].continue_()
        else:
            page.locator("#menu-form button").click()

        case = f"{options} {loads}"
        expect(page, case).to_have_url(re.compile("(?=.*meal=2)(?=.*location=30)(?=.*without=milk)"))
        expect(page.locator("#selection"), case).to_have_text("Today · Dinner · Annenberg Hall · no milk")
        expect(page, case).to_have_title("Dinner, Friday, November 20, 2026 · Annenberg Hall · Campus data API")
        expect(page.locator("#allergens [value=milk]"), case).to_be_checked()
        page.context.close()


def test_all_buildings_are_listed_and_a_search_narrows_the_list_and_the_map(samples, buildings):
    names = [row["name"] or "Unnamed building" for row in get_json(samples, "/map/buildings")]
    assert sorted(buildings.locator("#results li strong").all_text_contents()) == sorted(names)

    buildings.get_by_label(SEARCH).fill("CAFÉ yard")

    expect(buildings.locator("#results li strong")).to_have_text(["Café Gato Rojo (Lehman Hall)"])
    expect(buildings.get_by_role("region", name=f"Map: 1 of {len(names)} buildings")).to_be_visible()


def test_a_building_is_chosen_and_back_reverts_it_and_then_the_search(buildings):
    buildings.get_by_label(SEARCH).fill("house")
    expect(buildings).to_have_url(re.compile("q=house"))
    buildings.get_by_role("button", name="Adams House").click()
    expect(buildings.get_by_role("heading", name="Adams House")).to_be_focused()
    expect(buildings).to_have_title("Adams House · Campus data API")

    buildings.go_back()
    expect(buildings.get_by_role("article")).to_be_hidden()
    buildings.reload()
    expect(buildings.get_by_label(SEARCH)).to_have_value("house")
    buildings.go_back()

    expect(buildings.get_by_label(SEARCH)).to_have_value("")
    expect(buildings.locator("#result-count")).to_have_text("44 buildings")


def test_a_building_leads_to_the_menus_of_its_hall(samples, visit):
    page = visit(f"{samples.url}/explore?id=203")

    page.get_by_role("article").get_by_role("link", name="Menus at Fly-By").click()

    expect(page.get_by_role("tab", selected=True)).to_have_text("Lunch")
    expect(page.locator(".hall h2")).to_have_text(["Fly-By"])

    page.get_by_role("tab", name="Breakfast").click()

    expect(page.get_by_role("link", name="Lunch today, Friday, November 20")).to_be_visible()


def test_the_meal_of_now_is_that_of_the_service_which_names_the_minute_of_the_next_one(samples, visit):
    index, tab = get_json(samples, "/"), "[aria-selected=true]"
    index["serving"] |= {"meal": 2, "until": NOON}
    page = visit(f"{samples.url}/explore", routes={f"{samples.url}/": lambda route: route.fulfill(json=index)})
    expect(page.locator(tab)).to_have_text("Dinner")
    page.unroute(f"{samples.url}/")

    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    expect(page.locator(tab)).to_have_text("Lunch")


def served(server, query):
    """Return the dishes of the API by location and the name of the category, sorted."""
    categories = {row["id"]: row["name"] for row in get_json(server, "/dining/categories")}
    dishes = {}
    for row in get_json(server, f"/dining/menus?{query}"):
        dishes.setdefault((str(row["location"]), categories[row["category"]]), []).append(row["name"])
    return {key: sorted(names) for key, names in dishes.items()}


def shown(page):
    """Return the dishes on the page by location and the name of the category, sorted."""
    return {
        (hall.get_attribute("data-location"), category.text_content()): sorted(
            dishes.locator(".dish-name").all_text_contents()
        )
        for hall in page.locator(".hall").all()
        for category, dishes in zip(hall.locator("h3").all(), hall.locator("ul").all(), strict=True)
    }


def test_a_date_a_meal_and_a_hall_show_the_dishes_of_the_api_by_category(samples, lunch):
    lunch.get_by_role("link", name="Sat 21 November 2026").click()
    lunch.get_by_role("tab", name="Dinner").click()
    query = "date=2026-11-21&meal=2"
    expect(lunch.get_by_role("link", name="JSON")).to_have_attribute("href", f"/dining/dishes?{query}")
    assert shown(lunch) == served(samples, query) != {}

    lunch.get_by_label("Hall", exact=True).select_option("Annenberg Hall")

    query += "&location=30"
    expect(lunch.get_by_role("link", name="JSON")).to_have_attribute("href", f"/dining/dishes?{query}")
    assert shown(lunch) == served(samples, query) != {}


def test_filters_hide_what_lists_an_allergen_and_close_what_is_unknown(samples, lunch):
    facts = {dish["recipe"]: dish["facts"] for dish in get_json(samples, f"/dining/dishes?{LUNCH}")}.values()
    listing = sum("wheat" in (each["contains"] or ()) for each in facts)
    unknown = sum("wheat" not in (each["contains"] or ()) and "wheat" not in each["without"] for each in facts)

    lunch.locator("#filter-button").click()
    lunch.get_by_role("checkbox", name="wheat").check()

    expect(lunch.get_by_text(f"Hidden: {listing} dishes that list wheat.")).to_be_visible()
    assert unknown == 1
    expect(lunch.get_by_text("1 dish of unknown allergens").first).to_be_visible()
    query = f"{LUNCH}&without=wheat"
    assert dish_names(lunch) == {dish["name"] for dish in get_json(samples, f"/dining/dishes?{query}")} != set()
    expect(lunch).to_have_url(re.compile("without=wheat"))


def test_a_search_of_dishes_without_a_match_leads_to_another_meal(samples, lunch):
    menus = [get_json(samples, f"/dining/menus?date=2026-11-20&meal={meal}") for meal in (0, 1)]
    breakfast, at_lunch = ({row["name"] for row in rows} for rows in menus)
    dish = max(breakfast - at_lunch)
    check_filters(lunch)
    lunch.get_by_label("Dish name").fill(dish)
    expect(lunch.get_by_text(f"No dish name at lunch has “{dish}”.")).to_be_visible()

    lunch.get_by_role("link", name="Show breakfast").click()

    expect(lunch.get_by_role("tab", selected=True)).to_have_text("Breakfast (1)")
    assert dish_names(lunch) == {dish}


def test_without_the_service_a_selection_can_be_retried(samples, lunch):
    # Else it would retry by itself.
    lunch.add_init_script("window.setInterval = () => 0")
    lunch.reload()
    expect(lunch.locator("[aria-busy]")).to_have_count(0)
    lunch.route("**/*", lambda route: route.abort())
    lunch.get_by_role("link", name="Sat 21 November 2026").click()
    expect(lunch.get_by_role("alert")).to_contain_text("The service cannot be reached")

    lunch.unroute("**/*")
    lunch.get_by_role("button", name="Try again").press("Enter")

    expect(lunch.locator("#menu")).to_be_focused()
    expect(lunch.locator(".hall").first).to_be_visible()
    assert shown(lunch) == served(samples, "date=2026-11-21&meal=1") != {}


def test_pages_recover_when_the_database_is_back(mongod_with_data, serve, visit):
    mongod_with_data.kill()
    settings = {"CAMPUS_MONGO_URI": mongod_with_data.uri(), "CAMPUS_CLOCK_FROZEN_AT": NOON, **IMPATIENT}
    server = serve(PRODUCTION, **settings)
    pages = [visit(f"{server.url}/explore?view={view}") for view in ("menus&meal=0", "buildings")]
    for page in pages:
        expect(page.get_by_role("alert")).to_contain_text("recovers by itself")
    assert accessibility_violations(visit(server.url)) == []
    assert pages[0].locator("#range").text_content() == ""
    assert pages[0].get_by_role("link", name="no menu").count() == 0

    mongod_with_data.start()

    expect(pages[0].locator(".dish-name")).to_have_text(["Kashi Pilaf"])
    expect(pages[1].locator("#results li strong")).to_have_text(["Widener Library"] * 3)
