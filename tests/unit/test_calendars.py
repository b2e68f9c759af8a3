import re
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import groupby
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar, Event

from campus_api.domain.calendars import About, calendar
from campus_api.domain.models import MealNames, Names, meal_name
from tests.factories import TODAY, row

CAMPUS = ZoneInfo("America/New_York")
LOADED_AT = datetime(2026, 11, 19, 4, 15, 30, 5000, UTC)
TEXTS = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=200) | st.text('a\\;,:"é😀n ', max_size=200)
ROWS = st.lists(
    st.builds(
        row,
        name=TEXTS,
        date=st.sampled_from(["2026-02-28", TODAY, "2026-12-31"]),
        meal=st.integers(0, 4),
        location=st.integers(1, 3),
        category=st.integers(1, 3),
    ),
    min_size=1,
).map(lambda rows: sorted(rows, key=place))
NAMES = st.builds(Names, *[st.dictionaries(st.integers(1, 3), TEXTS)] * 2, st.just(MealNames()))


def place(row):
    return row["date"], row["meal"], row["location"]


def by_icalendar(rows, names):
    """Return the calendar as icalendar builds it."""
    result = Calendar()
    result.add("prodid", "-//campus-api//menus//EN")
    result.add("version", "2.0")
    result.add("refresh-interval", timedelta(hours=6), parameters={"VALUE": "DURATION"})
    result.add("x-published-ttl", "PT6H")
    result.add("name", "Menus")
    result.add("x-wr-calname", "Menus")
    for (day, meal, location), items in groupby(rows, place):
        categories = {}
        for item in items:
            categories.setdefault(item["category"], []).append(item["name"])
        lines = [
            f"{names.categories.get(category, '')}: {', '.join(dishes)}" for category, dishes in categories.items()
        ]
        event = Event()
        event.add("uid", f"{day}-{meal}-{location}@campus-api")
        event.add("dtstamp", LOADED_AT)
        event.add("dtstart", date.fromisoformat(day))
        event.add("dtend", date.fromisoformat(day) + timedelta(days=1))
        event.add("summary", f"{meal_name(meal).capitalize()}, {names.locations.get(location, '')}")
        event.add("location", names.locations.get(location, ""))
        event.add("description", "\n".join(lines))
        event.add("transp", "TRANSPARENT")
        result.add_component(event)
    return result


@given(ROWS, NAMES)
def test_a_calendar_is_the_one_that_icalendar_writes(rows, names):
    parsed = Calendar.from_ical(calendar(rows, About(names), LOADED_AT, [], CAMPUS, {}))

    assert parsed.to_ical() == by_icalendar(rows, names).to_ical()


@given(ROWS, NAMES)
def test_lines_have_75_octets_at_most_and_whole_characters(rows, names):
    written = calendar(rows, About(names), LOADED_AT, [], CAMPUS, {})

    assert written.endswith(b"\r\n")
    lines = written.removesuffix(b"\r\n").split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert all(line.decode() for line in lines)


def test_control_characters_do_not_end_a_line():
    written = calendar([row(name="a\r\nEND:VEVENT\x00\x0b\x7f\tb")], About(Names({}, {})), LOADED_AT, [], CAMPUS, {})

    assert b"DESCRIPTION:: a\\nEND:VEVENT\tb\r\n" in written
    assert not re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", written)


def test_the_time_of_a_load_is_in_utc(set_time_zone):
    set_time_zone("Asia/Tokyo")
    loaded_at = datetime(2026, 11, 19, 4, 15, tzinfo=timezone(timedelta(hours=2)))

    assert b"\r\nDTSTAMP:20261119T021500Z\r\n" in calendar([row()], About(Names({}, {})), loaded_at, [], CAMPUS, {})
