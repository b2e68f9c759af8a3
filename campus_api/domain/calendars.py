"""Menus as an iCalendar calendar: an all-day event for each meal of a location, as exports have no opening hours.

https://www.rfc-editor.org/rfc/rfc5545
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from campus_api.domain.models import MenuItemRow, Names, meal_name

if TYPE_CHECKING:
    from icalendar import Calendar, Event

MEDIA_TYPE = "text/calendar"

_PRODUCT = "-//campus-api//menus//EN"


def calendar(rows: Iterable[MenuItemRow], names: Names, updated_at: datetime | None) -> "Calendar":
    """Return a calendar of menu rows sorted by date, meal and location; `updated_at` is when they were loaded."""
    # Here, because it takes longer to import than the rest of the service to start.
    from icalendar import Calendar

    calendar = Calendar()
    calendar.add("prodid", _PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", "Menus")
    for _, items in groupby(rows, key=lambda row: (row["date"], row["meal"], row["location"])):
        calendar.add_component(_event(list(items), names, updated_at))
    return calendar


def _event(rows: list[MenuItemRow], names: Names, updated_at: datetime | None) -> "Event":
    """Return the event of the rows of one date, meal and location."""
    from icalendar import Event

    day, meal, location = date.fromisoformat(rows[0]["date"]), rows[0]["meal"], rows[0]["location"]
    place = names.locations.get(location, "")
    event = Event()
    event.add("uid", f"{day}-{meal}-{location}@campus-api")
    event.add("dtstamp", updated_at)
    event.add("dtstart", day)
    event.add("dtend", day + timedelta(days=1))
    event.add("summary", f"{meal_name(meal).capitalize()}, {place}")
    event.add("location", place)
    event.add("description", _description(rows, names.categories))
    event.add("transp", "TRANSPARENT")
    return event


def _description(rows: Iterable[MenuItemRow], categories: Mapping[int, str]) -> str:
    """Return a line per category, in serving order: "Entrees: Tacos, Roast Pork"."""
    dishes: dict[int, list[str]] = {}
    for row in rows:
        dishes.setdefault(row["category"], []).append(row["name"])
    return "\n".join(f"{categories.get(category, '')}: {', '.join(names)}" for category, names in dishes.items())
