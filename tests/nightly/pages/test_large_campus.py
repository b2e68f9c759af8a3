"""The page with three hundred buildings over 40 km, with names like HTML, and with a photo."""

import pytest
from playwright.sync_api import expect

from tests.factories import building, facts, serving
from tests.processes.browser import DESKTOP, PHONE, map_labels
from tests.publishing import publish_buildings, publish_dining

COUNT = 300
DISHES = 900
LISTING = "[...document.querySelectorAll('.dish-allergens')].filter((line) => line.textContent === 'milk').length"
SHOWN = "document.querySelectorAll('.dish-name').length"
PHOTO = "https://example.edu/photos/widener-library.jpg"
PIXEL = b"<svg xmlns='http://www.w3.org/2000/svg' width='4' height='3'/>"
HTML = "<img src=x onerror=alert(1)>"
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk"


@pytest.fixture(scope="module")
def url(serve_shared, shared_database):
    """The service with 300 halls from south to north, four buildings of unusual texts or images, and 900 dishes."""
    halls = [
        building(number, name=f"Hall {number}", point=(42.2 + 0.36 * number / COUNT, -71.1), polygons=())
        for number in range(1, COUNT + 1)
    ]
    unusual = [building(1001, name=HTML), building(1002, name="Script", image="javascript:alert(1)")]
    unusual += [building(1003, name=LONG, address=LONG), building(1004, name="Widener Library", image=PHOTO)]
    publish_buildings(shared_database, [*halls, *unusual])
    dishes = [serving(number, f"Dish {number}", location=number % 20 + 1) for number in range(1, DISHES + 1)]
    milk, none = facts(contains=("milk",)), facts(contains=(), without=("milk",))
    publish_dining(
        shared_database, dishes, facts={number: none if number % 3 else milk for number in range(1, DISHES + 1)}
    )
    return serve_shared().url


def test_names_are_not_interpreted_as_html_and_an_invalid_photo_url_is_not_requested(url, visit):
    page, photo = (visit(f"{url}/explore?view=buildings&q={query}") for query in ("onerror&id=1001", "script&id=1002"))
    assert page.get_by_role("heading", name=HTML).is_visible()
    assert map_labels(page).text_content() == HTML
    assert photo.get_by_text("The photo is not available.").is_visible()
    assert page.errors == photo.errors == []


def test_long_names_have_room_and_each_name_has_the_direction_of_its_letters(url, visit):
    for query in ("search?q=donaudampf", "explore?view=buildings&id=1003"):
        page = visit(f"{url}/{query}", viewport={**PHONE, "width": 320})
        expect(page.locator("h2, dt a", has_text=LONG).first).to_have_css("unicode-bidi", "plaintext")
        assert page.evaluate("document.documentElement.scrollWidth") == 320, query


def test_a_photo_is_requested_when_its_building_is_opened_and_may_be_missing(url, visit):
    page = visit(f"{url}/explore?view=buildings&q=widener")
    photo, button = page.get_by_role("img"), page.get_by_role("button", name="Widener Library")
    page.route(PHOTO, lambda route: route.fulfill(body=PIXEL, content_type="image/svg+xml"))
    assert PHOTO not in page.requested_urls

    with page.expect_request(PHOTO):
        button.click()
    expect(photo.and_(page.get_by_alt_text("Photo of Widener Library"))).to_be_visible()

    page.route(PHOTO, lambda route: route.abort())
    page.goto(f"{url}/explore?view=buildings&q=widener")
    button.click()
    expect(page.get_by_text("The photo is not available.")).to_be_visible()


def test_a_filter_hides_dishes_at_once_and_shows_many_others_in_turn(url, visit):
    page = visit(f"{url}/explore?view=menus&date=2026-11-20&meal=0", viewport=PHONE)
    expect(page.locator(".dish-name")).to_have_count(DISHES)

    click = "document.querySelector('#quick-filters button').click()"
    listing, shown = page.evaluate(f"{click}; [{LISTING}, {SHOWN}]")

    assert listing == 0
    assert shown <= DISHES / 10
    expect(page.locator(".dish-name")).to_have_count(DISHES * 2 / 3)
    assert page.evaluate(LISTING) == 0


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE])
def test_closing_the_card_of_a_link_leads_to_the_building_in_the_list(url, visit, viewport):
    page = visit(f"{url}/explore?id={COUNT}", viewport=viewport)

    page.get_by_role("button", name="Close").click()

    expect(page.get_by_role("button", name=f"Hall {COUNT}")).to_be_focused()
    expect(page.get_by_role("button", name=f"Hall {COUNT}")).to_be_in_viewport(ratio=1)
    expect(page.locator("#results li button")).to_have_count(201)
    expect(page.locator("#results li").last).to_have_text("103 more are shown on the map.")


def test_a_link_to_a_building_that_does_not_exist_leads_to_the_search(url, visit):
    for id_ in ("999", "library", "-1", "1e3"):
        page = visit(f"{url}/explore?view=buildings&id={id_}")
        assert page.get_by_role("heading", name="Building not found").is_visible(), id_

        page.get_by_role("button", name="Search the buildings").click()

        expect(page.get_by_label("Name, address or city"), str(id_)).to_be_focused()
        expect(page.get_by_role("article"), str(id_)).to_be_hidden()
        expect(page, str(id_)).to_have_url(f"{url}/explore?view=buildings")
        assert page.errors == [], id_
