"""The search over buildings, locations and dishes."""

from zoneinfo import ZoneInfo

import pytest

from campus_api.db.stores import Stores
from campus_api.domain.models import LocationDetails
from campus_api.domain.search.index import TYPES
from tests.factories import TODAY, building, facts, hall, serving


@pytest.fixture
def loaded(service):
    """Serve a building, two halls, and dishes that are served today, later, and long ago."""
    service.serve_buildings(building(1, name="Memorial Hall", address="45 Quincy Street"))
    service.serve_dining(
        serving(1, "Lasagna", date="2026-01-01"),
        serving(2, "Vegetable Lasagna", date="2026-11-24", meal=2, location=7),
        *(serving(2, "Vegetable Lasagna", date="2026-11-24", meal=1, location=location) for location in (30, 7)),
        serving(2, "Vegetable Lasagna", date="2026-11-24", meal=1, location=7, category=24),
        serving(3, "Tofu", date=TODAY),
        serving(3, "Tempeh", date="2027-01-01"),
        halls={30: hall(lunch="09:00-10:00,11:30-14:00", dinner="00:15-01:00")},
    )
    return service


@pytest.fixture
def search(loaded):
    return lambda query: loaded.app.get(f"/search?{query}").json


def result(type_, id_, name, detail, url, *, date=None, meal=None):
    rest = {"date": date, "meal": meal, "without": [], "url": url}
    return {"type": type_, "id": id_, "name": name, "detail": detail, **rest}


def test_a_hall_has_its_hours_today_and_is_listed_with_its_building(search):
    hours = "Now, until 2:00 PM. Today 9:00 AM–10:00 AM, 11:30 AM–2:00 PM, 12:15 AM–1:00 AM"

    assert search("q=hall+30") == [
        result("location", 30, "Hall 30", hours, "/dining/locations/30"),
        result("building", 1, "Memorial Hall", "45 Quincy Street", "/map/buildings/1"),
    ]


def test_of_a_meal_the_halls_that_serve_it_first_come_first_with_its_hours(service):
    service.serve_dining(
        *(serving(id_, f"Dinner Burrito {id_}", meal=2, location=9) for id_ in range(30)),
        *(serving(1, "Dinner Burrito 1", meal=2, location=location) for location in (6, 7, 30)),
        serving(2, "Dinner Burrito 2", meal=1, location=8),
        halls={
            30: hall(dinner="18:00-20:00"),
            7: hall(dinner="17:00-19:00", lunch="06:00-07:00"),
            6: hall(dinner="10:00-11:00"),
        },
    )

    for query in ("dinner", "Dinner today", "what's for dinner", "closest dinner"):
        rows = service.app.get("/search", {"q": query}).json
        assert [(row["name"], row["detail"]) for row in rows[:4]] == [
            ("Hall 7", "Today 5:00 PM–7:00 PM"),
            ("Hall 30", "Today 6:00 PM–8:00 PM"),
            ("Hall 9", "No known hours today"),
            ("Hall 6", "Today 10:00 AM–11:00 AM"),
        ], query
        assert [row["type"] for row in rows[4:]] == ["dish"] * 16, query
    assert service.app.get("/search?q=dinner&type=dish").json[0]["type"] == "dish"
    assert service.app.get("/search?q=dinner+burrito").json[0]["type"] == "dish"
    assert service.app.get("/search?q=food+at+night").json[0]["detail"] == "Today 5:00 PM–7:00 PM"


def test_meals_are_found_and_described_by_their_names(service):
    night = {"meal": 3, "meal_name": "Late Night"}
    service.serve_dining(serving(1, "Fries", **night), serving(2, "Night Owl Pizza", location=7))

    for query in ("late night", "Late nights today", "night"):
        rows = service.app.get("/search", {"q": query}).json
        assert [row["name"] for row in rows if row["type"] == "location"] == ["Hall 30"], query
    assert service.app.get("/search?q=fries").json[0]["detail"] == "Nov 20, Late Night: Hall 30"


