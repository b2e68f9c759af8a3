"""Validators and caches."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from uuid import uuid4

from conformance import expect
from conformance.target import BUILDINGS, LISTS, MENUS

_TAG = re.compile(r'(W/)?"[^"\s]+"')
_KEPT = ("etag", "cache-control", "vary", "content-location")


def data_has_an_etag(campus):
    """Every answer about data has an ETag."""
    for path in campus.resources:
        answer = expect.status(campus.ask(path), 200)
        tag = expect.header(answer, "ETag")
        expect.that(_TAG.fullmatch(tag), answer, "a tag in quotation marks", tag)


def the_same_question_has_the_same_bytes(campus):
    """The same question to the same data has the same answer, byte for byte, with the same ETag."""
    for path in campus.resources:
        first, second = campus.ask(path), campus.ask(path)
        expect.same_body(second, first)
        tag = expect.header(second, "ETag")
        expect.that(tag == first.headers.get("etag"), second, f"ETag {first.headers.get('etag')}", tag)


def other_bytes_have_another_etag(campus):
    """Answers to one path that are not the same have not the same ETag."""
    row = campus.served[0]
    found, nothing = (campus.ask(MENUS, ("date", row["date"]), ("meal", meal)) for meal in (row["meal"], 10**6))
    tags = [expect.header(answer, "ETag") for answer in (found, nothing)]
    expect.that(tags[0] != tags[1], nothing, f"another ETag than {found.url} has", tags[1])


def who_has_the_answer_gets_a_304(campus):
    """Who sends the ETag as If-None-Match gets a 304 without a body."""
    for path in campus.resources:
        _is_not_modified(campus, path, "{tag}")


def a_304_has_the_headers_of_the_answer(campus):
    """A 304 has ETag, Cache-Control, Vary and, if there is one, Content-Location of the answer."""
    for path in (BUILDINGS, MENUS):
        answer, bare = campus.ask(path), _is_not_modified(campus, path, "{tag}")
        for name in _KEPT:
            expected, got = (_steady(each.headers.get(name)) for each in (answer, bare))
            expect.that(got == expected, bare, f"{name}: {expected}", got)


def one_of_several_tags_is_enough(campus):
    """One of several tags is enough for a 304."""
    _is_not_modified(campus, BUILDINGS, '"other", {tag}, W/"another"')
    _is_not_modified(campus, MENUS, '"other",{tag}')


def a_weak_tag_is_as_good_as_a_strong_one(campus):
    """W/ before a tag does not matter."""
    tag = expect.header(campus.ask(BUILDINGS), "ETag").removeprefix("W/")
    for wanted in (tag, f"W/{tag}"):
        _is_not_modified(campus, BUILDINGS, wanted)


def another_tag_is_no_304(campus):
    """Who has another answer gets the whole one."""
    for path in (BUILDINGS, MENUS):
        tag = expect.header(campus.ask(path), "ETag").rstrip('"')
        for wanted in ('"other"', f'{tag}x"', "other"):
            expect.same_body(campus.ask(path, headers={"If-None-Match": wanted}), campus.ask(path))


def head_may_be_a_304(campus):
    """HEAD with If-None-Match is a 304 too."""
    tag = expect.header(campus.ask(BUILDINGS), "ETag")
    expect.status(campus.ask(BUILDINGS, method="HEAD", headers={"If-None-Match": tag}), 304)


def a_wrong_query_is_no_304(campus):
    """A query that is refused is a 400, whatever If-None-Match says."""
    tag = expect.header(campus.ask(MENUS), "ETag")
    expect.status(campus.ask(f"{MENUS}?meal=lunch", headers={"If-None-Match": tag}), 400)


def data_may_be_kept(campus):
    """Cache-Control says public, max-age, stale-while-revalidate and stale-if-error, each with its seconds."""
    for path in campus.resources:
        answer = expect.status(campus.ask(path), 200)
        members = [member.strip() for member in expect.header(answer, "Cache-Control").split(",")]
        expect.that("public" in members, answer, "public", members)
        for name in ("max-age", "stale-while-revalidate", "stale-if-error"):
            is_there = any(re.fullmatch(rf"{name}=\d+", member) for member in members)
            expect.that(is_there, answer, f"{name} with a number of seconds", members)


def menus_of_today_are_kept_until_midnight(campus):
    """Menus without a date may be kept until midnight of the campus at most, as fresh or stale."""
    # A question that no cache on the way has an answer to.
    answer = campus.ask(MENUS, ("_", uuid4()))
    seconds = sum(map(int, re.findall(r"max-age=(\d+)|$", expect.header(answer, "Cache-Control"))[:1]))
    stale = max(map(int, re.findall(r"stale-[a-z-]+=(\d+)", answer.headers["cache-control"])), default=0)
    midnight = datetime.combine(campus.today + timedelta(days=1), datetime.min.time(), campus.now.tzinfo)
    # A second for the rounding.
    left = (midnight.astimezone(UTC) - campus.now.astimezone(UTC)).total_seconds() + 1
    expect.that(seconds + stale <= left, answer, f"{left:g} seconds at most", f"{seconds} and {stale} seconds")


def data_varies_by_encoding(campus):
    """Vary names Accept-Encoding."""
    for path in campus.resources:
        expect.header(expect.status(campus.ask(path), 200), "Vary", "Accept-Encoding")


def last_modified_is_a_time_of_the_past(campus):
    """Last-Modified of data that was loaded is a time, and not of the future."""
    filled = [path for path in LISTS if expect.items(campus.kept(path))]
    expect.given(filled, "nothing is loaded")
    for path in filled:
        answer = campus.ask(path)
        loaded = expect.header(answer, "Last-Modified")
        told = answer.headers.get("date")
        now = parsedate_to_datetime(told) if told else datetime.now(UTC)
        expect.that(parsedate_to_datetime(loaded) <= now, answer, f"a time before {now}", loaded)


def _is_not_modified(campus, path, wanted):
    tag = expect.header(campus.ask(path), "ETag")
    answer = expect.status(campus.ask(path, headers={"If-None-Match": wanted.replace("{tag}", tag)}), 304)
    expect.that(answer.body == b"", answer, "no body", answer.body[:100])
    return answer


def _steady(value):
    return value and re.sub(r"=\d+", "", value)
