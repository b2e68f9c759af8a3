"""The pages with data unlike the samples: many buildings, names like HTML, no data, no database."""

import pytest
from playwright.sync_api import expect
from pymongo import MongoClient

from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import NOON, building
from tests.processes.browser import DESKTOP, PHONE
from tests.processes.commands import IMPATIENT, ROOT, spawning, start_server, wait_for
from tests.processes.servers import WARM_ENTRIES, health

HTML = "<img src=x onerror=alert(1)>"
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk"


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """Start the service on a database, for all tests of the module."""
    with spawning(tmp_path_factory.mktemp("edge_cases")) as spawn:
        yield lambda uri, **environment: start_server(
            spawn, ROOT / "production.ini", CAMPUS_MONGO_URI=uri, **environment
        )


@pytest.fixture(scope="module")
def only_buildings(start, mongod):
    """The service with 251 buildings and without menus."""
    with MongoClient(f"{mongod}/only_buildings", tz_aware=True) as client:
        database = client.get_default_database()
        edge_cases = [building(1, name=HTML), building(2, name="Script", image="javascript:alert(1)")]
        edge_cases.append(building(3, name=LONG, address=LONG))
        publish(database, plan_buildings(database, [*edge_cases, *map(building, range(4, 252))]), [])
        yield start(f"{mongod}/only_buildings")
        client.drop_database(database)


@pytest.fixture(scope="module")
def without_database(start):
    return start("mongodb://127.0.0.1:1", **IMPATIENT)


def test_names_are_not_interpreted_as_html(only_buildings, visit):
    page = visit(f"{only_buildings.url}/explore?view=buildings&q=onerror&id=1")

    assert page.get_by_role("heading", name=HTML).is_visible()
    assert page.locator(".map-label").text_content() == HTML
    assert page.errors == []


def test_an_invalid_photo_url_is_not_requested(only_buildings, visit):
    page = visit(f"{only_buildings.url}/explore?view=buildings&q=script&id=2")

    assert page.get_by_text("The photo is not available.").is_visible()
    assert page.errors == []


@pytest.mark.parametrize(
    "path",
    [
        "/explore?id=3",
        f"/explore?q={LONG}+nothing",
        f"/explore?view=menus&q={LONG}",
        f"/explore?view=menus&without={LONG}",
        f"/dining/{LONG}",
    ],
)
def test_a_long_word_does_not_widen_the_page(only_buildings, visit, path):
    page = visit(only_buildings.url + path, viewport=PHONE, is_mobile=True)

    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_a_long_word_fits_into_the_card_of_a_hall(samples, visit):
    page = visit("about:blank", viewport=PHONE)
    page.route(
        "**/dining/categories",
        lambda route: route.fulfill(json=[{"id": each, "name": LONG} for each in range(100)]),
    )

    page.goto(f"{samples.url}/explore?view=menus")

    heading = page.get_by_role("heading", name=LONG).first
    assert heading.evaluate("(heading) => heading.scrollWidth <= heading.clientWidth")


@pytest.mark.parametrize("view", ["constructor", "__proto__", "toString", "nothing"])
def test_an_unknown_view_shows_the_buildings(only_buildings, visit, view):
    page = visit(f"{only_buildings.url}/explore?view={view}")

    expect(page.locator("#buildings")).to_be_visible()
    assert page.locator("#results li button").count() == 200
    assert page.errors == []


def test_the_list_is_sorted_by_name_with_numbers_by_value(start, mongod, visit):
    names = ["Zebra", None, "Hall 10", "éclair", "hall 9", "Eagle"]
    with MongoClient(f"{mongod}/sorted", tz_aware=True) as client:
        database = client.get_default_database()
        buildings = [building(id_, name=name) for id_, name in enumerate(names)]
        publish(database, plan_buildings(database, buildings), [])
        server = start(f"{mongod}/sorted")

        page = visit(f"{server.url}/explore")

        expect(page.locator("#results li strong")).to_have_text(
            ["Eagle", "éclair", "hall 9", "Hall 10", "Zebra", "Unnamed building"]
        )
        client.drop_database(database)


