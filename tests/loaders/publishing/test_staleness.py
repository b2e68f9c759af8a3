"""`--max-stale` alarms when an export is no longer updated; the load is published all the same."""

import json
from datetime import date, datetime, timedelta

import pytest

from tests.factories import TODAY, feature, foodpro_row


def days_after(days):
    return (date.fromisoformat(TODAY) + timedelta(days=days)).isoformat()


@pytest.fixture
def on_day(monkeypatch):
    """Stop the clock of the service that many days after TODAY."""
    return lambda days: monkeypatch.setenv("CAMPUS_CLOCK_FROZEN_AT", f"{days_after(days)}T12:00:00-05:00")


@pytest.fixture
def last_change(database):
    """Set the time of the live revision, by default to noon of TODAY."""

    def last_change(loaded_at=f"{TODAY}T12:00:00-05:00"):
        database.datasets.update_many({}, {"$set": {"loaded_at": datetime.fromisoformat(loaded_at)}})

    return last_change


def test_an_export_that_is_unchanged_for_too_long_by_the_dates_of_the_campus_is_stale(
    campus_load, save_features, save_rows, on_day, last_change, monkeypatch
):
    exports = {"buildings": save_features(feature(1)), "dining": save_rows(foodpro_row(Serve_Date=days_after(30)))}
    for dataset, path in exports.items():
        campus_load(dataset, path)

    for day, time, zone, days in [
        (7, "00:00:00-05:00", "America/New_York", 0),
        (8, "00:00:00-05:00", "America/New_York", 8),
        (8, "23:59:59-05:00", "America/New_York", 8),
        (8, "00:00:00+09:00", "Asia/Tokyo", 9),
    ]:
        last_change(f"{TODAY}T{time}")
        on_day(day)
        monkeypatch.setenv("CAMPUS_CLOCK_TIME_ZONE", zone)
        message = f"campus-load: stale: the export has not changed for {days} days (since {TODAY}).\n" if days else ""
        for dataset, path in exports.items():
            result = campus_load(dataset, path, "--max-stale", 7)
            assert (result.exit_code, result.stderr) == (3 if days else 0, message), (dataset, zone, time)


def test_changed_or_refused_buildings_are_not_stale(campus_load, save_features, on_day, last_change):
    campus_load("buildings", save_features(feature(1), feature(2)))
    last_change()
    on_day(30)

    for features, status in [([feature(1)], 3), ([feature(1, name="Widener"), feature(2)], 0)]:
        result = campus_load("buildings", save_features(*features), "--max-stale", 7)

        assert (result.exit_code, "stale" in result.stderr) == (status, False), features


def test_menus_that_ended_too_long_ago_are_published_and_stale(campus_load, save_rows, on_day):
    path = save_rows(foodpro_row())
    on_day(2)
    assert campus_load("check", path, "--max-stale", 2).exit_code == 0
    on_day(3)

    check = campus_load("check", path, "--max-stale", 2)
    assert (check.exit_code, check.stdout.splitlines()[-1]) == (3, "verdict: is stale")
    result = campus_load("dining", path, "--max-stale", 2)
    assert (result.exit_code, result.stderr) == (3, f"campus-load: stale: its menus ended 3 days ago ({TODAY}).\n")
    assert result.stdout.startswith("dining: published as revision 1\n")
    report = json.loads(campus_load("dining", path, "--max-stale", 2, "--json").stdout)
    reason = f"stale: its menus ended 3 days ago ({TODAY})"
    assert (report["state"], report["problems"][0]["reason"]) == ("unchanged", reason)
