"""The current time, and today's date in the time zone of the campus."""

from datetime import UTC, date, datetime, timedelta
from time import time as unix_time
from zoneinfo import ZoneInfo


def age_seconds(moment: datetime) -> int:
    """Return the whole seconds since a moment, 0 if a clock that is ahead says that it is in the future."""
    return max(int((datetime.now(UTC) - moment).total_seconds()), 0)


def dates(first: str, count: int) -> list[str]:
    """Return as many dates from the first one on."""
    start = date.fromisoformat(first)
    return [(start + timedelta(days=number)).isoformat() for number in range(count)]


class Clock:
    """A clock in the campus time zone; `frozen_at` stops it, for tests and demonstrations."""

    def __init__(self, time_zone: ZoneInfo, frozen_at: datetime | None = None) -> None:
        self.time_zone = time_zone
        self._frozen_at = frozen_at

    def today(self) -> str:
        """Return today's date on the campus as YYYY-MM-DD."""
        return self.now().date().isoformat()

    def minute(self) -> str:
        """Return the date and the time on the campus as YYYY-MM-DDTHH:MM."""
        return self.now().replace(tzinfo=None).isoformat(timespec="minutes")

    def start(self, date: str) -> float:
        """Return the Unix timestamp at which a date (YYYY-MM-DD) begins on the campus."""
        return datetime.fromisoformat(date).replace(tzinfo=self.time_zone).timestamp()

    def seconds_left(self, date: str) -> int:
        """Return the whole seconds until a date (YYYY-MM-DD) ends on the campus, 0 unless it is today."""
        if date != self.today():
            return 0
        # A day may have 23 or 25 hours.
        tomorrow = dates(date, 2)[1]
        return max(int(self.start(tomorrow) - self.now().timestamp()), 0)

    def now(self) -> datetime:
        """Return the date and the time on the campus."""
        moment = self._frozen_at.timestamp() if self._frozen_at else unix_time()
        return datetime.fromtimestamp(moment, self.time_zone)
