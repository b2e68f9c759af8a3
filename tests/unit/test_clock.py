from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from campus_api.domain.clock import Clock

CAMPUS = ZoneInfo("America/New_York")


def test_the_day_changes_at_midnight_on_the_campus(set_time_zone):
    midnights = ["2026-01-15T05Z", "2026-07-15T04Z", "2027-01-01T05Z", "2028-02-29T05Z", "2028-03-01T05Z"]
    # The clocks go forward, on a day of 23 hours, and back, on one of 25 hours.
    midnights += ["2026-03-08T05Z", "2026-03-09T04Z", "2026-11-01T04Z", "2026-11-02T05Z"]
    # Wherever the server is.
    for zone in ("UTC", "America/New_York", "Asia/Tokyo", "Pacific/Honolulu"):
        set_time_zone(zone)
        for text in midnights:
            midnight, day = datetime.fromisoformat(text), date.fromisoformat(text[:10])
            before, after = (Clock(CAMPUS, midnight - timedelta(seconds=number)).today() for number in (1, 0))
            assert (before, after) == (str(day - timedelta(days=1)), str(day)), (zone, text)
    assert Clock(ZoneInfo("Asia/Tokyo"), datetime(2026, 1, 14, 15, tzinfo=UTC)).today() == "2026-01-15"


def test_today_is_the_current_date_on_the_campus(set_time_zone):
    set_time_zone("Asia/Tokyo")
    before = datetime.now(CAMPUS).date()

    today = Clock(CAMPUS).today()

    assert before.isoformat() <= today <= datetime.now(CAMPUS).date().isoformat()


def test_the_cached_day_changes_at_midnight_and_when_the_clock_is_set_back(monkeypatch):
    moments = [datetime.fromisoformat(f"2026-11-{day}-05:00") for day in ("20T23:59:59", "21T00:00:00", "20T12:00:00")]
    monkeypatch.setattr("campus_api.domain.clock.unix_time", lambda: moments[0].timestamp())
    clock = Clock(CAMPUS)

    days = []
    while moments:
        days.append((clock.today(), clock.tomorrow(), clock.seconds_left(clock.today())))
        moments.pop(0)

    assert days == [
        ("2026-11-20", "2026-11-21", 1),
        ("2026-11-21", "2026-11-22", 86400),
        ("2026-11-20", "2026-11-21", 43200),
    ]


def test_only_today_has_time_left():
    clock = Clock(CAMPUS, datetime.fromisoformat("2026-11-20T12:00:00-05:00"))

    assert [clock.seconds_left(f"2026-11-{day}") for day in (19, 20, 21)] == [0, 43200, 0]


def test_a_date_begins_at_midnight_on_the_campus():
    for day, start in (("2026-03-08", "2026-03-08T00:00:00-05:00"), ("2026-03-09", "2026-03-09T00:00:00-04:00")):
        assert Clock(CAMPUS).start(day) == datetime.fromisoformat(start).timestamp(), day
