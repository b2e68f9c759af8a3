"""HTTP caching headers and conditional requests (RFC 9110, RFC 9111)."""

from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import version
from time import time
from typing import Any
from urllib.parse import urlencode

from webob.acceptparse import AcceptEncodingValidHeader, create_accept_encoding_header
from webob.datetime_utils import parse_date, serialize_date

from campus_api.http.cache_key import CacheKey, DataRequest

Headers = list[tuple[str, str]]

# A new version of the service may render other responses.
SERVICE_VERSION = version("campus-api")


def etag(key: CacheKey, revisions: str) -> str:
    """Return the ETag of a response; weak, because the gzipped response has the same one."""
    text = f"{SERVICE_VERSION} {revisions} {key.media_type} {key.prefix}{canonical_url(key)}"
    return content_etag(text.encode("ascii", "backslashreplace"))


def content_etag(body: bytes) -> str:
    """Return the ETag of a body that is not rendered from a data set."""
    return f'W/"{blake2b(body, digest_size=12).hexdigest()}"'


def validation_headers(request: DataRequest, tag: str, newest: Mapping[str, Any] | None) -> Headers:
    """Return ETag, Vary and Last-Modified."""
    vary = "Accept, Accept-Encoding" if len(request.endpoint.media_types) > 1 else "Accept-Encoding"
    modified = [("Last-Modified", serialize_date(newest["loaded_at"]))] if newest else []
    return [("ETag", tag), ("Vary", vary), *modified]


def not_modified_before(headers: Headers, timestamp: float) -> Headers:
    """Return Last-Modified if headers have it, or a Unix timestamp if that is later and not in the future."""
    if timestamp > time():
        return []
    return [(name, _later(value, timestamp)) for name, value in headers if name == "Last-Modified"]


@lru_cache(maxsize=8)
def _later(http_date: str, timestamp: float) -> str:
    return max(http_date, serialize_date(timestamp), key=parse_date)


def if_none_match(header: str, tag: str) -> bool:
    """Return whether an If-None-Match header matches an ETag, by weak comparison; `*` matches any."""
    # WebOb's ETagMatcher requires blanks after the commas.
    tags = [each.strip().removeprefix("W/") for each in header.split(",")]
    return header == "*" or tag.removeprefix("W/") in tags


def is_unmodified(headers: Headers, if_modified_since: str) -> bool:
    """Return whether headers have a Last-Modified that is not later than the date of an If-Modified-Since header."""
    last_modified = parse_date(dict(headers).get("Last-Modified"))
    try:
        since = parse_date(if_modified_since)
    except (OSError, OverflowError, ValueError):
        return False
    return bool(last_modified and since) and last_modified <= since


def cache_control(max_age: int, expires_in: int | None = None) -> tuple[str, str]:
    """Return the Cache-Control header; after `expires_in` seconds the response must not be used at all."""
    # RFC 5861
    revalidate, error = 60, 86400
    if expires_in is not None:
        max_age = min(max_age, expires_in)
        revalidate, error = (min(seconds, expires_in - max_age) for seconds in (revalidate, error))
    stale = f"stale-while-revalidate={revalidate}, stale-if-error={error}"
    return "Cache-Control", f"public, max-age={max_age}, {stale}"


def canonical_url(key: CacheKey) -> str:
    """Return the URL of a response, relative to the root of the service."""
    query = urlencode(key.parameters, errors="surrogateescape")
    return f"{key.path}?{query}" if query else key.path


@lru_cache(maxsize=1024)
def accepts_gzip(accept_encoding: str) -> bool:
    """Return whether the client accepts gzip."""
    # RFC 9110, section 8.4.1.3: x-gzip is equivalent.
    header = create_accept_encoding_header(accept_encoding.lower().replace("x-gzip", "gzip"))
    return isinstance(header, AcceptEncodingValidHeader) and bool(header.acceptable_offers(["gzip"]))
