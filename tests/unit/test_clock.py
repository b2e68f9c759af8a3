from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from campus_api.domain.clock import Clock

CAMPUS = ZoneInfo("America/New_York")


@pytest.fixture(params=["UTC", "America/New_York", "Asia/Tokyo", "Pacific/Honolulu"], autouse=True)
def server_time_zone(request, set_time_zone):
    set_time_zone(request.param)


@pytest.mark.parametrize(
    ("moment", "today"),
    [
        pytest.param("2026-01-15T04:59:59Z", "2026-01-14", id="winter, before midnight"),
        pytest.param("2026-01-15T05:00:00Z", "2026-01-15", id="winter, midnight"),
        pytest.param("2026-07-15T03:59:59Z", "2026-07-14", id="summer, before midnight"),
        pytest.param("2026-07-15T04:00:00Z", "2026-07-15", id="summer, midnight"),
        pytest.param("2026-03-08T05:00:00Z", "2026-03-08", id="midnight before the clocks go forward"),
        pytest.param("2026-03-09T03:59:59Z", "2026-03-08", id="end of the day of 23 hours"),
        pytest.param("2026-03-09T04:00:00Z", "2026-03-09", id="midnight after the clocks went forward"),
        pytest.param("2026-11-01T03:59:59Z", "2026-10-31", id="end of the last day of summer"),
        pytest.param("2026-11-01T04:00:00Z", "2026-11-01", id="midnight before the clocks go back"),
        pytest.param("2026-11-02T04:59:59Z", "2026-11-01", id="end of the day of 25 hours"),
        pytest.param("2026-11-02T05:00:00Z", "2026-11-02", id="midnight after the clocks went back"),
        pytest.param("2027-01-01T04:59:59Z", "2026-12-31", id="end of the year"),
        pytest.param("2028-03-01T04:59:59Z", "2028-02-29", id="leap day"),
        pytest.param("2026-11-20T23:59:59-05:00", "2026-11-20", id="written in campus time"),
    ],
)
def test_the_day_changes_at_midnight_on_the_campus(moment, today):
    clock = Clock(CAMPUS, datetime.fromisoformat(moment))

    assert clock.today() == today


@pytest.mark.parametrize(
    ("moment", "campus_time"),
    [
        ("2026-03-08T06:59:59Z", "2026-03-08T01:59:59-05:00"),
        ("2026-03-08T07:00:00Z", "2026-03-08T03:00:00-04:00"),
        ("2026-11-01T05:59:59Z", "2026-11-01T01:59:59-04:00"),
        ("2026-11-01T06:00:00Z", "2026-11-01T01:00:00-05:00"),
    ],
)
def test_the_clocks_go_forward_in_march_and_back_in_november(moment, campus_time):
    clock = Clock(CAMPUS, datetime.fromisoformat(moment))

    assert clock.now().isoformat() == campus_time


def test_today_depends_on_the_time_zone():
    clock = Clock(ZoneInfo("Asia/Tokyo"), datetime(2026, 1, 14, 15, tzinfo=UTC))

    assert clock.today() == "2026-01-15"


def test_now_is_the_current_time():
    clock = Clock(CAMPUS)
    before = datetime.now(UTC)

    now = clock.now()

    assert before <= now <= datetime.now(UTC)


def test_now_is_in_campus_time():
    clock = Clock(CAMPUS)

    now = clock.now()

    assert now.isoformat() == now.astimezone(CAMPUS).isoformat()


def test_today_is_the_current_date():
    clock = Clock(CAMPUS)
    before = datetime.now(CAMPUS)

    today = clock.today()

    assert before.date().isoformat() <= today <= datetime.now(CAMPUS).date().isoformat()


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


@pytest.mark.parametrize(("date", "seconds"), [("2026-11-19", 0), ("2026-11-20", 43200), ("2026-11-21", 0)])
def test_only_today_has_time_left(date, seconds):
    assert Clock(CAMPUS, datetime.fromisoformat("2026-11-20T12:00:00-05:00")).seconds_left(date) == seconds


@pytest.mark.parametrize(
    ("date", "start"), [("2026-03-08", "2026-03-08T00:00:00-05:00"), ("2026-03-09", "2026-03-09T00:00:00-04:00")]
)
def test_a_date_begins_at_midnight_on_the_campus(date, start):
    assert Clock(CAMPUS).start(date) == datetime.fromisoformat(start).timestamp()
