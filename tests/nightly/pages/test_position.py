"""The position of the visitor on the map, and the distances of buildings, in a real browser."""

from playwright.sync_api import expect

from tests.processes.browser import map_labels, map_scale, on_each_screen

CABOT = "id=350"
NEAR = {"geolocation": {"latitude": 42.3795, "longitude": -71.122, "accuracy": 40}, "permissions": ["geolocation"]}


@on_each_screen
def test_the_own_position_is_requested_on_a_click_only_and_sorts_the_list(explore):
    for query, motion in ((CABOT, "no-preference"), ("view=buildings", "reduce")):
        page = explore(query, **NEAR, reduced_motion=motion)
        assert page.locator(".map-position").count() == 0, query

        page.get_by_role("button", name="My position").press("Enter")

        expect(page.locator(".map-position span"), query).to_be_in_viewport(ratio=1)
        expect(map_labels(page, "Cabot House"), query).to_be_in_viewport(ratio=1)
        expect(page.locator(".map-status"), query).to_be_empty()
        expect(page.locator("#result-count"), query).to_have_text("44 buildings, nearest first")
        pressed = page.locator("#results [aria-pressed=true]")
        expect(pressed.locator("strong"), query).to_have_text(["Cabot House"] if query == CABOT else [])
        page.get_by_label("Name, address or city").fill("house, cambridge")
        expect(page.locator("#result-count"), query).to_have_text("12 of 44 buildings, nearest first")
        names = page.locator("#results li strong").all_text_contents()
        assert (names[0], names[-1]) == ("Cabot House", "Mather House"), query
        expect(page.get_by_role("button", name="Cabot House"), query).to_contain_text(
            "270 m, 5 min · 60 Linnaean Street"
        )
        expect(page.get_by_role("button", name="Mather House"), query).to_contain_text(
            "1,360 m, 21 min · 10 Cowperthwaite"
        )


def test_a_position_that_may_not_be_known_is_explained(explore):
    page = explore(CABOT, permissions=[])
    zoom = map_scale(page).text_content()

    page.get_by_role("button", name="My position").click()

    expect(page.locator(".map-status")).to_have_text("Your browser does not allow this page to know your position.")
    assert map_scale(page).text_content() == zoom
