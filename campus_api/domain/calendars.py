"""Menus as an iCalendar calendar: an all-day event for each meal of a location, as exports have no opening hours.

https://www.rfc-editor.org/rfc/rfc5545
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from operator import itemgetter

from campus_api.domain.models import MenuItemRow, Names, meal_name

MEDIA_TYPE = "text/calendar"

_DAYS_AHEAD = 60

_BEGIN = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//campus-api//menus//EN\r\nX-WR-CALNAME:Menus\r\n"
_END = b"END:VCALENDAR\r\n"
# A calendar has at least one component (section 3.6); programs do not show this one.
_TIME_ZONE = (
    b"BEGIN:VTIMEZONE\r\nTZID:UTC\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
    b"TZOFFSETFROM:+0000\r\nTZOFFSETTO:+0000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
# Lines have at most 75 octets, the space with which they go on included; a character is not split.
_MAX_OCTETS = 75
_PIECES = re.compile(rb".{1,74}(?![\x80-\xbf])")


def dates(today: str) -> list[str]:
    """Return the dates of a calendar: today and the days ahead."""
    start = date.fromisoformat(today)
    return [(start + timedelta(days=number)).isoformat() for number in range(_DAYS_AHEAD + 1)]


def calendar(rows: Iterable[MenuItemRow], names: Names, updated_at: datetime | None) -> bytes:
    """Return a calendar of menu rows sorted by date, meal and location; `updated_at` is when they were loaded."""
    stamp = f"{updated_at.astimezone(UTC):%Y%m%dT%H%M%SZ}" if updated_at else ""
    groups = groupby(rows, key=itemgetter("date", "meal", "location"))
    events = [_event(day, meal, location, list(items), names, stamp) for (day, meal, location), items in groups]
    return b"".join([_BEGIN, *(events or [_TIME_ZONE]), _END])


def _event(day: str, meal: int, location: int, rows: Sequence[MenuItemRow], names: Names, stamp: str) -> bytes:
    """Return the event of the rows of one date, meal and location."""
    start, place = date.fromisoformat(day), names.locations.get(location, "")
    lines = [
        "BEGIN:VEVENT",
        f"UID:{day}-{meal}-{location}@campus-api",
        f"DTSTAMP:{stamp}",
        f"DTSTART;VALUE=DATE:{start:%Y%m%d}",
        f"DTEND;VALUE=DATE:{start + timedelta(days=1):%Y%m%d}",
        f"SUMMARY:{_escape(f'{meal_name(meal).capitalize()}, {place}')}",
        f"LOCATION:{_escape(place)}",
        f"DESCRIPTION:{_escape(_description(rows, names.categories))}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
        "",
    ]
    return b"\r\n".join(map(_fold, lines))


def _description(rows: Iterable[MenuItemRow], categories: Mapping[int, str]) -> str:
    """Return a line per category, in serving order: "Entrees: Tacos, Roast Pork"."""
    dishes: dict[int, list[str]] = {}
    for row in rows:
        dishes.setdefault(row["category"], []).append(row["name"])
    return "\n".join(f"{categories.get(category, '')}: {', '.join(names)}" for category, names in dishes.items())


def _escape(text: str) -> str:
    """Return text as a TEXT value (section 3.3.11), without control characters other than tabs and line feeds."""
    text = _CONTROL.sub("", text).replace("\\", r"\\")
    return text.replace(";", r"\;").replace(",", r"\,").replace("\n", r"\n")


def _fold(line: str) -> bytes:
    """Return a line in UTF-8, folded if it is long (section 3.1)."""
    octets = line.encode()
    return octets if len(octets) <= _MAX_OCTETS else b"\r\n ".join(_PIECES.findall(octets))
