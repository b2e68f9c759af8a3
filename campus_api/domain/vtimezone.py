"""A time zone as an iCalendar component, for the dates of a calendar.

https://www.rfc-editor.org/rfc/rfc5545#section-3.6.5
"""

from bisect import bisect_left
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

_DAY_SECONDS = 86_400


def vtimezone(zone: ZoneInfo, first: date, last: date) -> bytes:
    """Return the VTIMEZONE of the dates from `first` to `last`: the offset of the first one, and each change of it."""
    start = int(datetime(first.year, first.month, first.day, tzinfo=zone).timestamp())
    days = (last - first + timedelta(days=2)).days
    lines = ["BEGIN:VTIMEZONE", f"TZID:{zone.key}", *_observance(zone, start, start, "19700101T000000")]
    for change in _changes(zone, start, days):
        onset = datetime.fromtimestamp(change, UTC) + _offset(zone, change - 1)
        lines += _observance(zone, change - 1, change, f"{onset:%Y%m%dT%H%M%S}")
    return "\r\n".join([*lines, "END:VTIMEZONE", ""]).encode()


def _changes(zone: ZoneInfo, start: int, days: int) -> Iterator[int]:
    """Yield the Unix times at which the offset changes."""
    for begin in range(start, start + days * _DAY_SECONDS, _DAY_SECONDS):
        before = _offset(zone, begin)
        if _offset(zone, begin + _DAY_SECONDS) != before:
            seconds = range(begin, begin + _DAY_SECONDS + 1)
            yield seconds[bisect_left(seconds, True, key=lambda second: _offset(zone, second) != before)]


def _observance(zone: ZoneInfo, before: int, from_: int, onset: str) -> list[str]:
    local = datetime.fromtimestamp(from_, zone)
    name = "DAYLIGHT" if local.dst() else "STANDARD"
    return [
        f"BEGIN:{name}",
        f"DTSTART:{onset}",
        f"TZOFFSETFROM:{datetime.fromtimestamp(before, zone):%z}",
        f"TZOFFSETTO:{local:%z}",
        f"TZNAME:{local:%Z}",
        f"END:{name}",
    ]


def _offset(zone: ZoneInfo, seconds: int) -> timedelta:
    return datetime.fromtimestamp(seconds, zone).utcoffset() or timedelta(0)
