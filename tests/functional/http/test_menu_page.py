"""The menu that the server renders into /explore, of now or of a query."""

import re
from datetime import datetime
from functools import partial
from itertools import count
from urllib.parse import parse_qs, urlsplit

from campus_api.domain.models import ImpliedLabel, Label
from tests.factories import facts, hall, serving
from tests.loaders.live import live_collection


def dishes(page):
    """Return the texts of the dishes of a page by hall."""
    halls = page.html.select("#menu .hall")
    return {hall.h2.text: [each.get_text(" ", strip=True) for each in hall.find_all("li")] for hall in halls}


def test_the_menus_of_now_come_with_the_page_those_of_open_halls_first(start):
    rows = [serving(location=location, meal=meal) for location, meal in ((7, 1), (7, 2))]
    rows += [serving(meal=1, meal_name="Brunch"), serving(location=7, meal=3, meal_name="Late Night")]
    halls = {7: hall(lunch="14:00-15:00", dinner="17:00-19:00", night="22:00-23:00"), 30: hall(lunch="11:00-13:00")}
    only = ["Hall 7"]
    for time, meal, text, names in [
        ("12:00", "Lunch", "Lunch today, Friday, November 20", ["Hall 30", *only]),
        ("16:00", "Dinner", "Dinner today, from 5:00 PM", only),
        ("22:00", "Late Night", "Late Night today, Friday, November 20", only),
    ]:
        service = start(**{"clock.frozen_at": f"2026-11-20T{time}:00-05:00"})
        service.serve_dining(*rows, halls=halls)

        page = service.app.get("/explore").text

        now = page.partition('id="menu" ')[2].partition('id="menu-unknown"')[0]
        assert re.findall("<h2>(.*?)</h2>", now) == names, time
        assert ("Brunch: 11:00 AM–1:00 PM" in now) == (meal == "Lunch"), time
        assert f"Today · {meal} · All halls" in page, time
        assert f"{text}: 1 dish in {len(names)} hall" in page, time


def test_the_date_and_the_meal_are_those_of_one_moment(start, monkeypatch):
    service = start(**{"clock.frozen_at": ""})
    service.serve_dining(serving(meal=0), serving(meal=2))
    live_collection(service.database, "locations").delete_many({})  # A hall without a name is one, too.
    before_midnight = datetime.fromisoformat("2026-11-20T23:59:59.5-05:00").timestamp()
    monkeypatch.setattr("campus_api.domain.clock.unix_time", partial(next, count(before_midnight)))

    assert "Dinner today, Friday, November 20: 1 dish" in service.app.get("/explore").text


def test_pages_are_available_without_the_database(without_database):
    page = without_database.app.get("/explore")

    assert "The database is unavailable." in page.text


def test_the_page_has_the_menu_escaped(service):
    names = "Soup & <b>Bread</b>", "Rice", "Mystery"
    rows = [serving(id_, name, meal=1) for id_, name in enumerate(names, 1)]
    rows.append(serving(4, "Of tomorrow", date="2026-11-21", meal=1))
    labels = (Label("VGN", "vegan"), Label("LOC", "local"))
    implying = (Label("VGN", "vegan", (ImpliedLabel("VGT", "vegetarian"),)), Label("VGT", "vegetarian"))
    recipes = {1: facts(contains=("milk", "wheat"), labels=labels), 2: facts(contains=(), labels=implying)}
    service.serve_dining(*rows, facts=recipes, halls={30: hall(lunch="11:00-14:00")})

    page = service.app.get("/explore")

    assert "Soup &amp; &lt;b&gt;Bread&lt;/b&gt;" in page.text
    assert page.html.select_one("#menu .hours").text == "11:00 AM–2:00 PM"
    expected = ["Soup & <b>Bread</b> local milk, wheat", "Rice vegan no allergens listed", "Mystery allergens unknown"]
    assert dishes(page) == {"Hall 30": expected}
    assert "nobody has checked it" in page.html.find(id="menu-caution").text