def test_a_hall_and_its_building_are_found_by_the_other_names_of_the_hall(service):
    service.serve_buildings(building(1, name=None))
    service.serve_dining(serving(), halls={30: LocationDetails(1, aliases=("The Berg",))})

    rows = service.app.get("/search?q=berg").json

    assert [(row["type"], row["name"]) for row in rows] == [("location", "Hall 30"), ("building", None)]


def test_a_building_is_found_by_its_other_names_and_its_kind_which_no_response_has(service):
    service.serve_buildings(
        building(1, name="Pforzheimer House", aliases="Pfoho;North House"),
        building(2, name="Malkin Athletic Center", tags="yes;sports_centre"),
        building(3, name="Smith Center", tags="clinic"),
    )

    for query, ids in {"pfoho": [1], "north house": [1], "gym": [2], "doctors": [3], "yes": []}.items():
        assert [row["id"] for row in service.app.get("/search", {"q": query}).json] == ids, query
    assert [set(row) & {"aliases", "tags"} for row in service.app.get("/map/buildings").json] == [set()] * 3
    assert service.app.get("/map/buildings?name=pfoho").json == []


def test_a_building_is_found_by_its_code_also_with_a_room_or_by_its_kind_before_an_open_hall(service):
    service.serve_buildings(
        building(1, name="Edward St. John", code="ESJ;11/24"),
        building(2, name="Hall 30 Library", code="ENG2", tags="library"),
        *(building(id_, name="Annex", tags="library") for id_ in range(3, 30)),
    )
    service.serve_dining(serving(), halls={30: hall(lunch="11:30-14:00")._replace(aliases=("Library Bar",))})

    queries = {
        1: ("ESJ", "esj 0224", "ESJ-0224", "esj0224", "11/24"),
        2: ("room 101 ENG2", "ENG2 11/25", "Hall 30 b103", "library", "bib", "libraries", "libary", "hal 30 libary"),
    }
    for id_, query in ((number, query) for number in queries for query in queries[number]):
        assert [row["id"] for row in service.app.get("/search", {"q": query}).json][:1] == [id_], query


def test_a_dish_has_its_next_date_meal_and_halls_and_precedes_others(search):
    soon, later = "Nov 24, lunch: Hall 7, Hall 30", "Not on the menus of the next two weeks"

    assert search("q=lasagna") == [
        result("dish", 2, "Vegetable Lasagna", soon, "/dining/recipes/2", date="2026-11-24", meal=1),
        result("dish", 1, "Lasagna", later, "/dining/recipes/1"),
    ]


def test_the_dates_of_two_weeks_are_searched(service):
    dates = ("2026-11-19", "2026-12-04", "2026-12-05")
    service.serve_dining(*(serving(id_, f"Soup {id_}", date=date) for id_, date in enumerate(dates)))

    later = "Not on the menus of the next two weeks"
    rows = service.app.get("/search?q=soup").json
    assert [(each["id"], each["detail"]) for each in rows] == [(1, "Dec 4, breakfast: Hall 30"), (0, later), (2, later)]


def test_a_dish_is_listed_by_the_name_under_which_it_is_served(search):
    assert [(row["id"], row["detail"][:6]) for row in search("q=tofu")] == [(3, "Nov 20")]
    assert [(row["id"], row["detail"][:6]) for row in search("q=tempeh")] == [(3, "Not on")]


def test_malformed_searches_are_reported_and_corrected_where_it_can_be_told(loaded):
    for query, corrected in {
        **dict.fromkeys((f"q={'hall' * 65}", f"q={'a' * 200}&q={'b' * 200}", "q=hall%FF", "q=hall&type=bus", "date=x")),
        "query=lib": "q=lib",
        "q=lib&type=buildings&type=location": "q=lib&type=building&type=location",
        "q=lib&Type=": "q=lib",
        "q=hall&type=Dish": "q=hall&type=dish",
    }.items():
        problem = loaded.app.get(f"/search?{query}", status=400).json
        assert problem["corrected"] == (corrected and f"/search?{corrected}"), query


