"""The serving hours."""

from datetime import date, timedelta
from itertools import product

import pytest

from tests.factories import TODAY, hall, serving

TERM = "Mo-Fr 11:30-14:00; Su 10:30-14:00; PH off; 2026 Dec 20-2027 Jan 15 off"
BREAK = (date(2026, 12, 20), date(2027, 1, 15))
HOLIDAYS = {
    "2027-07-05",
    "2026-09-07",
    "2026-11-11",
    "2026-11-26",
    "2027-01-18",
    "2027-02-15",
    "2027-05-31",
    "2027-06-18",
}


def row(date=TODAY, location=30, meal=1, opens="11:30", closes="14:00"):
    return {"date": date, "location": location, "meal": meal, "opens": opens, "closes": closes}


def lunch(day):
    """Return the times of TERM on a day, spelled out."""
    if day.isoformat() in HOLIDAYS or BREAK[0] <= day <= BREAK[1] or day.weekday() == 5:
        return []
    return [("10:30" if day.weekday() == 6 else "11:30", "14:00")]


@pytest.fixture
def hours(service):
    """Serve two halls, and return the rows that match a query."""
    halls = {30: hall(dinner="17:00-19:30", lunch="11:30-14:00"), 7: hall(lunch="12:00-13:00,13:30-14:00")}
    service.serve_dining(serving(location=30), serving(2, location=7), serving(3, location=8), halls=halls)
    return lambda query="": service.app.get(f"/dining/hours{query}").json


def test_hours_are_those_of_today_by_date_meal_location_and_time(hours):
    assert hours() == [
        row(location=7, opens="12:00", closes="13:00"),
        row(location=7, opens="13:30", closes="14:00"),
        row(location=30),
        row(location=30, meal=2, opens="17:00", closes="19:30"),
    ]


def test_hours_are_sorted_by_meal_before_location(service):
    halls = {30: hall(breakfast="07:30-10:30"), 7: hall(lunch="12:00-13:00")}
    service.serve_dining(serving(location=30), serving(2, location=7), halls=halls)

    assert [each["location"] for each in service.app.get("/dining/hours").json] == [30, 7]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?location=30&meal=1", [row()]),
        ("?location=7&location=30&meal=2", [row(meal=2, opens="17:00", closes="19:30")]),
        ("?location=30&meal=1&date=2026-11-21&date=2026-11-20", [row(), row("2026-11-21")]),
        ("?location=30&meal=1&date=2026-11-20&date=2026-11-20&_=1", [row()]),
        ("?location=8", []),
        ("?meal=0", []),
        (f"?location={'9' * 40}", []),
        ("?date=2027-08-02", []),
    ],
)
def test_hours_are_filtered_like_menus(hours, query, expected):
    assert hours(query) == expected


def test_a_year_is_as_spelled_out(service):
    service.serve_dining(serving(), halls={30: hall(lunch=TERM)})
    days = [date(2026, 8, 1) + timedelta(days=number) for number in range(366)]

    rows = service.app.get("/dining/hours?" + "&".join(f"date={day}" for day in days)).json

    expected = [row(day.isoformat(), opens=opens, closes=closes) for day in days for opens, closes in lunch(day)]
    assert len(expected) > 200
    assert rows == expected


@pytest.mark.parametrize("name", ["category", "recipe", "hall"])
def test_another_parameter_is_a_400(service, name):
    problem = service.app.get(f"/dining/hours?{name}=1", status=400).json

    assert problem["detail"] == f"{name}=1 is not a parameter of hours: these are date, meal, location."


@pytest.mark.parametrize("query", ["date=tomorrow", "meal=lunch", "location=x", "date="])
def test_an_invalid_value_is_a_400_as_of_menus(service, query):
    problems = [service.app.get(f"{path}?{query}", status=400).json for path in ("/dining/menus", "/dining/hours")]

    assert problems[0]["detail"] == problems[1]["detail"]


def test_there_are_no_hours_before_the_first_load(service):
    assert service.app.get("/dining/hours").json == []


def test_hours_without_a_date_end_at_midnight(service):
    response = service.app.get("/dining/hours?meal=1")

    assert response.headers["Content-Location"] == f"/dining/hours?date={TODAY}&meal=1"


def test_a_new_load_replaces_the_hours(service):
    service.serve_dining(serving(), halls={30: hall(lunch="11:30-14:00")})
    before = service.app.get("/dining/hours")

    service.serve_dining(serving(), halls={30: hall(lunch="12:00-14:00")})

    after = service.app.get("/dining/hours", headers={"If-None-Match": before.headers["ETag"]}, status=200)
    assert [each.json[0]["opens"] for each in (before, after)] == ["11:30", "12:00"]


def test_many_dates_halls_and_meals_are_served(service):
    halls = {id_: hall(breakfast=TERM, lunch=TERM, dinner=TERM) for id_ in range(1, 13)}
    service.serve_dining(*(serving(1, location=id_) for id_ in halls), halls=halls)
    dates = [
        f"date={year}-{month:02}-{day:02}" for year, month, day in product((2026, 2027), range(1, 13), range(1, 29))
    ]

    rows = service.app.get("/dining/hours?" + "&".join(dates)).json

    assert len(rows) > 5_000