def test_a_query_selects_the_menu_by_the_rules_of_the_api(service):
    rows = [serving(1, "Rice", meal=2), serving(2, "Pie", meal=2, location=7), serving(3, "Stew", meal=1)]
    rows += [serving(1, "Rice", meal=1, location=7, date="2026-11-21"), serving(4, "Mystery", meal=2)]
    pie = facts(contains=("milk",), without=("eggs",), labels=None)
    known = {1: facts(contains=(), without=("milk", "eggs", "fish")), 2: pie}
    service.serve_dining(*rows, facts=known)
    everything, dinner = {"Hall 7": ["Pie"], "Hall 30": ["Rice", "Mystery"]}, "Today · Dinner · All halls"
    for query, expected, selection, hidden in [
        ("", {"Hall 30": ["Stew"]}, "Today · Lunch · All halls", ": 1 dish in 1 hall"),
        ("meal=2&q=Rice", everything, dinner, ": 3 dishes in 2 halls"),
        ("view=menus&date=2026-11-21&meal=&location=&q=", {"Hall 7": ["Rice"]}, "Tomorrow · Lunch · All halls", ""),
        ("meal=2&location=7", {"Hall 7": ["Pie"]}, "Today · Dinner · Hall 7", ""),
        ("date=2026-11-21&location=7", {"Hall 7": ["Rice"]}, "Tomorrow · Lunch · Hall 7", ""),
        ("meal=2&without=Dairy", {"Hall 30": ["Rice"]}, f"{dinner} · no milk", "lists milk; 1 dish of unknown"),
        ("meal=2&without=fish", {"Hall 30": ["Rice"]}, f"{dinner} · no fish", "Hidden: 2 dishes of unknown"),
        ("meal=2&without=eggs&label=VGN", {"Hall 30": ["Rice"]}, f"{dinner} · vegan · no eggs", "2 dishes not"),
        ("view=menus&meal=2&q=i,P", {"Hall 7": ["Pie"]}, f"{dinner} · “i,P”", "1 dish in 1 hall for “i,P”"),
    ]:
        page = service.app.get(f"/explore?{query}")

        names = {hall: [text.partition(" ")[0] for text in each] for hall, each in dishes(page).items()}
        assert (list(names.items()), page.html.find(id="selection").text) == (list(expected.items()), selection), query
        assert hidden in page.html.find(id="menu-summary").text, query


def test_without_javascript_the_form_and_the_links_of_the_page_lead_to_other_menus(service):
    rows = [serving(1, "Pilaf", date=f"2026-11-{day}", meal=meal) for day in (20, 21) for meal in (1, 2)]
    service.serve_dining(*rows, facts={1: facts()})
    query = {"view": ["menus"], "date": ["2026-11-20"], "location": ["30"], "label": ["vegan"], "without": ["milk"]}
    query["q"] = ["pilaf"]

    page = service.app.get("/explore?view=menus&location=30&label=vegan&without=milk&q=pilaf&utm_source=x")

    form = page.forms["menu-form"]
    assert dict(form.submit_fields()) == {name: value for name, [value] in query.items()}
    form.set("date", "2026-11-21")
    assert "Lunch tomorrow, Saturday, November 21: 1 dish in 1 hall" in form.submit().text
    tomorrow = page.click(linkid="", href="date=2026-11-21")
    assert parse_qs(urlsplit(tomorrow.request.url).query) == {**query, "date": ["2026-11-21"], "meal": ["1"]}
    assert list(dishes(tomorrow)) == ["Hall 30"]


def test_a_malformed_query_of_the_page_is_a_message(service):
    service.serve_dining(serving(meal=1))
    for query in ("date=2026-02-30", "meal=lunch", "location=x", "without=penuts", "label=nothing", "date=\ufffd"):
        page = service.app.get(f"/explore?{query}".replace("\ufffd", "%ff"), status=400)

        message = page.html.select_one("#menu .message").text
        assert all(text in message for text in ("This link is not valid", query)), query
        assert dishes(page) == {}, query