def test_a_repeated_text_is_one(search):
    assert [row["id"] for row in search("q=lasagna&q=vegetable&_=1")] == [2]


def test_what_is_served_or_open_now_comes_first_and_says_until_when(service):
    service.serve_dining(
        *(serving(1, "Roast Chicken", meal=1, location=location) for location in (7, 9)),
        serving(3, "Chicken", meal=2, date="2026-11-21"),
        serving(2, "Chicken", meal=2),
        halls={30: hall(dinner="17:00-01:00"), 7: hall(lunch="11:30-14:00"), 9: hall(lunch="11:00-14:00")},
    )
    store = Stores(service.revisions.snapshot(), ZoneInfo("America/New_York")).search
    soon, later, lunch = "Nov 20, dinner: Hall 30", "Nov 21, dinner: Hall 30", "Today 11:30 AM–2:00 PM"
    open_first = [(30, "Now, until 1:00 AM. Today 5:00 PM–1:00 AM"), (9, "Today 11:00 AM–2:00 PM"), (7, lunch)]

    for now, query, expected in (
        ("20T12:00", "is there chicken now", [(1, "now, until 2:00 PM: Hall 7 and 1 more"), (2, soon), (3, later)]),
        ("20T14:00", "chicken", [(2, soon), (3, later), (1, "Not on the menus of the next two weeks")]),
        ("21T00:59", "chicken", [(2, "now, until 1:00 AM: Hall 30"), (3, later)]),
        *((now, "what is open", open_first) for now in ("20T17:00", "21T00:59")),
    ):
        rows = store.find(query, TYPES, f"2026-11-{now}")
        assert [(row.id, row.detail) for row in rows][: len(expected)] == expected, (now, query)


