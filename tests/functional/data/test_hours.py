"""The serving hours."""

import pytest

from tests.factories import TODAY, hall, serving


def row(date=TODAY, location=30, meal=1, opens="11:30", closes="14:00"):
    names = {"meal": meal, "meal_name": ["breakfast", "lunch", "dinner"][meal]}
    return {"date": date, "location": location, **names, "opens": opens, "closes": closes}


@pytest.fixture
def hours(service):
    """Serve two halls, and return the rows that match a query."""
    halls = {
        30: hall(dinner="17:00-19:30", lunch="11:30-14:00"),
        7: hall(lunch="12:00-13:00,13:30-14:00", dinner="18:00-19:00"),
    }
    service.serve_dining(serving(location=30), serving(2, location=7), serving(3, location=8), halls=halls)
    return lambda query="": service.app.get(f"/dining/hours{query}").json


def test_hours_are_those_of_today_by_date_meal_location_and_time(hours):
    assert hours() == [
        row(location=7, opens="12:00", closes="13:00"),
        row(location=7, opens="13:30", closes="14:00"),
        row(location=30),
        row(location=7, meal=2, opens="18:00", closes="19:00"),
        row(location=30, meal=2, opens="17:00", closes="19:30"),
    ]


def test_hours_are_filtered_like_menus(hours):
    for query, expected in (
        ("?location=30&meal=1", [row()]),
        ("?location=8&location=30&meal=2", [row(meal=2, opens="17:00", closes="19:30")]),
        ("?location=30&meal=1&date=2026-11-21&date=2026-11-20", [row(), row("2026-11-21")]),
        ("?location=30&meal=1&date=2026-11-20&date=2026-11-20&_=1", [row()]),
        ("?location=30&meal=1&to=2026-11-21", [row(), row("2026-11-21")]),
        ("?location=8", []),
        ("?meal=0", []),
        (f"?location={'9' * 40}", []),
        ("?date=2027-08-02", []),
    ):
        assert hours(query) == expected, query


def test_public_holidays_are_those_of_the_country_of_the_hall(service):
    halls = {30: hall(lunch="11:30-14:00; PH off"), 7: hall(lunch="11:30-14:00; PH off", country="DE")}
    service.serve_dining(serving(location=30), serving(2, location=7), halls=halls)

    thanksgiving = service.app.get("/dining/hours?date=2026-11-26").json

    assert thanksgiving == [row("2026-11-26", location=7)]


def test_hours_have_the_names_of_meals_of_the_day_and_the_hall(service):
    halls = {30: hall(lunch="11:30-14:00", night="22:00-01:00"), 7: hall(lunch="11:30-14:00")}
    brunch, night = {"meal": 1, "meal_name": "Brunch"}, {"meal": 3, "meal_name": "Late Night"}
    others = serving(3, location=7, meal=1), serving(4, date="2026-11-21", meal=1)
    service.serve_dining(serving(1, **brunch), serving(2, **night), *others, halls=halls)

    rows = service.app.get("/dining/hours?from=2026-11-20&to=2026-11-21").json

    names = [("lunch", 7), ("Brunch", 30), ("Late Night", 30), ("lunch", 7), ("lunch", 30), ("Late Night", 30)]
    assert [(row["meal_name"], row["location"]) for row in rows] == names
