"""Queries of menus whose result has too many rows: a 400 before any row is read."""

from datetime import date, timedelta

import pytest

from campus_api.db import stores
from tests.factories import problem, serving
from tests.loaders.live import live_collection

FIRST, SECOND = "2026-11-21", "2026-11-22"
DATES = f"date={FIRST}&date={SECOND}"


@pytest.fixture
def limited(service, monkeypatch):
    """A service with two rows of each date and a limit of two rows."""
    monkeypatch.setattr(stores, "MAX_ROWS", 2)
    service.serve_dining(*(serving(meal, date=day, meal=meal) for day in (FIRST, SECOND) for meal in (1, 2)))
    return service


def test_over_250_000_rows_are_a_400_before_any_is_read(service):
    service.serve_dining(serving())
    # None of these could be read.
    unreadable = ({"_id": day, "items": [{}] * 125_001} for day in (FIRST, SECOND))
    live_collection(service.database, "menus").insert_many(unreadable)
    reason = "The query has 250,002 rows, more than 250,000: request fewer dates, meals or locations"
    error = ("date", f"{FIRST},{SECOND}", reason, None)

    for path in ("menus", "menus.csv", "dishes", "dishes.csv"):
        response = service.app.get(f"/dining/{path}?{DATES}", status=400)

        assert response.content_type == "application/problem+json", path
        assert response.json == problem(400, "Bad Request", f"{reason}.", error), path


def test_only_rows_that_match_are_counted(limited):
    many = "&".join(f"recipe={number}" for number in range(2, 200))

    for query in ("meal=1", "meal=1&meal=2&location=7", many):
        limited.app.get(f"/dining/menus?{DATES}&{query}", status=200)
    for query in ("meal=1&meal=2", f"location=30&recipe=1&{many}"):
        problem = limited.app.get(f"/dining/menus?{DATES}&{query}", status=400).json
        assert problem["detail"].startswith("The query has 4 rows, more than 2:"), query


def test_rows_are_counted_and_read_in_queries_of_fifty_dates(limited):
    days = [str(date.fromisoformat(FIRST) + timedelta(number)) for number in range(125)]
    items = [{"meal": meal, "location": 30, "category": 23, "recipe": 1, "name": "Rice"} for meal in (0, 1, 1)]
    menus = live_collection(limited.database, "menus")
    menus.delete_many({})
    menus.insert_many({"_id": day, "items": items[day == days[-1] :]} for day in days)
    query = "&".join(f"date={day}" for day in days)
    limited.database.command("profile", 2)

    problem = limited.app.get(f"/dining/menus?{query}&meal=1", status=400).json
    assert problem["detail"].startswith("The query has 250 rows, more than 2:")
    assert limited.app.get(f"/dining/menus?{query}&meal=2").json == []

    limited.database.command("profile", 0)
    # The warm-up reads one date.
    reads = {"command.aggregate": menus.name, "docsExamined": {"$gt": 1}}
    queries = limited.database["system.profile"].find(reads)
    assert {each["docsExamined"] for each in queries} == {50, 25}
