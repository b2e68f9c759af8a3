"""Allergens on the menus page, in a real browser: filters that a device remembers, and what is unknown or hidden."""

import json
import re

import pytest
from playwright.sync_api import expect

from campus_api.domain.models import ImpliedLabel, Label
from tests.factories import NOON, TODAY, facts, serving
from tests.processes.browser import check_filters
from tests.publishing import publish_dining

SATURDAY, SUNDAY = "2026-11-21", "2026-11-22"
UNKNOWN = facts(allergens=("See label",), labels=None, ingredients="Beans, Bacon")
LISTED = {1: "Milk", 2: "Peanuts", 3: "Soy", 4: "Sesame"}
DISHES = {TODAY: ["Milk Rice", "Peanut Soup", "Tofu"], SATURDAY: ["Hummus", "Chili"], SUNDAY: ["Chili"]}
NUMBERS = {"Milk Rice": 1, "Peanut Soup": 2, "Tofu": 3, "Hummus": 4, "Chili": 5}


@pytest.fixture(scope="module")
def service(serve_shared, shared_database):
    """Breakfasts of three days with other dishes; the rice that lists milk is labelled vegan."""
    servings = [serving(NUMBERS[name], name, date=date) for date, names in DISHES.items() for name in names]
    all_facts = {number: facts(allergens=(name,), labels=None) for number, name in LISTED.items()}
    vegetarian = (Label("VGN", "Végan", (ImpliedLabel("VGT", "vegetarian"),)), Label("VGT", "vegetarian"))
    contradicted = (*vegetarian, Label("constructor", "Plant-Based"))
    all_facts[1] = facts(allergens=("Milk",), labels=contradicted, ingredients="Rice, Milk")
    all_facts[3] = facts(allergens=("Soy",), labels=vegetarian)
    publish_dining(shared_database, servings, facts={**all_facts, 5: UNKNOWN})
    return serve_shared(CAMPUS_CLOCK_FROZEN_AT=NOON)


@pytest.fixture
def open_day(service, visit):
    return lambda query="", date=TODAY: visit(f"{service.url}/explore?view=menus&date={date}&meal=0{query}")


def shown(page):
    """Return the dishes that are shown, without those of groups."""
    return page.locator(".dish .dish-name").all_text_contents()


def remembered(page):
    return sorted(json.loads(page.evaluate("localStorage['campus:menus']"))["without"])


def test_remembered_filters_hold_on_days_with_other_dishes(service, open_day):
    page = open_day()
    check_filters(page, "milk", "peanuts")
    next_day = page.get_by_role("button", name="Next day")
    for move, names, sentence in [
        (next_day.click, ["Hummus"], "No dish of this day lists milk or peanuts."),
        (
            next_day.click,
            [],
            re.compile("Sunday, November 22.*Of unknown allergens: 1 dish, at the end of each hall.", re.DOTALL),
        ),
        (lambda: page.goto(f"{service.url}/explore?view=menus&date={TODAY}&meal=0"), ["Tofu"], "Hidden: 2 dishes"),
    ]:
        move()
        expect(page.locator("#menus")).to_contain_text(sentence)
        expect(page.get_by_text("Filters (2)"), sentence).to_be_visible()
        assert (shown(page), remembered(page)) == (names, ["milk", "peanuts"]), sentence


def test_a_link_adds_its_allergens_to_those_that_are_remembered(service, open_day):
    page = open_day()
    check_filters(page, "peanuts")

    # The link of the meal of now loses it.
    for link in ("?meal=1", f"?view=menus&date={TODAY}&meal=0&without=milk"):
        page.goto(f"{service.url}/explore{link}")
        expect(page.locator("#menu-summary"), link).to_contain_text(
            "This link shows more dishes; your filters hide some."
        )
    expect(page.get_by_text("Filters (2)")).to_be_visible()
    assert shown(page) == ["Tofu"]
    check_filters(page, "eggs")

    assert remembered(page) == ["eggs", "peanuts"]
    expect(page.locator("#menu-summary")).not_to_contain_text("This link")