def test_the_day_and_the_meal_of_a_text_or_else_the_next_ones_decide(service):
    service.serve_dining(
        serving(1, "Vegan Soup", meal=1, date=TODAY),
        serving(2, "Chicken Soup", meal=1, date="2026-11-21"),
        serving(3, "Fish Soup", meal=2, date="2026-11-22", location=7),
        serving(4, "Nachos", meal=3, meal_name="Late Night", date="2026-11-25"),
        halls={
            30: hall(breakfast="08:00-10:00", lunch="11:30-14:00; Su off", dinner="17:00-19:00; Mo off"),
            7: hall(lunch="11:00-14:00; Mo off", dinner="18:00-20:00; Sa off", night="Fr 20:00-21:00"),
        },
    )
    store = Stores(service.revisions.snapshot(), ZoneInfo("America/New_York")).search
    lunch = "11:30 AM–2:00 PM"
    evening = (30, "Today 5:00 PM–7:00 PM", "20 2"), (7, "Today 6:00 PM–8:00 PM, 8:00 PM–9:00 PM", "20 2")

    for now, query, *expected in (
        ("20T12:00", "dinner tomorrow", (30, "Tomorrow 5:00 PM–7:00 PM", "21 2"), (7, "Closed tomorrow", None)),
        ("20T22:20", "lunch", (7, "Tomorrow 11:00 AM–2:00 PM", "21 1"), (30, f"Tomorrow {lunch}", "21 1")),
        ("20T22:20", "open now", (30, f"Tomorrow 8:00 AM–10:00 AM, {lunch}, 5:00 PM–7:00 PM", None)),
        ("20T09:00", "what's for lunch on monday", (30, f"Monday {lunch}", "23 1"), (7, "Closed Monday", None)),
        ("20T09:00", "soup", (1, "Nov 20, lunch: Hall 30", "20 1")),
        ("20T12:00", "tomorrow's lunch soup", (2, "Nov 21, lunch: Hall 30", "21 1")),
        ("20T12:00", "soup for dinner", (3, "Nov 22, dinner: Hall 7", "22 2")),
        ("20T12:00", "lunch nov. 21st", (7, "Tomorrow 11:00 AM–2:00 PM", "21 1"), (30, f"Tomorrow {lunch}", "21 1")),
        ("20T12:00", "open at 6", *evening),
        *(("20T05:00", each, *evening) for each in ("um 18 Uhr", "stasera", "half past 6 in the evening")),
        *(("20T20:00", each, (30, "Tomorrow 8:00 AM–10:00 AM", "21 0")) for each in ("breakfast", "a las 8")),
        ("20T12:00", "demain à 9h", (30, "Tomorrow 8:00 AM–10:00 AM", "21 0"), (7, "No known hours tomorrow", None)),
        *(("20T12:00", each, evening[1]) for each in ("friday tonight at 7:30 pm", "today at 8")),
        ("20T12:00", "late night", (7, "Today 8:00 PM–9:00 PM", "20 3"), (30, "No known hours today", None)),
        ("20T12:00", "dinner next friday", (30, "Friday, November 27 5:00 PM–7:00 PM", "27 2")),
        ("20T12:00", "monday at 6", (7, "Monday 6:00 PM–8:00 PM", "23 2"), (30, "Closed Monday", None)),
        ("20T12:00", "soup near hall 7", (1, "now, until 2:00 PM: Hall 30", "20 1")),
        ("20T20:30", "soup tomorrow at 12", (2, "Nov 21, lunch: Hall 30", "21 1")),
        ("20T12:00", "11/24", (30, f"Tuesday 8:00 AM–10:00 AM, {lunch}, 5:00 PM–7:00 PM", "24 0")),
    ):
        rows = store.find(query, TYPES, f"2026-11-{now}")
        results = [(row.id, row.detail, row.date and f"{row.date[8:]} {row.meal}") for row in rows]
        assert results[: len(expected)] == expected, (now, query)

    # A day without data.
    rows = store.find("what's for dinner", TYPES, "2027-09-01T12:00")
    assert {row.detail for row in rows if row.type == "location"} == {"No known hours today"}


def test_allergens_that_a_text_denies_are_filters(service):
    named = {
        "Nut Soup": ("Tree Nuts",),
        "Fish Soup": ("Fish",),
        "Milk Soup": ("Milk",),
        "Salad": ("Peanuts",),
        "Soup": None,
    }
    known = {id_: facts(allergens=each) for id_, each in enumerate(named.values(), 1) if each}
    rows = [serving(id_, name, date=f"2026-11-2{id_ // 4}") for id_, name in enumerate(named, 1)]
    service.serve_dining(*rows, facts=known)

    for query, ids in {
        "soup without nuts or dairy": {2},
        **dict.fromkeys(("no Tree Nuts", "ohne Haselnüsse"), {2, 3, 4}),
        "dairy-free breakfast": {1, 2},
        **dict.fromkeys(("nothing with milk", "pas de lait", "milk allergy dinner"), {1, 2, 4}),
        **dict.fromkeys(("I'm allergic to fish", "I can’t eat fish", "nada de pescado"), {1, 3, 4}),
        "nothing with milk, no fish OR peanuts": {1},
        **dict.fromkeys(("weder Milch noch Fisch", "senza latte e senza pesce", "ni lait ni poisson"), {1, 4}),
        **dict.fromkeys(("gf soup", "no meat"), set()),
    }.items():
        rows = service.app.get("/search", {"q": query}).json
        filtered = {row["id"] for row in rows if f"(filter: without {', '.join(row['without'])})" in row["detail"]}
        assert filtered == ids == {row["id"] for row in rows}, query
    for query, ids in (*((each, {1, 4}) for each in ("vegan", "vgn")), ("no+milk&type=building", set())):
        assert {row["id"] for row in service.app.get(f"/search?q={query}").json} == ids, query
