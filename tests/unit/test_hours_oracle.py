"""Serving hours of random expressions, compared minute by minute with a model of their rules."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from itertools import groupby

from hypothesis import given, settings
from hypothesis import strategies as st

from campus_api.domain.hours import check_expression, times
from campus_api.domain.models import MealHours

DAY = 24 * 60
FIRST, LAST = date(2026, 1, 1), date(2027, 12, 31)
DAYS = [FIRST + timedelta(days=number) for number in range((LAST - FIRST).days + 1)]
# The night before the first day may last until that day.
EVE = FIRST - timedelta(days=1)
WEEKDAYS = "Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"
MONTHS = "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
EASTERS = {date(2026, 4, 5), date(2027, 3, 28)}
HOLIDAYS = {
    *(date(2026, *day) for day in ((1, 1), (1, 19), (2, 16), (5, 25), (6, 19), (7, 3), (9, 7), (11, 11), (11, 26))),
    *(date(2027, *day) for day in ((1, 1), (1, 18), (2, 15), (5, 31), (6, 18), (7, 5), (9, 6), (11, 11), (11, 25))),
    *(date(2026, 12, 25), date(2027, 12, 24), date(2027, 12, 31)),
}


@dataclass(frozen=True)
class Rule:
    """A rule of an expression, the separator before it, and whether it applies to a day; `minutes` are its times."""

    separator: str
    text: str
    applies: Callable[[date], bool]
    minutes: frozenset[int] = field(repr=False)
    is_closed: bool


def weekdays(first, last):
    """Select the days from a weekday to another one, which may be in the next week."""
    numbers = {(first + number) % 7 for number in range((last - first) % 7 + 1)}
    text = WEEKDAYS[first] if first == last else f"{WEEKDAYS[first]}-{WEEKDAYS[last]}"
    return text, lambda day: day.weekday() in numbers


def dates(first, length):
    last = min(first + timedelta(days=length), LAST)
    text = "-".join(f"{day.year} {MONTHS[day.month - 1]} {day.day}" for day in (first, last))
    return text, lambda day: first <= day <= last


def months(first, last):
    return f"{MONTHS[first]}-{MONTHS[last]}", lambda day: first <= day.month - 1 <= last


weekday_numbers, month_numbers = st.integers(0, 6), st.integers(0, 11)
selectors = st.one_of(
    st.builds(weekdays, weekday_numbers, weekday_numbers),
    st.builds(dates, st.sampled_from(DAYS), st.integers(1, 60)),
    st.tuples(month_numbers, month_numbers).map(lambda pair: months(min(pair), max(pair))),
    st.sampled_from(
        [
            ("", lambda day: True),
            ("PH", lambda day: day in HOLIDAYS),
            ("Fr[1]", lambda day: day.weekday() == 4 and day.day <= 7),
            ("Th[-1]", lambda day: day.weekday() == 3 and (day + timedelta(days=7)).month != day.month),
            ("easter -2 days-easter +1 day", lambda day: any(-2 <= (day - each).days <= 1 for each in EASTERS)),
            ("week 10-20/2", lambda day: day.isocalendar().week in range(10, 21, 2)),
            ("2027", lambda day: day.year == 2027),
            ("2026 Nov Fr", lambda day: (day.year, day.month, day.weekday()) == (2026, 11, 4)),
        ]
    ),
)


def span(opens, length, is_wrapped):
    """Return the text of a time, until 26:00 at the latest, and its minutes."""
    closes = min(opens + length, 26 * 60)
    written = closes - DAY if is_wrapped and 0 <= closes - DAY <= opens else closes
    return f"{opens // 60:02}:{opens % 60:02}-{written // 60:02}:{written % 60:02}", range(opens, closes)


spans = st.builds(span, st.integers(0, DAY - 1), st.integers(1, 26 * 60), st.booleans())


def rule(separator, selector, spans, closure):
    """Return a rule that is open at some times, closed at these, or closed all day."""
    text, applies = selector
    # Otherwise, its times would belong to the rule before it.
    separator = separator if text else "; "
    times = ",".join(each for each, _ in spans)
    words = {"": [text, times], "at times": [text, times, "off"], "all day": [text, "off"]}[closure]
    minutes = range(2 * DAY) if closure == "all day" else (minute for _, each in spans for minute in each)
    return Rule(separator, " ".join(filter(None, words)), applies, frozenset(minutes), is_closed=bool(closure))


rules = st.tuples(
    st.sampled_from(["; ", "; ", ", "]),
    selectors,
    st.lists(spans, min_size=1, max_size=3),
    st.sampled_from(["", "", "", "all day", "at times"]),
).map(lambda parts: rule(*parts))


def minutes_open(applicable):
    """Return the minutes, from the midnight before a day on, of the rules that apply to it."""
    minutes = frozenset()
    for each in applicable:
        if each.is_closed:
            minutes -= each.minutes
        else:
            minutes = each.minutes | (minutes if each.separator == ", " else frozenset())
    return sorted(minutes)


def servings(applicable):
    """Return the first minute of each serving that begins before midnight, and the minute after it."""
    numbered = enumerate(minutes_open(applicable))
    runs = [[minute for _, minute in run] for _, run in groupby(numbered, key=lambda pair: pair[1] - pair[0])]
    return [(run[0], run[-1] + 1) for run in runs if run[0] < DAY]


def clock(minute):
    return f"{minute // 60 % 24:02}:{minute % 60:02}"


def model(rules):
    """Return the times of every day of two years."""
    by_rules = cache(servings)
    by_day = {day: by_rules(tuple(each for each in rules if each.applies(day))) for day in [EVE, *DAYS]}
    return {day: [*rest(by_day[day - timedelta(days=1)]), *map(row, by_day[day])] for day in DAYS}


def row(serving):
    first, end = serving
    return clock(first), clock(DAY if end - first > DAY else end)


def rest(servings):
    """Return what servings of over a day leave to the next one."""
    return [("00:00", clock(end)) for first, end in servings if end - first > DAY]


@settings(max_examples=100)
@given(st.lists(rules, min_size=1, max_size=5))
def test_the_rules_of_each_date_decide_its_times(rules):
    expression = "".join(each.separator + each.text for each in rules)[2:]
    expected = model(rules)

    check_expression(expression, "US")
    hours = MealHours(1, expression, LAST.isoformat(), "US")
    actual = {day: times(hours, day.isoformat(), FIRST.isoformat()) for day in DAYS}

    assert {day: (actual[day], expected[day]) for day in DAYS if actual[day] != expected[day]} == {}
