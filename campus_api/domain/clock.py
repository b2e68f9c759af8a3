"""The current time, and today's date in the time zone of the campus."""

from datetime import UTC, date, datetime, time, timedelta
from time import time as unix_time
from typing import NamedTuple
from zoneinfo import ZoneInfo


class _Day(NamedTuple):
    """A date with its start and end as Unix timestamps."""

    date: date
    start: float
    end: float


def age_seconds(moment: datetime) -> int:
    """Return the whole seconds since a moment, 0 if a clock that is ahead says that it is in the future."""
    return max(int((datetime.now(UTC) - moment).total_seconds()), 0)


class Clock:
    """A clock in the campus time zone; `frozen_at` stops it, for tests and demonstrations."""

    def __init__(self, time_zone: ZoneInfo, frozen_at: datetime | None = None) -> None:
        self.time_zone = time_zone
        self._frozen_at = frozen_at
        self._cached_day = self._compute_day(self._timestamp())

    def local(self, moment: datetime) -> datetime:
        """Return an aware datetime in the campus time zone."""
        return moment.astimezone(self.time_zone)

    def today(self) -> str:
        """Return today's date on the campus as YYYY-MM-DD."""
        return self._day(self._timestamp()).date.isoformat()

    def time(self) -> str:
        """Return the time on the campus as HH:MM."""
        return datetime.fromtimestamp(self._timestamp(), self.time_zone).strftime("%H:%M")

    def tomorrow(self) -> str:
        """Return tomorrow's date on the campus as YYYY-MM-DD."""
        return (self._day(self._timestamp()).date + timedelta(days=1)).isoformat()

    def start(self, date: str) -> float:
        """Return the Unix timestamp at which a date (YYYY-MM-DD) begins on the campus."""
        return datetime.fromisoformat(date).replace(tzinfo=self.time_zone).timestamp()

    def seconds_left(self, date: str) -> int:
        """Return the whole seconds until a date (YYYY-MM-DD) ends on the campus, 0 unless it is today."""
        timestamp = self._timestamp()
        day = self._day(timestamp)
        return int(day.end - timestamp) if day.date.isoformat() == date else 0

    def _timestamp(self) -> float:
        return self._frozen_at.timestamp() if self._frozen_at else unix_time()

    def _day(self, timestamp: float) -> _Day:
        """Return the campus day of a timestamp, cached because computing it takes longer than a cache hit."""
        if not self._cached_day.start <= timestamp < self._cached_day.end:
            self._cached_day = self._compute_day(timestamp)
        return self._cached_day

    def _compute_day(self, timestamp: float) -> _Day:
        today = datetime.fromtimestamp(timestamp, self.time_zone).date()
        # Both midnights are computed from dates, because a day may have 23 or 25 hours.
        start = datetime.combine(today, time(), self.time_zone)
        end = datetime.combine(today + timedelta(days=1), time(), self.time_zone)
        return _Day(today, start.timestamp(), end.timestamp())
