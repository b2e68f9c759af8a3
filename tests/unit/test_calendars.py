import re
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from hypothesis import example, given
from hypothesis import strategies as st
from icalendar import Calendar

from campus_api.domain.calendars import About, calendar
from campus_api.domain.models import MEALS, MealNames, Names
from tests.factories import row

CAMPUS = ZoneInfo("America/New_York")
LOADED_AT = datetime(2026, 11, 19, 6, 15, 30, 5000, timezone(timedelta(hours=2)))
TEXTS = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=200) | st.text('a\\;,:"é😀n ', max_size=200)


def written(rows, names):
    return calendar(rows, [], About(names, CAMPUS, LOADED_AT, {}))


def test_a_meal_of_a_location_is_an_event_with_its_dishes_by_category():
    names = Names({30: "Annenberg"}, {23: "Grains", 24: "Soups"}, MealNames(MEALS, {}))
    rows = [row(1, "Rice; Beans"), row(2, "Kale", category=24), row(3, "Oats")]
    rows.append(row(4, "Pie", date="2026-12-31", meal=2))

    assert written(rows, names).decode().splitlines() == [
        *("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//campus-api//menus//EN"),
        *("REFRESH-INTERVAL;VALUE=DURATION:PT6H", "X-PUBLISHED-TTL:PT6H", "NAME:Menus", "X-WR-CALNAME:Menus"),
        *("BEGIN:VEVENT", "UID:2026-11-20-0-30@campus-api", "DTSTAMP:20261119T041530Z"),
        *("DTSTART;VALUE=DATE:20261120", "DTEND;VALUE=DATE:20261121"),
        *("SUMMARY:Breakfast\\, Annenberg", "LOCATION:Annenberg"),
        *("DESCRIPTION:Grains: Rice\\; Beans\\, Oats\\nSoups: Kale", "TRANSP:TRANSPARENT", "END:VEVENT"),
        *("BEGIN:VEVENT", "UID:2026-12-31-2-30@campus-api", "DTSTAMP:20261119T041530Z"),
        *("DTSTART;VALUE=DATE:20261231", "DTEND;VALUE=DATE:20270101"),
        *("SUMMARY:Dinner\\, Annenberg", "LOCATION:Annenberg", "DESCRIPTION:Grains: Pie"),
        *("TRANSP:TRANSPARENT", "END:VEVENT", "END:VCALENDAR"),
    ]


@given(TEXTS, TEXTS, TEXTS)
@example("x" * 200, "", "")
@example("é" * 99, "", "")
@example("é" * 99, "a", "")
def test_a_reader_of_icalendar_gets_every_text_from_lines_of_75_octets(dish, category, location):
    content = written([row(name=dish)], Names({30: location}, {23: category}, MealNames(MEALS, {})))

    [event] = Calendar.from_ical(content).events
    assert (event["location"], event["description"]) == (location, f"{category}: {dish}")
    assert content.endswith(b"\r\n")
    lines = content.removesuffix(b"\r\n").split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert all(line.decode() for line in lines)


def test_control_characters_do_not_end_a_line():
    content = written([row(name="a\r\nEND:VEVENT\x00\x0b\x7f\tb")], Names({}, {}, MealNames(MEALS, {})))

    assert b"DESCRIPTION:: a\\nEND:VEVENT\tb\r\n" in content
    assert not re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", content)
