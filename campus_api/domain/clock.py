"""The time now, and today's date in the time zone of the campus."""

from datetime import date, datetime, time, timedelta
from time import time as seconds_since_1970
from typing import NamedTuple
from zoneinfo import ZoneInfo


class _Day(NamedTuple):
    """A date, and its midnights in seconds since 1970."""

    date: date
    begins: float
    ends: float


class Clock:
    """Tell the time on the campus, whatever the server's own time zone."""

    def __init__(self, time_zone: ZoneInfo, stopped_at: datetime | None = None) -> None:
        """Take the campus time zone and, for tests and demonstrations, a moment to stand still at."""
        self._time_zone = time_zone
        self._stopped_at = stopped_at
        self._day = self._day_at(self._seconds())

    def now(self) -> datetime:
        """Return the time now, aware, in the time zone of the campus."""
        return datetime.fromtimestamp(self._seconds(), self._time_zone)

    def today(self) -> str:
        """Return today's date on the campus as YYYY-MM-DD."""
        return self._today(self._seconds()).date.isoformat()

    def tomorrow(self) -> str:
        """Return tomorrow's date on the campus as YYYY-MM-DD."""
        return (self._today(self._seconds()).date + timedelta(days=1)).isoformat()

    def seconds_left(self) -> int:
        """Return how many whole seconds today still has on the campus."""
        now = self._seconds()
        return int(self._today(now).ends - now)

    def _seconds(self) -> float:
        return self._stopped_at.timestamp() if self._stopped_at else seconds_since_1970()

    def _today(self, now: float) -> _Day:
        """Return the day of `now`; to reckon it takes longer than an answer from memory."""
        if not self._day.begins <= now < self._day.ends:
            self._day = self._day_at(now)
        return self._day

    def _day_at(self, now: float) -> _Day:
        today = datetime.fromtimestamp(now, self._time_zone).date()
        # Of these two dates, because a day may have 23 or 25 hours.
        begins, ends = (datetime.combine(day, time(), self._time_zone) for day in (today, today + timedelta(days=1)))
        return _Day(today, begins.timestamp(), ends.timestamp())