def test_other_spellings_in_links_and_old_choices_become_words(service, open_day):
    page = open_day("&without=Dairy&without=NUTS")
    expect(page.get_by_text("Filters (3)")).to_be_visible()
    assert page.url.endswith("&without=milk&without=peanuts&without=tree+nuts")

    page.evaluate("localStorage.setItem('campus:menus', JSON.stringify({ without: ['Peanuts', 'Lait'] }))")
    page.goto(f"{service.url}/explore?view=menus&date={TODAY}&meal=0")

    expect(page).to_have_url(re.compile("&without=peanuts&without=milk$"))
    assert shown(page) == ["Tofu"]


def test_a_choice_that_the_service_does_not_know_is_not_dropped(service, open_day):
    page = open_day()
    choice = '{"without": ["pork", "milk"], "label": ["halal"]}'
    page.evaluate(f"localStorage['campus:menus'] = '{choice}'")

    page.goto(f"{service.url}/explore?view=menus&date={TODAY}&meal=0")
    expect(page.get_by_text("Filters (3)")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("Hidden: 3 dishes not labelled halal.")
    page.get_by_role("link", name="Show without the filters").click()
    expect(page.locator(".dish").first).to_be_visible()
    page.goto(f"{service.url}/explore?view=menus&date={TODAY}&meal=0")

    page.get_by_text("Filters (3)").click()
    page.get_by_role("checkbox", name="halal").click()
    expect(page.get_by_role("alert")).to_contain_text("The provider does not state whether dishes contain pork.")
    assert (shown(page), remembered(page)) == ([], ["milk", "pork"])


def test_a_word_that_the_provider_does_not_state_is_offered_with_a_remark(open_day):
    page = open_day()
    page.locator("#filter-button").click()
    assert page.locator("#allergens > .boxes").get_by_role("checkbox").count() == 9
    page.get_by_text("More allergens").click()

    page.get_by_role("checkbox", name="celery not stated").check()

    expect(page.get_by_role("alert")).to_contain_text("The provider does not state whether dishes contain celery.")
    assert shown(page) == []


def test_unknown_and_hidden_dishes_are_closed_groups_and_the_unknown_are_named_on_paper(open_day):
    page = open_day("&without=milk&location=30", SATURDAY)
    group = page.get_by_role("article", name="Hall 30").locator(".group")
    assert (shown(page), group.locator("li").count()) == (["Hummus"], 0)
    group.get_by_text("1 dish of unknown allergens").click()
    expect(group.get_by_role("listitem")).to_contain_text("Ingredients: Beans, Bacon")
    page.emulate_media(media="print")
    assert "Of unknown allergens: Chili" in page.locator("#printed-menu").inner_text()

    today = open_day("&without=milk")
    today.get_by_text("1 dish hidden by the filters").click()
    expect(today.locator(".group .dish-name")).to_have_text(["Milk Rice"])


def test_labels_that_allergens_contradict_neither_match_nor_are_shown(open_day):
    page = open_day("&location=30")
    dishes = [page.locator("summary.dish", has_text=name) for name in ("Milk Rice", "Tofu")]
    labels = [dish.locator(".badge").all_text_contents() for dish in dishes]
    assert labels == [["vegetarian"], ["Végan"]]
    dishes[0].click()
    expect(page.locator(".facts").first).to_contain_text("Labels: vegetarianIngredients")
    assert "Plant-Based" not in page.locator("#menus").text_content()
    page.emulate_media(media="print")
    assert "Milk Rice (vegetarian) Allergens: milk" in page.locator("#printed-menu").text_content()

    assert shown(open_day("&label=vegan")) == ["Tofu"]


def test_the_caution_is_where_a_filter_or_a_print_is(open_day):
    page = open_day("&without=milk")
    caution = "nobody has checked it, and dishes share kitchens. Ask in the hall."
    expect(page.locator("#menu-caution")).to_contain_text(caution)

    page.locator("#filter-button").click()

    expect(page.locator("#filters")).to_contain_text(caution)
    page.emulate_media(media="print")
    assert page.locator("#menu-caution").is_visible()
    printed = open_day("&location=30")
    printed.emulate_media(media="print")
    assert caution in printed.locator("#printed-menu").inner_text()
