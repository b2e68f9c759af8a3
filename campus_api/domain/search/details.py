"""Details of search results: one line of text for people."""

from collections.abc import Mapping, Sequence
from datetime import date

from campus_api.domain.hours import format_time
from campus_api.domain.models import HoursRow, meal_name
from campus_api.domain.search.index import Serving

_NOT_SERVED = "Not on the menus of the next two weeks"
_NO_HOURS = "No known hours today"


def hours_detail(rows: Sequence[HoursRow]) -> str:
    """Return the hours of a day: "Today 7:30 AM–10:00 AM, 11:30 AM–2:00 PM"."""
    spans = dict.fromkeys(f"{format_time(row['opens'])}–{format_time(row['closes'])}" for row in rows)
    return f"Today {', '.join(spans)}" if spans else _NO_HOURS


def serving_detail(serving: Serving | None, locations: Mapping[int, str]) -> str:
    """Return when and where a dish is served next: "Nov 24, dinner: Annenberg Hall, Quincy House"."""
    if serving is None:
        return _NOT_SERVED
    day = date.fromisoformat(serving.date)
    names = ", ".join(locations[id_] for id_ in serving.locations if id_ in locations)
    return f"{day:%b} {day.day}, {meal_name(serving.meal)}: {names}"