def test_what_is_empty_names_the_next_meal_with_a_link(service):
    rows = [serving(1, "Rice", meal=1), serving(2, "Pie", meal=2), serving(3, "Soup", meal=0, date="2026-11-23")]
    rows += [serving(1, "Rice", meal=1, location=7, date="2026-11-24"), serving(1, "Rice", meal=1, date="2026-11-19")]
    known = {1: facts(contains=(), without=("milk",)), 2: facts(contains=("milk",), without=())}
    service.serve_dining(*rows, facts=known, halls={30: hall(breakfast="07:30-10:30", lunch="11:00-14:00")})
    for query, title, text, linked in [
        ("date=2026-11-22", "Closed", "Monday, breakfast, from 7:30 AM", {"date": "2026-11-23", "meal": "0"}),
        ("date=0001-01-01", "No menu", "Lunch today", {"date": "2026-11-20", "meal": "1"}),
        ("location=7", "No menu listed", "Tuesday, lunch", {"date": "2026-11-24", "meal": "1", "location": "7"}),
        ("without=milk&meal=2", "No dish matches the filters", "Lunch today", {"date": "2026-11-20", "meal": "1"}),
        ("view=menus&q=ri&meal=2", "No matches", "Lunch today", {"meal": "1", "q": "ri"}),
        ("date=9999-12-31", "No menu", "Tuesday, November 24", {"date": "2026-11-24"}),
        ("location=99", "Unknown hall", "Show all dishes of now", {"view": "menus"}),
    ]:
        page = service.app.get(f"/explore?{query}").html
        message = page.select_one("#menu .message")

        assert (message.h2.text, len(page.select("#week [aria-current]"))) == (title, 1), query
        assert message.a.text.startswith(text), query
        target = parse_qs(urlsplit(message.a["href"]).query)
        assert linked.items() <= {name: value for name, [value] in target.items()}.items(), query


def test_meals_have_their_names_and_the_order_of_their_hours(service):
    halls = {30: hall(night="06:00-07:00", lunch="11:00-14:00", dinner="09:00-10:00,17:00-19:00")}
    night = [serving(4, meal=3, location=place, meal_name="Night owls & co") for place in (7, 30)]
    brunch = serving(1, meal=1, meal_name="Brunch")
    service.serve_dining(brunch, serving(2, meal=2), *night, serving(3, meal=1, location=7), halls=halls)

    page = service.app.get("/explore").html

    tabs = page.find_all(role="tab")
    assert [each.text for each in tabs] == ["Breakfast", "Night owls & co", "Dinner", "Lunch"]
    assert [each.text for each in tabs if each["aria-selected"] == "true"] == ["Lunch"]
    assert [each.text for each in page.select("#menu .hours")] == ["Brunch: 11:00 AM–2:00 PM"]


def test_the_page_says_what_allergens_rest_on_and_what_labels_stand_for(service):
    service.serve_dishes(Pilaf={"without": ("milk",), "labels": (Label("X", "Vegan"), Label("V", "Vegetarisch"))})

    page = service.app.get("/explore?label=Plant-Based")

    assert "As listed by the dining service, which never declares celery, crustaceans, eggs, " in page.text
    assert '{"plant-based": ["X"], "v": ["V", "X"], "vegan": ["X"]' in page.html.find(id="menus")["data-labels"]


def test_the_page_has_the_menu_of_a_new_load_and_of_a_new_day(start):
    service = start(**{"clock.frozen_at": "2026-11-21T12:00:00-05:00"})
    for name in ("First", "Second"):
        rows = serving(1, "Of yesterday", meal=1), serving(2, name, date="2026-11-21", meal=1)
        service.serve_dining(*rows, file=f"samples/{name}.csv")

        page = service.app.get("/explore")

        assert dishes(page) == {"Hall 30": [f"{name} allergens unknown"]}, name
        assert "Lunch today, Saturday, November 21" in page.html.find(id="menu-summary").text, name
        assert not page.html.find(id="menu-samples").has_attr("hidden"), name
