"""The card of a building in a real browser: its drawing, directions, and links."""

from playwright.sync_api import expect

from tests.processes.browser import on_each_screen

# Cabot House has one dining hall.
CABOT, POINT = "view=buildings&id=350", "42.38121,-71.1244"


def card_link(page, name):
    return page.get_by_role("article").get_by_role("link", name=name)


@on_each_screen
def test_directions_lead_to_openstreetmap_and_on_a_phone_to_its_app_for_maps(explore):
    openstreetmap = "https://www.openstreetmap.org/directions?route=%3B42.38121%2C-71.1244"
    apple = "maps://?daddr=42.38121%2C-71.1244"
    for system, has_touch, url in (
        ("X11; Linux x86_64", False, openstreetmap),
        ("X11; Linux x86_64", True, openstreetmap),
        ("Macintosh; Intel Mac OS X 10_15_7", False, openstreetmap),
        ("Macintosh; Intel Mac OS X 10_15_7", True, apple),
        ("iPhone; CPU iPhone OS 18_0 like Mac OS X", True, apple),
        ("Linux; Android 10; K", True, f"geo:{POINT}?q={POINT}(Cabot%20House)"),
    ):
        page = explore(CABOT, user_agent=f"Mozilla/5.0 ({system})", has_touch=has_touch)

        expect(card_link(page, "Directions")).to_have_attribute("href", url)


def test_the_link_to_a_building_can_be_copied_or_shared_where_the_system_can(samples, visit, explore):
    url = f"{samples.url}/explore?{CABOT}"
    page = explore(CABOT, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_label("Name, address or city").fill("house")
    page.get_by_role("button", name="Cabot House").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == url

    other = visit("about:blank")
    other.add_init_script("navigator.share = async (data) => { window.shared = data; };")
    other.goto(url)
    other.get_by_role("button", name="Share").click()
    assert other.evaluate("window.shared") == {"title": "Cabot House", "url": url}
    assert other.get_by_role("button", name="Copy link").count() == 0


def test_a_building_has_links_to_menus_if_it_has_a_hall_and_halls_can_be_loaded(explore):
    without_hall = explore("view=buildings&id=116")
    without_halls = explore(CABOT, routes={"**/locations.geojson": lambda route: route.fulfill(status=503, json={})})

    for page in (without_hall, without_halls):
        page.wait_for_load_state("networkidle")
        expect(card_link(page, "Directions")).to_be_visible()
        assert page.locator("#building-card .hall-links a").count() == page.get_by_role("alert").count() == 0, page
