"""Responses, and the one place where they are sent: conditional requests, gzip, HEAD and common headers."""

import gzip
from functools import cached_property
from typing import Any, NamedTuple

from campus_api.http.conditional import Headers, accepts_gzip, if_none_match, is_unmodified

Environ = dict[str, Any]

OK = "200 OK"
COMMON_HEADERS = [
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", "*"),
    ("X-Content-Type-Options", "nosniff"),
]
# Shorter bodies hardly shrink.
_GZIP_MIN_SIZE = 500


class CompressedBody:
    """The body of a response, gzipped on demand, once."""

    def __init__(self, plain: bytes) -> None:
        self.plain = plain

    @cached_property
    def gzipped(self) -> bytes | None:
        """Return the gzipped body; None if it is too short for that."""
        if len(self.plain) < _GZIP_MIN_SIZE:
            return None
        return gzip.compress(self.plain, compresslevel=6, mtime=0)


class CachedResponse(NamedTuple):
    """A response without the headers that `respond` adds.

    `etag` is None if it cannot be revalidated. `revisions` are those of its data sets, "" if it has none.
    """

    status: str
    headers: Headers
    body: CompressedBody
    etag: str | None = None
    revisions: str = ""

    def with_headers(self, *headers: tuple[str, str]) -> "CachedResponse":
        """Return the response with headers added or replaced."""
        names = {name for name, _ in headers}
        others = [each for each in self.headers if each[0] not in names]
        return self._replace(headers=[*others, *headers])


def respond(environ: Environ, response: CachedResponse) -> tuple[str, Headers, list[bytes]]:
    """Return status, headers and body of a response, or of a 304 if the client has it; gzipped if it accepts that."""
    if response.etag and _is_known(environ, response.etag, response.headers):
        # A client updates the response that it has stored with the others (RFC 9111, section 3.2).
        headers = [header for header in response.headers if header[0] != "Content-Type"]
        return "304 Not Modified", [*headers, *COMMON_HEADERS], []
    headers = [*response.headers, *COMMON_HEADERS]
    body = response.body.plain
    accept_encoding = environ.get("HTTP_ACCEPT_ENCODING")
    # Only what can be revalidated varies with Accept-Encoding.
    if accept_encoding and response.etag and accepts_gzip(accept_encoding) and response.body.gzipped:
        headers.append(("Content-Encoding", "gzip"))
        body = response.body.gzipped
    if response.status != "204 No Content":
        headers.append(("Content-Length", str(len(body))))
    return response.status, headers, [] if environ["REQUEST_METHOD"] == "HEAD" else [body]


def _is_known(environ: Environ, etag: str, headers: Headers) -> bool:
    """Return whether the client has a response, by its ETag or else by its date (RFC 9110, section 13.2.2)."""
    if known_tags := environ.get("HTTP_IF_NONE_MATCH"):
        return if_none_match(known_tags, etag)
    since = environ.get("HTTP_IF_MODIFIED_SINCE")
    return since is not None and is_unmodified(headers, since)
