"""The time now, and today's date in the time zone of the campus."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo


class Clock:
    """Tell the time on the campus, whatever the server's own time zone."""

    def __init__(self, time_zone: ZoneInfo, stopped_at: datetime | None = None) -> None:
        """Take the campus time zone and, for tests and demonstrations, a moment to stand still at."""
        self._time_zone = time_zone
        self._stopped_at = stopped_at

    def now(self) -> datetime:
        """Return the time now, aware, in the time zone of the campus."""
        return (self._stopped_at or datetime.now(self._time_zone)).astimezone(self._time_zone)

    def today(self) -> str:
        """Return today's date on the campus as YYYY-MM-DD."""
        return self.now().date().isoformat()

    def tomorrow(self) -> str:
        """Return tomorrow's date on the campus as YYYY-MM-DD."""
        return (self.now().date() + timedelta(days=1)).isoformat()

    def seconds_left(self) -> int:
        """Return how many whole seconds today still has on the campus."""
        now = self.now()
        midnight = datetime.combine(now.date() + timedelta(days=1), time(), self._time_zone)
        # In UTC, because a day may have 23 or 25 hours.
        return int((midnight.astimezone(UTC) - now.astimezone(UTC)).total_seconds())
