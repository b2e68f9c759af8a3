"""What is served now, which the index and the page have from one place, and the script follows."""

import pytest

from tests.factories import TODAY, TOMORROW, YESTERDAY, hall, serving


@pytest.fixture
def at(start):
    """Serve meals of three days in halls with these hours; return `now` of the index, which the page follows."""

    def at(time, *hours, meals=(0, 1, 2), dates=(YESTERDAY, TODAY, TOMORROW)):
        service = start(**{"clock.frozen_at": f"{TODAY}T{time}:00-05:00"})
        rows = [serving(date=day, meal=meal, location=n) for day in dates for meal in meals for n in range(len(hours))]
        service.serve_dining(*rows, halls={n: hall(**each) for n, each in enumerate(hours) if each})
        now = service.app.get("/").json["serving"]
        served = [str(each["location"]) for each in now["locations"] if each["state"]]
        for query in ("", f"?date={now['date']}"):
            page = service.app.get(f"/explore{query}").html
            assert [each["data-location"] for each in page.select("#menu .hall")] == served, query
            assert page.find(id="menu-summary").text.startswith(now["text"]), query
            assert page.find(id="selection").text.partition(" · ")[0].lower() in now["text"].lower(), query
        for each in now["locations"]:
            own = service.app.get(f"/explore?location={each['location']}").html.find(id="selection").text
            assert own.startswith("Tomorrow") == (each["date"] == TOMORROW), each
        return now

    return at


def test_the_meal_of_now_is_the_one_that_is_served_or_the_next_one(at):
    usual, late = {"breakfast": "07:30-10:30", "dinner": "17:00-19:30"}, {"dinner": "17:00-26:00"}
    brunch = {"breakfast": "08:00-11:00", "lunch": "08:00-14:00"}
    for name, time, halls, expected in [
        ("before opening", "06:00", [usual], (TODAY, 0, "07:30", f"{TODAY}T07:30")),
        ("served", "07:30", [usual], (TODAY, 0, None, f"{TODAY}T10:00")),
        ("after closing", "19:30", [usual], (TOMORROW, 0, "07:30", f"{TOMORROW}T00:00")),
        ("open past midnight", "00:30", [late, usual], (YESTERDAY, 2, None, f"{TODAY}T02:00")),
        ("open on two days", "00:30", [late, {"breakfast": "00:00-10:30"}], (YESTERDAY, 2, None, f"{TODAY}T02:00")),
        ("until it closes", "02:00", [late, usual], (TODAY, 0, "07:30", f"{TODAY}T07:30")),
        ("both open", "17:00", [usual, {"lunch": "11:00-18:00"}], (TODAY, 2, None, f"{TODAY}T18:00")),
        ("around the clock", "12:00", [{"lunch": "24/7"}], (TODAY, 1, None, f"{TODAY}T15:00")),
        ("opened at once", "09:00", [brunch], (TODAY, 0, None, f"{TODAY}T11:00")),
        ("open at once", "07:00", [brunch], (TODAY, 0, "08:00", f"{TODAY}T08:00")),
        ("no hours in the morning", "09:59", [None], (TODAY, 0, None, f"{TODAY}T10:00")),
        ("no hours in the evening", "23:00", [None], (TODAY, 2, None, f"{TOMORROW}T00:00")),
        ("hours of another hall", "19:30", [usual, None], (TOMORROW, 0, "07:30", f"{TOMORROW}T00:00")),
    ]:
        now = at(time, *halls)
        assert (now["date"], now["meal"], now["opens"], now["until"][:16]) == expected, name


def test_after_the_last_meal_the_next_one_follows_on_any_date_unless_there_is_none(at):
    hours = {"dinner": "17:00-19:30"}
    for dates, expected in [
        ([TODAY, TOMORROW], (TOMORROW, "Dinner tomorrow, from 5:00 PM")),
        ([TODAY, "2026-11-23"], ("2026-11-23", "Monday, dinner, from 5:00 PM")),
        ([TODAY, "2026-11-27"], ("2026-11-27", "Friday, November 27, dinner, from 5:00 PM")),
        ([TODAY, "2026-11-30"], ("2026-11-30", "Monday, November 30, dinner, from 5:00 PM")),
        ([TODAY], (TODAY, "Dinner today, Friday, November 20")),
        ([YESTERDAY], (TODAY, "Dinner today, Friday, November 20")),
    ]:
        now = at("20:00", hours, meals=[2], dates=dates)
        assert (now["date"], now["text"]) == expected, dates
    # What closed last, not what opened last.
    assert at("20:00", {**hours, "lunch": "11:30-19:45"}, dates=[TODAY])["meal"] == 1


def test_a_meal_of_unknown_hours_has_no_time_of_opening_and_the_last_one_is_that_of_now_until_midnight(at):
    for time, meal, until in (("20:00", 0, f"{TOMORROW}T00:00-05:00"), ("12:00", 2, f"{TODAY}T15:00-05:00")):
        now = at(time, None, meals=[meal])
        assert (now["date"], now["meal"], now["opens"], now["until"]) == (TODAY, meal, None, until), time


def test_open_halls_precede_those_that_open_next_those_of_unknown_hours_and_those_that_are_closed(at):
    expressions = ["11:00-12:00", None, "14:00-15:00", "11:00-12:00,13:30-15:00", "11:00-14:00,17:00-18:00"]

    now = at("12:30", *(text and {"lunch": text} for text in expressions))

    halls = [(each["location"], each["state"]) for each in now["locations"]]
    assert halls == [(4, "open"), (3, "later"), (2, "later"), (1, "unknown"), (0, "closed")]


def test_each_hall_has_its_own_meal_of_now(at):
    breakfast = {"breakfast": "07:30-10:30"}

    now = at("20:00", {**breakfast, "dinner": "17:00-19:30"}, {**breakfast, "dinner": "17:00-21:00"}, meals=(0, 2))

    own = {each["location"]: (each["date"], each["meal"]) for each in now["locations"]}
    assert (now["meal"], own) == (2, {0: (TOMORROW, 0), 1: (TODAY, 2)})


def test_what_depends_on_the_time_is_revalidated_and_changes_its_etag(start):
    for path, accept in (("/", "application/json"), ("/explore", "text/html")):
        tags = []
        for time in ("07:00", "10:30"):
            service = start(**{"clock.frozen_at": f"{TODAY}T{time}:00-05:00"})
            service.serve_dining(serving(meal=0), halls={30: hall()})
            response = service.app.get(path, headers={"Accept": accept})
            assert response.headers["Cache-Control"] == "no-cache", (path, time)
            tags.append(response.headers["ETag"])
        assert tags[0] != tags[1], path
