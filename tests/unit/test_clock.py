from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from campus_api.domain.clock import Clock

CAMPUS = ZoneInfo("America/New_York")


def test_the_day_changes_at_midnight_on_the_campus():
    midnights = ["2026-01-15T05Z", "2026-07-15T04Z", "2027-01-01T05Z", "2028-02-29T05Z", "2028-03-01T05Z"]
    # The clocks go forward, on a day of 23 hours, and back, on one of 25 hours.
    midnights += ["2026-03-08T05Z", "2026-03-09T04Z", "2026-11-01T04Z", "2026-11-02T05Z"]
    for text in midnights:
        midnight, day = datetime.fromisoformat(text), date.fromisoformat(text[:10])
        before, after = (Clock(CAMPUS, midnight - timedelta(seconds=number)).today() for number in (1, 0))
        assert (before, after) == (str(day - timedelta(days=1)), str(day)), text


def test_only_today_has_time_left():
    clock = Clock(CAMPUS, datetime.fromisoformat("2026-11-20T12:00:00-05:00"))

    assert [clock.seconds_left(f"2026-11-{day}") for day in (19, 20, 21)] == [0, 43200, 0]
    # A day of 25 hours.
    assert Clock(CAMPUS, datetime.fromisoformat("2026-11-01T00:00:00-04:00")).seconds_left("2026-11-01") == 90_000


def test_a_date_begins_at_midnight_on_the_campus():
    for day, start in (("2026-03-08", "2026-03-08T00:00:00-05:00"), ("2026-03-09", "2026-03-09T00:00:00-04:00")):
        assert Clock(CAMPUS).start(day) == datetime.fromisoformat(start).timestamp(), day