def test_a_long_list_ends_with_the_number_of_buildings_only_on_the_map(only_buildings, visit):
    page = visit(f"{only_buildings.url}/explore")

    expect(page.locator("#results li button")).to_have_count(200)
    expect(page.locator("#results li").last).to_have_text("51 more are shown on the map.")


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE])
def test_choosing_a_building_far_down_the_list_does_not_scroll_it(only_buildings, visit, viewport):
    page = visit(f"{only_buildings.url}/explore", viewport=viewport)
    button = page.locator("#results li button").nth(60)
    button.scroll_into_view_if_needed()
    position = button.bounding_box()

    button.click()
    expect(page.locator("#building-card h2")).to_be_focused()

    assert button.bounding_box() == position
    expect(page.locator("#building-card")).to_be_in_viewport(ratio=1)


def test_menus_that_were_never_loaded_show_a_message(only_buildings, visit):
    page = visit(f"{only_buildings.url}/explore?view=menus")

    assert page.get_by_role("heading", name="No menus yet").is_visible()
    assert page.get_by_text("run campus-load dining with an export, or campus-load samples").is_visible()


def test_buildings_that_were_never_loaded_show_a_message(start, mongod, visit):
    server = start(f"{mongod}/nothing")

    page = visit(f"{server.url}/explore")

    assert page.get_by_role("heading", name="No buildings yet").is_visible()


@pytest.mark.parametrize("view", ["buildings", "menus"])
def test_an_unavailable_database_shows_a_message(without_database, visit, view):
    page = visit(f"{without_database.url}/explore?view={view}")

    expect(page.get_by_role("alert")).to_contain_text("The database is unavailable")


def test_an_outage_does_not_look_like_missing_menus(without_database, visit):
    page = visit(f"{without_database.url}/explore?view=menus")

    assert page.locator("#range").text_content() == ""
    assert page.get_by_role("link", name="no menu").count() == 0


def test_in_an_outage_todays_menus_are_shown_with_a_notice(mongod_with_data, serve, visit):
    settings = {"CAMPUS_MONGO_URI": mongod_with_data.uri(), "CAMPUS_CLOCK_FROZEN_AT": NOON, **IMPATIENT}
    server = serve(ROOT / "production.ini", **settings)
    wait_for(lambda: health(server)["cache"]["entries"] == WARM_ENTRIES)
    mongod_with_data.kill()
    wait_for(lambda: health(server)["database"] == "down")

    page = visit(f"{server.url}/explore?view=menus&meal=0")

    assert page.locator(".dish-name").all_text_contents() == ["Kashi Pilaf"]
    assert page.get_by_text("The database is unavailable. This data was current a moment ago.").is_visible()


@pytest.mark.parametrize(
    ("seconds", "age"),
    [(0, "a moment"), (80, "a minute"), (7100, "118 minutes"), (7200, "2 hours"), (180_000, "50 hours")],
)
def test_the_age_of_stale_data_is_in_minutes_or_hours(only_buildings, visit, seconds, age):
    def add_age(route):
        response = route.fetch()
        stale = {"Age": str(seconds), "Cache-Status": "campus; fwd=stale"}
        route.fulfill(response=response, headers={**response.headers, **stale})

    page = visit(f"{only_buildings.url}/docs")
    page.route("**/map/buildings", add_age)

    page.goto(f"{only_buildings.url}/explore?view=buildings")

    expect(page.locator("#notice")).to_have_text(f"The database is unavailable. This data was current {age} ago.")


def test_the_notice_is_about_the_dishes_whatever_comes_after_them(samples, visit):
    def mark_as_stale(route):
        response = route.fetch()
        stale = {"Age": "300", "Cache-Status": "campus; fwd=stale"}
        route.fulfill(response=response, headers={**response.headers, **stale})

    page = visit(f"{samples.url}/docs")
    page.route("**/dining/dishes?*", mark_as_stale)
    page.route("**/dining/hours?*", lambda route: (page.wait_for_timeout(500), route.continue_()))

    page.goto(f"{samples.url}/explore?view=menus")

    expect(page.locator(".dish-name").first).to_be_visible()
    expect(page.locator("#notice")).to_have_text("The database is unavailable. This data was current 5 minutes ago.")
