"""Compressed answers."""

import gzip
import zlib

from conformance import expect

_GZIP = {"Accept-Encoding": "gzip"}


def gzip_has_the_same_bytes(campus):
    """What comes as gzip has the same bytes as what comes plain."""
    for path, plain, packed in _packed(campus):
        try:
            unpacked = gzip.decompress(packed.body)
        except (OSError, EOFError, zlib.error):
            unpacked = None
        expect.that(unpacked == plain.body, packed, f"gzip of what is at {path}", packed.body[:40])


def gzip_comes_when_it_is_accepted(campus):
    """gzip comes however a browser names it among others."""
    path = _packed(campus)[0][0]
    for accepted in ("gzip, deflate, br, zstd", "br;q=1.0, gzip;q=0.8", "GZIP"):
        expect.header(campus.ask(path, headers={"Accept-Encoding": accepted}), "Content-Encoding", "gzip")


def gzip_is_shorter(campus):
    """What comes as gzip is shorter than what comes plain."""
    for _, plain, packed in _packed(campus):
        got = len(packed.body)
        expect.that(got < len(plain.body), packed, f"less than {len(plain.body)} bytes", got)


def gzip_comes_to_nobody_who_refuses_it(campus):
    """gzip never comes to who does not accept it."""
    for path in campus.resources:
        for headers in ({}, {"Accept-Encoding": "identity"}, {"Accept-Encoding": "gzip;q=0"}):
            answer = expect.status(campus.ask(path, headers=headers), 200)
            got = answer.headers.get("content-encoding")
            expect.that(got in (None, "identity"), answer, "no Content-Encoding", got)


def gzip_may_be_a_304(campus):
    """Who has the compressed answer gets a 304."""
    for path, _, packed in _packed(campus):
        headers = {**_GZIP, "If-None-Match": expect.header(packed, "ETag")}
        expect.status(campus.ask(path, headers=headers), 304)


def a_body_is_as_long_as_it_says(campus):
    """Content-Length, where it is told, is the length of the body in either form."""
    for path in campus.resources:
        for headers in ({}, _GZIP):
            answer = campus.ask(path, headers=headers)
            told = answer.headers.get("content-length", str(len(answer.body)))
            expect.that(told == str(len(answer.body)), answer, f"Content-Length: {len(answer.body)}", told)


def data_is_json_in_utf_8(campus):
    """Data is application/json in UTF-8, in whichever form it comes."""
    for path in campus.resources:
        for headers in ({}, _GZIP):
            expect.header(expect.status(campus.ask(path, headers=headers), 200), "Content-Type", "application/json")
        expect.that(campus.ask(path).json is not None, campus.last, "a list or an object", "null")


def _packed(campus):
    asked = [(path, campus.ask(path), campus.ask(path, headers=_GZIP)) for path in campus.resources]
    packed = [each for each in asked if each[2].headers.get("content-encoding") == "gzip"]
    expect.given(packed or max(len(plain.body) for _, plain, _ in asked) > 2000, "all answers are short")
    expect.that(packed, asked[0][2], "gzip for what is long", "no Content-Encoding")
    return packed
