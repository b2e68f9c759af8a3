"""The map of buildings in a real browser: what it shows, and at which zoom."""

from itertools import combinations, product
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.factories import building
from tests.processes.browser import accessibility_violations, map_labels, map_scale, on_each_screen
from tests.publishing import publish_buildings

TILES = "http://tiles.example.edu/**"
BOXES = "(elements) => elements.map((each) => each.getBoundingClientRect().toJSON())"
PIXEL = b"<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>"
# Two buildings without a footprint, a kilometre apart.
POINTS = {"Alpha": (42.370, -71.117), "Beta": (42.379, -71.117)}


@pytest.fixture(scope="module")
def points(serve_shared, shared_database):
    """The service with two buildings without a footprint, and with tiles."""
    buildings = [
        building(id_, name=name, point=point, polygons=(), image=f"data:image/svg+xml,{quote(PIXEL)}")
        for id_, (name, point) in enumerate(POINTS.items())
    ]
    publish_buildings(shared_database, buildings)
    attribution = '&copy; <a href="https://tiles.example.edu/copyright">OpenStreetMap</a> contributors'
    return serve_shared(CAMPUS_MAP_TILES_URL=TILES.replace("**", "{z}/{x}/{y}.png"), CAMPUS_MAP_ATTRIBUTION=attribution)


def overlap(a, b):
    return (
        abs(2 * a["x"] + a["width"] - 2 * b["x"] - b["width"]) < a["width"] + b["width"]
        and abs(2 * a["y"] + a["height"] - 2 * b["y"] - b["height"]) < a["height"] + b["height"]
    )


def test_choosing_a_building_zooms_the_map_to_it_beside_its_card_with_more_labels_until_show_all(samples, visit):
    page = visit(f"{samples.url}/explore#buildings")
    expect(map_scale(page)).to_have_text("200 m")
    expect(map_labels(page, "Baker Library")).to_be_visible()
    expect(map_labels(page, "Houghton Library")).to_have_count(0)
    page.get_by_role("button", name="Houghton Library").click()
    expect(map_labels(page, "Houghton Library")).to_be_in_viewport(ratio=1)
    expect(map_labels(page, "Lamont Library")).to_be_visible()
    expect(map_scale(page)).to_have_text("30 m")
    box = map_labels(page, "Houghton Library").bounding_box()
    assert not overlap(box, page.get_by_role("article").bounding_box())
    page.get_by_role("button", name="Show all").click()
    expect(map_scale(page)).to_have_text("200 m")


@on_each_screen
def test_the_largest_buildings_have_labels_that_do_not_overlap(samples, visit):
    states = [("view=buildings", "Widener Library", False), ("view=buildings", "Lowell House", True)]
    states.append(("id=350", "Cabot House", False))
    for query, name, has_large_text in states:
        page = visit(f"{samples.url}/explore?{query}", has_large_text=has_large_text)
        expect(map_labels(page, name)).to_be_visible()

        # At once, because the labels may be drawn again.
        boxes, obstacles = (
            page.locator(each).evaluate_all(BOXES) for each in (".map-label span", "#map .leaflet-control")
        )

        assert not [pair for pair in combinations(boxes, 2) if overlap(*pair)], query
        assert not [pair for pair in product(boxes, obstacles) if overlap(*pair)], query


@on_each_screen
def test_requests_for_tiles_name_the_origin_of_the_page_and_no_card_covers_their_attribution(points, visit):
    referers = set()

    def respond(route):
        referers.add(route.request.headers["referer"])
        route.fulfill(body=PIXEL, content_type="image/svg+xml")

    page = visit(f"{points.url}/explore?id=0", routes={TILES: respond})

    expect(page.locator("img.leaflet-tile-loaded").first).to_be_visible()
    assert (referers, page.errors) == ({f"{points.url}/"}, [])
    attribution = page.locator(".leaflet-control-attribution")
    expect(attribution).to_have_text("© OpenStreetMap contributors")
    expect(attribution.get_by_role("link")).to_have_attribute("href", "https://tiles.example.edu/copyright")
    assert not overlap(page.get_by_role("article").bounding_box(), attribution.bounding_box())
    assert accessibility_violations(page) == []


@on_each_screen
def test_without_tiles_the_map_has_its_buildings_and_no_message(points, visit):
    page = visit(f"{points.url}/explore#buildings", routes={TILES: lambda route: route.abort()})
    page.wait_for_load_state("networkidle")

    expect(map_labels(page, "Alpha")).to_be_visible()
    assert page.locator(".leaflet-control-attribution").count() == 0
    assert page.locator("img.leaflet-tile-loaded").count() == 0
