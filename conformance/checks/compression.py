"""Compression."""

import gzip
import zlib

from conformance import expect
from conformance.expect import Response
from conformance.target import Target

_GZIP = {"Accept-Encoding": "gzip"}
_MIN_COMPRESSED_SIZE = 2000


def gzip_has_the_same_content(target: Target) -> None:
    """A gzipped response decompresses to the bytes of the plain one."""
    for path, plain, gzipped in _gzipped(target):
        try:
            decompressed = gzip.decompress(gzipped.body)
        except (OSError, EOFError, zlib.error):
            decompressed = None
        expect.check(decompressed == plain.body, gzipped, f"gzip of {path}", gzipped.body[:40])


def gzip_is_negotiated(target: Target) -> None:
    """Responses are gzipped for every form of Accept-Encoding that allows it."""
    path = _gzipped(target)[0][0]
    for accepted in ("gzip, deflate, br, zstd", "br;q=1.0, gzip;q=0.8", "GZIP"):
        expect.header(target.request(path, headers={"Accept-Encoding": accepted}), "Content-Encoding", "gzip")


def gzip_is_smaller(target: Target) -> None:
    """A gzipped response is smaller than the plain one."""
    for _, plain, gzipped in _gzipped(target):
        actual = len(gzipped.body)
        expect.check(actual < len(plain.body), gzipped, f"less than {len(plain.body)} bytes", actual)


def gzip_requires_accept_encoding(target: Target) -> None:
    """Responses are not gzipped unless the client accepts it."""
    for path in target.resources:
        for headers in ({}, {"Accept-Encoding": "identity"}, {"Accept-Encoding": "gzip;q=0"}):
            response = expect.status(target.request(path, headers=headers), 200)
            actual = response.headers.get("content-encoding", "identity")
            expect.check(actual == "identity", response, "no Content-Encoding", actual)


def gzip_supports_if_none_match(target: Target) -> None:
    """If-None-Match with the ETag of a gzipped response is a 304."""
    for path, _, gzipped in _gzipped(target):
        headers = {**_GZIP, "If-None-Match": expect.header(gzipped, "ETag")}
        expect.status(target.request(path, headers=headers), 304)


def content_length_matches_the_body(target: Target) -> None:
    """Content-Length, if present, is the length of the body, gzipped or not."""
    for path in target.resources:
        for headers in ({}, _GZIP):
            response = target.request(path, headers=headers)
            expected = str(len(response.body))
            actual = response.headers.get("content-length", expected)
            expect.check(actual == expected, response, f"Content-Length: {expected}", actual)


def data_is_json_in_utf_8(target: Target) -> None:
    """Data is application/json in UTF-8, gzipped or not."""
    for path in target.resources:
        for headers in ({}, _GZIP):
            expect.header(expect.status(target.request(path, headers=headers), 200), "Content-Type", "application/json")
        response = target.request(path)
        expect.check(response.json is not None, response, "an array or an object", "null")


def _gzipped(target: Target) -> list[tuple[str, Response, Response]]:
    """Return the path, the plain and the gzipped response of each resource that is compressed."""
    pairs = [(path, target.request(path), target.request(path, headers=_GZIP)) for path in target.resources]
    gzipped = [pair for pair in pairs if pair[2].headers.get("content-encoding") == "gzip"]
    is_any_long = any(len(plain.body) > _MIN_COMPRESSED_SIZE for _, plain, _ in pairs)
    expect.require(gzipped or is_any_long, "all responses are short")
    expect.check(gzipped, pairs[0][2], "gzip for long responses", "no Content-Encoding")
    return gzipped
