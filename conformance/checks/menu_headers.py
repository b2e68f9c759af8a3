"""Adjacent dates and empty days."""

import re
from typing import Any

from conformance import expect
from conformance.expect import CheckFailed, Response
from conformance.target import BUILDINGS, MENUS, Target

_LINK = re.compile(r'<([^>]*)>\s*;\s*rel="?(prev|next)"?')
_DATE = re.compile(r"[?&]date=([0-9-]{10})(?:&|$)")
_EMPTY_HEADER = "X-Campus-Empty"
_MAX_DAYS = 40


def next_links_to_the_next_date(target: Target) -> None:
    """The link with rel=next leads to the next loaded date."""
    first, second = _two_dates(target)
    day, response = _follow_link(target, target.request(MENUS, ("date", first)), "next")
    expect.check(first < day <= second, response, f"a date after {first}, {second} at the latest", day)


def prev_links_to_the_previous_date(target: Target) -> None:
    """The link with rel=prev leads to the previous loaded date."""
    first, second = _two_dates(target)
    day, response = _follow_link(target, target.request(MENUS, ("date", second)), "prev")
    expect.check(first <= day < second, response, f"a date before {second}, {first} at the earliest", day)


def prev_reverses_next(target: Target) -> None:
    """The previous date of the next date is the original one."""
    first, _ = _two_dates(target)
    _, next_response = _follow_link(target, target.request(MENUS, ("date", first)), "next")
    day, response = _follow_link(target, next_response, "prev")
    expect.check(day == first, response, first, day)


def links_preserve_other_parameters(target: Target) -> None:
    """Links to adjacent dates preserve the other parameters."""
    first, _ = _two_dates(target)
    row = next(row for row in target.sample_rows if row["date"] == first)
    filters = (("meal", row["meal"]), ("location", row["location"]))
    day, response = _follow_link(target, target.request(MENUS, ("date", first), *filters), "next")
    expect.same_body(response, target.request(MENUS, ("date", day), *filters))
    for name, value in filters:
        expect.check(f"{name}={value}" in response.url, response, f"{name}={value} in the link", response.url)


def the_default_date_has_links(target: Target) -> None:
    """Without a date, the links are those of today."""
    expect.require(expect.items(target.request(MENUS)), "there are no menus of today")
    dated, undated = target.request(MENUS, ("date", target.today)), target.request(MENUS)
    expected, actual = (_links(response) for response in (dated, undated))
    expect.check(actual == expected, undated, str(expected), actual)


def several_dates_have_no_links(target: Target) -> None:
    """Several dates have neither links to adjacent dates nor X-Campus-Empty."""
    for dates in (target.sample_dates * 2, [("date", "1900-01-01"), ("date", "1900-01-02")]):
        several = dates if len({*dates}) > 1 else [*dates, ("date", "1900-01-01")]
        response = expect.status(target.request(MENUS, *several), 200)
        expect.check(not _links(response), response, "no link to a date", response.headers.get("link"))
        expect.no_header(response, _EMPTY_HEADER)


def empty_results_of_filters_are_explained(target: Target) -> None:
    """X-Campus-Empty is no-match if the date has other menus."""
    _expect_empty(target.request(MENUS, *target.sample_dates[:1], ("meal", 10**6)), "no-match")


def dates_that_are_not_loaded_are_explained(target: Target) -> None:
    """X-Campus-Empty is not-loaded if the date was never loaded."""
    for filters in ((), (("meal", 1),)):
        _expect_empty(target.request(MENUS, ("date", "1900-01-01"), *filters), "not-loaded")


def closed_days_are_explained(target: Target) -> None:
    """X-Campus-Empty is closed if the date was loaded without menus."""
    response = target.request(MENUS, *target.sample_dates[:1])
    for _ in range(_MAX_DAYS):
        if "next" in _links(response) and expect.items(response):
            _, response = _follow_link(target, response, "next")
    expect.require(not expect.items(response), f"none of the next {_MAX_DAYS} days is closed")
    _expect_empty(response, "closed")


def non_empty_results_are_not_explained(target: Target) -> None:
    """X-Campus-Empty is absent if the response has menus."""
    response = target.request(MENUS, *target.sample_dates[:1])
    expect.check(expect.items(response), response, "rows", "[]")
    expect.no_header(response, _EMPTY_HEADER)


def menu_headers_are_exposed(target: Target) -> None:
    """Access-Control-Expose-Headers includes Link and X-Campus-Empty."""
    for path in (MENUS, BUILDINGS):
        expect.header(target.request(path), "Access-Control-Expose-Headers", "Link", _EMPTY_HEADER)


def _two_dates(target: Target) -> list[Any]:
    expect.require(len(target.sample_dates) > 1, "there are menus of only one date")
    return [day for _, day in target.sample_dates]


def _links(response: Response) -> dict[str, str]:
    return {rel: url for url, rel in _LINK.findall(response.headers.get("link", ""))}


def _follow_link(target: Target, response: Response, rel: str) -> tuple[str, Response]:
    """Follow a link to an adjacent date; return the date and its response."""
    url = _links(response).get(rel, "")
    match = _DATE.search(url)
    if match is None:
        raise CheckFailed(response, f"a Link to a date with rel={rel}", response.headers.get("link"))
    day = match[1]
    adjacent = expect.status(target.follow(response, url), 200)
    other_rows = [row for row in expect.items(adjacent) if row["date"] != day]
    expect.check(not other_rows, adjacent, f"rows of {day}", other_rows[:1])
    return day, adjacent


def _expect_empty(response: Response, reason: str) -> None:
    expect.empty_list(response)
    actual = expect.header(response, _EMPTY_HEADER)
    expect.check(actual == reason, response, f"{_EMPTY_HEADER}: {reason}", actual)
