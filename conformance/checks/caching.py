"""Caching and conditional requests."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from uuid import uuid4

from conformance import expect
from conformance.expect import Response
from conformance.target import BUILDINGS, LISTS, MENUS, Target

_ETAG = re.compile(r'(W/)?"[^"\s]+"')
_CACHING_HEADERS = ("etag", "cache-control", "vary", "content-location")


def data_has_an_etag(target: Target) -> None:
    """Every data response has an ETag."""
    for path in target.resources:
        response = expect.status(target.request(path), 200)
        etag = expect.header(response, "ETag")
        expect.check(_ETAG.fullmatch(etag), response, "an ETag in quotation marks", etag)


def repeated_requests_have_the_same_etag(target: Target) -> None:
    """Repeated requests for unchanged data have the same bytes and ETag."""
    for path in target.resources:
        first, second = target.request(path), target.request(path)
        expect.same_body(second, first)
        tag = expect.header(second, "ETag")
        expect.check(tag == first.headers.get("etag"), second, f"ETag {first.headers.get('etag')}", tag)


def different_bodies_have_different_etags(target: Target) -> None:
    """Different bodies of a path have different ETags."""
    row = target.sample_rows[0]
    non_empty = target.request(MENUS, ("date", row["date"]), ("meal", row["meal"]))
    empty = target.request(MENUS, ("date", row["date"]), ("meal", 10**6))
    etag = expect.header(empty, "ETag")
    is_different = etag != expect.header(non_empty, "ETag")
    expect.check(is_different, empty, f"an ETag other than that of {non_empty.url}", etag)


def matching_etag_is_not_modified(target: Target) -> None:
    """If-None-Match with the current ETag is a 304 without a body."""
    for path in target.resources:
        _expect_not_modified(target, path, "{tag}")


def not_modified_has_the_caching_headers(target: Target) -> None:
    """A 304 has the ETag, Cache-Control, Vary and Content-Location of the full response."""
    for path in (BUILDINGS, MENUS):
        response = target.request(path)
        not_modified = _expect_not_modified(target, path, "{tag}")
        for name in _CACHING_HEADERS:
            expected, actual = (_without_numbers(each.headers.get(name, "")) for each in (response, not_modified))
            expect.check(actual == expected, not_modified, f"{name}: {expected}", actual)


def if_none_match_accepts_a_list(target: Target) -> None:
    """If-None-Match may list several ETags."""
    _expect_not_modified(target, BUILDINGS, '"other", {tag}, W/"another"')
    _expect_not_modified(target, MENUS, '"other",{tag}')


def if_none_match_compares_weakly(target: Target) -> None:
    """If-None-Match uses weak comparison."""
    tag = expect.header(target.request(BUILDINGS), "ETag").removeprefix("W/")
    for if_none_match in (tag, f"W/{tag}"):
        _expect_not_modified(target, BUILDINGS, if_none_match)


def non_matching_etag_is_a_full_response(target: Target) -> None:
    """A non-matching ETag gets a full response."""
    for path in (BUILDINGS, MENUS):
        tag = expect.header(target.request(path), "ETag").rstrip('"')
        for other in ('"other"', f'{tag}x"', "other"):
            expect.same_body(target.request(path, headers={"If-None-Match": other}), target.request(path))


def head_supports_if_none_match(target: Target) -> None:
    """HEAD with the current ETag is a 304."""
    tag = expect.header(target.request(BUILDINGS), "ETag")
    expect.status(target.request(BUILDINGS, method="HEAD", headers={"If-None-Match": tag}), 304)


def invalid_queries_are_never_not_modified(target: Target) -> None:
    """An invalid query is a 400, whatever If-None-Match says."""
    tag = expect.header(target.request(MENUS), "ETag")
    expect.status(target.request(f"{MENUS}?meal=lunch", headers={"If-None-Match": tag}), 400)


def data_is_cacheable(target: Target) -> None:
    """Cache-Control has public, max-age, stale-while-revalidate and stale-if-error."""
    for path in target.resources:
        response = expect.status(target.request(path), 200)
        directives = [directive.strip() for directive in expect.header(response, "Cache-Control").split(",")]
        expect.check("public" in directives, response, "public", directives)
        for name in ("max-age", "stale-while-revalidate", "stale-if-error"):
            is_present = any(re.fullmatch(rf"{name}=\d+", directive) for directive in directives)
            expect.check(is_present, response, f"{name} in seconds", directives)


def the_default_date_expires_at_midnight(target: Target) -> None:
    """Without a date, menus expire at midnight on campus, stale lifetimes included."""
    # A unique URL is not in any cache on the way.
    response = target.request(MENUS, ("_", uuid4()))
    cache_control = expect.header(response, "Cache-Control", "max-age=")
    fresh = max(map(int, re.findall(r"max-age=(\d+)", cache_control)))
    stale = max(map(int, re.findall(r"stale-[a-z-]+=(\d+)", cache_control)), default=0)
    midnight = datetime.combine(target.today + timedelta(days=1), datetime.min.time(), target.now.tzinfo)
    # Times in headers are rounded to seconds.
    remaining = (midnight.astimezone(UTC) - target.now.astimezone(UTC)).total_seconds() + 1
    expect.check(fresh + stale <= remaining, response, f"at most {remaining:g} seconds", f"{fresh} and {stale} seconds")


def data_varies_on_accept_encoding(target: Target) -> None:
    """Vary includes Accept-Encoding."""
    for path in target.resources:
        expect.header(expect.status(target.request(path), 200), "Vary", "Accept-Encoding")


def last_modified_is_in_the_past(target: Target) -> None:
    """Last-Modified of loaded data is not in the future."""
    loaded = [path for path in LISTS if expect.items(target.cached_get(path))]
    expect.require(loaded, "nothing is loaded")
    for path in loaded:
        response = target.request(path)
        last_modified = expect.header(response, "Last-Modified")
        is_past = parsedate_to_datetime(last_modified) <= target.now
        expect.check(is_past, response, f"a time before {target.now}", last_modified)


def _expect_not_modified(target: Target, path: str, if_none_match: str) -> Response:
    """Expect a 304 for a header in which {tag} stands for the current ETag."""
    tag = expect.header(target.request(path), "ETag")
    response = expect.status(target.request(path, headers={"If-None-Match": if_none_match.replace("{tag}", tag)}), 304)
    expect.no_body(response)
    return response


def _without_numbers(value: str) -> str:
    return re.sub(r"=\d+", "", value)
