"""Days beside a day, and days without menus."""

import re

from conformance import expect
from conformance.answer import Failed
from conformance.target import BUILDINGS, MENUS

_LINK = re.compile(r'<([^>]*)>\s*;\s*rel="?(prev|next)"?')
_DATE = re.compile(r"[?&]date=([0-9-]{10})(?:&|$)")
_EMPTY = "X-Campus-Empty"
_WALK = 40


def menus_lead_to_the_next_day(campus):
    """Menus of one date lead in Link, as next, to the nearest loaded date after it."""
    first, second = _two_dates(campus)
    day, answer = _beside(campus, campus.ask(MENUS, ("date", first)), "next")
    expect.that(first < day <= second, answer, f"a date after {first}, {second} at the latest", day)


def menus_lead_to_the_day_before(campus):
    """Menus of one date lead in Link, as prev, to the nearest loaded date before it."""
    first, second = _two_dates(campus)
    day, answer = _beside(campus, campus.ask(MENUS, ("date", second)), "prev")
    expect.that(first <= day < second, answer, f"a date before {second}, {first} at the earliest", day)


def days_lead_back(campus):
    """From the next day the day before is the day itself."""
    first, _ = _two_dates(campus)
    _, beside = _beside(campus, campus.ask(MENUS, ("date", first)), "next")
    day, answer = _beside(campus, beside, "prev")
    expect.that(day == first, answer, first, day)


def a_link_keeps_the_other_parameters(campus):
    """A link to another day keeps the other parameters."""
    first, _ = _two_dates(campus)
    row = next(row for row in campus.served if row["date"] == first)
    pairs = (("meal", row["meal"]), ("location", row["location"]))
    day, answer = _beside(campus, campus.ask(MENUS, ("date", first), *pairs), "next")
    expect.same_body(answer, campus.ask(MENUS, ("date", day), *pairs))
    for name, value in pairs:
        expect.that(f"{name}={value}" in answer.url, answer, f"{name}={value} in the link", answer.url)


def menus_of_today_lead_to_days(campus):
    """Menus without a date lead to the same days as those of today's date."""
    expect.given(expect.items(campus.ask(MENUS)), "there are no menus of today")
    dated, undated = campus.ask(MENUS, ("date", campus.today)), campus.ask(MENUS)
    expected, got = (_links(answer) for answer in (dated, undated))
    expect.that(got == expected, undated, str(expected), got)


def menus_of_several_dates_lead_nowhere(campus):
    """Menus of several dates have no such links, nor a reason why they are empty."""
    for dates in (campus.dates * 2, [("date", "1900-01-01"), ("date", "1900-01-02")]):
        several = dates if len({*dates}) > 1 else [*dates, ("date", "1900-01-01")]
        answer = expect.status(campus.ask(MENUS, *several), 200)
        expect.that(not _links(answer), answer, "no link to a day", answer.headers.get("link"))
        expect.that(_EMPTY.lower() not in answer.headers, answer, f"no {_EMPTY}", answer.headers.get(_EMPTY.lower()))


def a_day_that_does_not_match_says_so(campus):
    """An empty answer of a date with other menus says no-match."""
    _is_empty(campus.ask(MENUS, *campus.dates[:1], ("meal", 10**6)), "no-match")


def a_day_that_is_not_loaded_says_so(campus):
    """An empty answer of a date that was never loaded says not-loaded."""
    for pairs in ((), (("meal", 1),)):
        _is_empty(campus.ask(MENUS, ("date", "1900-01-01"), *pairs), "not-loaded")


def a_closed_day_says_so(campus):
    """An empty answer of a date that was loaded without menus says closed."""
    answer = campus.ask(MENUS, *campus.dates[:1])
    for _ in range(_WALK):
        if "next" in _links(answer) and expect.items(answer):
            _, answer = _beside(campus, answer, "next")
    expect.given(not expect.items(answer), f"none of the next {_WALK} days is closed")
    _is_empty(answer, "closed")


def a_day_with_menus_gives_no_reason(campus):
    """An answer that is not empty does not say why it is."""
    answer = campus.ask(MENUS, *campus.dates[:1])
    got = answer.headers.get(_EMPTY.lower())
    expect.that(expect.items(answer) and got is None, answer, f"no {_EMPTY}", got)


def scripts_may_read_links_and_reasons(campus):
    """Scripts may read Link and X-Campus-Empty."""
    for path in (MENUS, BUILDINGS):
        expect.header(campus.ask(path), "Access-Control-Expose-Headers", "Link", _EMPTY)


def _two_dates(campus):
    expect.given(len(campus.dates) > 1, "there are menus of one date only")
    return [day for _, day in campus.dates]


def _links(answer):
    return {rel: url for url, rel in _LINK.findall(answer.headers.get("link", ""))}


def _beside(campus, answer, rel):
    """Return the date to which an answer leads, and what is there."""
    url = _links(answer).get(rel)
    day = _DATE.search(url or "")
    if not day:
        raise Failed(answer, f"a Link to a date with rel={rel}", answer.headers.get("link"))
    beside = expect.status(campus.follow(answer, url), 200)
    wrong = [row for row in expect.items(beside) if row["date"] != day[1]]
    expect.that(not wrong, beside, f"rows of {day[1]}", wrong[:1])
    return day[1], beside


def _is_empty(answer, reason):
    expect.nothing(answer)
    got = expect.header(answer, _EMPTY)
    expect.that(got == reason, answer, f"{_EMPTY}: {reason}", got)
