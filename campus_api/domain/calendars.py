"""Menus as an iCalendar calendar: an event for each meal of a location, all-day if its hours are unknown.

https://www.rfc-editor.org/rfc/rfc5545
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from campus_api.domain.hours import spans
from campus_api.domain.models import HoursRow, MenuItemRow, Names, meal_name
from campus_api.domain.text import capitalize

MEDIA_TYPE = "text/calendar"

# Today and those ahead.
DAYS = 61

_BEGIN = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//campus-api//menus//EN\r\n"
# Of RFC 7986, and as older programs read it.
_REFRESH = b"REFRESH-INTERVAL;VALUE=DURATION:PT6H\r\nX-PUBLISHED-TTL:PT6H\r\n"
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


class About(NamedTuple):
    """What a calendar is about: the names in it, its title, a note for each event, and its one recipe, "" if several.

    `zone` is that of the campus, `loaded_at` when menus were loaded, `points` are [latitude, longitude] by location.
    `url` is that of the service, whose pages show more; "" if it is unknown. `database_id` makes UIDs unique.
    """

    names: Names
    zone: ZoneInfo
    loaded_at: datetime | None
    points: Mapping[int, Sequence[float] | None]
    title: str = "Menus"
    note: str = ""
    recipe: str = ""
    url: str = ""
    database_id: str = ""

    def link(self, **parameters: str | int) -> list[str]:
        """Return the line that links the page of a menu, none without a URL of the service."""
        return [f"URL:{self.url}/explore?{urlencode({'view': 'menus', **parameters})}"] if self.url else []


def title(names: Names, filters: Mapping[str, Any], recipe: str, labels: Iterable[str]) -> str:
    """Return the title of the calendar of a query, of one recipe unless it is "", and of one of these labels.

    For example "Dinner without milk, vegan, Annenberg Hall".
    """
    meals = sorted(set(filters["meal"] or ()))
    served = " and ".join(capitalize(meal_name(meal, names.meals.by_id)) for meal in meals)
    content = ", ".join(filter(None, (recipe, served))) or "Menus"
    if without := filters["diet"].without:
        content += f" without {' and '.join(sorted(without))}"
    places = {names.locations.get(id_, "") for id_ in filters["location"] or ()}
    return ", ".join(filter(None, (content, " or ".join(labels), " and ".join(sorted(places - {""})))))


def calendar(rows: Iterable[MenuItemRow], hours: Iterable[HoursRow], about: About) -> bytes:
    """Return a calendar of menu rows sorted by date, meal and location, and of the hours of their meals."""
    events = []
    times = spans(hours)
    for serving, group in groupby(rows, key=itemgetter("date", "meal", "location")):
        items = list(group)
        periods = [_timed(*each, about.zone) for each in times.get(serving, ())] or [_all_day(serving[0])]
        for number, period in enumerate(periods, 1):
            uid = "-".join(map(str, (*serving, number) if number > 1 else serving))
            events.append(_event(uid, period, items, about))
    return b"".join([_BEGIN, _REFRESH, _properties(about), *(events or [_TIME_ZONE]), _END])


def _properties(about: About) -> bytes:
    """Return the name and the description of a calendar, by RFC 7986 (section 5) and as older programs read them."""
    titles, notes = ("NAME", "X-WR-CALNAME"), ("DESCRIPTION", "X-WR-CALDESC")
    properties = {**dict.fromkeys(titles, about.title), **dict.fromkeys(notes, about.note)}
    lines = [f"{name}:{_escape(text)}" for name, text in properties.items() if text]
    return b"".join(_fold(line) + b"\r\n" for line in [*lines, *about.link()])


def _timed(opens: str, closes: str, zone: ZoneInfo) -> list[str]:
    return [f"DTSTART:{_utc(opens, zone)}", f"DTEND:{_utc(closes, zone)}"]


def _utc(time: str, zone: ZoneInfo) -> str:
    """Return a local time in UTC: without a zone, a calendar needs no description of that."""
    return f"{datetime.fromisoformat(time).replace(tzinfo=zone).astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _all_day(day: str) -> list[str]:
    start = date.fromisoformat(day)
    return [f"DTSTART;VALUE=DATE:{start:%Y%m%d}", f"DTEND;VALUE=DATE:{start + timedelta(days=1):%Y%m%d}"]


def _event(uid: str, times: Sequence[str], rows: Sequence[MenuItemRow], about: About) -> bytes:
    """Return the event of the rows of one date, meal and location; `times` are the lines of when it is."""
    location, meal, point = rows[0]["location"], rows[0]["meal"], about.points.get(rows[0]["location"])
    place = about.names.locations.get(location, "")
    summary = about.recipe or capitalize(about.names.meals.find(rows[0]["date"], meal, location))
    lines = [
        "BEGIN:VEVENT",
        f"UID:{'.'.join(filter(None, (uid, about.database_id)))}@campus-api",
        f"DTSTAMP:{about.loaded_at.astimezone(UTC):%Y%m%dT%H%M%SZ}" if about.loaded_at else "DTSTAMP:",
        *times,
        *([f"GEO:{point[0]};{point[1]}"] if point else []),
        f"SUMMARY:{_escape(f'{summary}, {place}')}",
        f"LOCATION:{_escape(place)}",
        f"DESCRIPTION:{_escape(_description(rows, about.names.categories, about.note))}",
        *about.link(date=rows[0]["date"], meal=meal, location=location),
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
        "",
    ]
    return b"\r\n".join(map(_fold, lines))


def _description(rows: Iterable[MenuItemRow], categories: Mapping[int, str], note: str) -> str:
    """Return a line per category, in serving order: "Entrees: Tacos, Roast Pork", and the note, if any."""
    items: dict[int, list[str]] = {}
    for row in rows:
        items.setdefault(row["category"], []).append(row["name"])
    lines = [f"{categories.get(category, '')}: {', '.join(names)}" for category, names in items.items()]
    return "\n".join([*lines, *filter(None, [note])])


def _escape(text: str) -> str:
    """Return text as a TEXT value (section 3.3.11), without control characters other than tabs and line feeds."""
    text = _CONTROL.sub("", text).replace("\\", r"\\")
    return text.replace(";", r"\;").replace(",", r"\,").replace("\n", r"\n")


def _fold(line: str) -> bytes:
    """Return a line in UTF-8, folded if it is long (section 3.1)."""
    octets = line.encode()
    return octets if len(octets) <= _MAX_OCTETS else b"\r\n ".join(_PIECES.findall(octets))
