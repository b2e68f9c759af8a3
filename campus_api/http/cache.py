"""Response cache: WSGI middleware with ETags, gzip and stale-if-error (RFC 9111)."""

import logging
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any
from urllib.parse import quote

import orjson
from pyramid.registry import Registry
from pyramid.request import Request

from campus_api import catalog
from campus_api.db.revisions import RevisionMonitor
from campus_api.domain.clock import Clock
from campus_api.http.cache_key import CacheKey
from campus_api.http.conditional import (
    Headers,
    accepts_gzip,
    cache_control,
    canonical_url,
    etag,
    if_none_match,
    validation_headers,
)
from campus_api.http.lru import CachedResponse, LRUCache
from campus_api.http.request_id import HEADER, bind_request_id
from campus_api.monitoring.metrics import Metrics
from campus_api.views.errors import internal_error_body

_LISTS = tuple(map(CacheKey, catalog.LISTS))
_OK = "200 OK"
_NOT_MODIFIED = "304 Not Modified"
_UNAVAILABLE = "503 Service Unavailable"
_INTERNAL_ERROR = "500 Internal Server Error"
_ALLOW_ORIGIN = ("Access-Control-Allow-Origin", "*")
_NO_STORE = ("Cache-Control", "no-store")
_NOSNIFF = ("X-Content-Type-Options", "nosniff")
# RFC 9211
_STALE = ("Cache-Status", "campus; fwd=stale")

Environ = dict[str, Any]
# The result of the cache for the metrics, the status, the headers and the body. A named tuple would take a tenth of the
# time of a cached response.
_Response = tuple[str, str, Headers, bytes]

log = logging.getLogger(__name__)


class ResponseCache:
    """WSGI middleware that serves data from `cache` and calls `app` for everything else.

    Every request gets an id and is counted in the metrics, also if `app` fails.
    """

    def __init__(
        self, app: Callable, revisions: RevisionMonitor, cache: LRUCache, metrics: Metrics, clock: Clock, max_age: int
    ) -> None:
        self.app = app
        self._revisions = revisions
        self.cache = cache
        self._metrics = metrics
        self._clock = clock
        self._max_age = max_age
        self._cache_control = cache_control(max_age)
        self._warmed_up: tuple[str, ...] = ()

    @property
    def registry(self) -> Registry:
        """Return the registry of the Pyramid application."""
        return self.app.registry

    def __call__(self, environ: Environ, start_response: Callable) -> Iterable[bytes]:
        """Serve a request."""
        start = perf_counter()
        request_id = bind_request_id(environ)
        endpoint, method = "other", environ["REQUEST_METHOD"]
        try:
            request = CacheKey.from_environ(environ, self._clock.today) if method in ("GET", "HEAD") else None
            if request is None:
                cache_result, status, headers, body = self._call_app(environ)
            else:
                key, is_default_date = request
                endpoint = key.endpoint
                cache_result, status, headers, body = self._serve(environ, key, is_default_date)
        except Exception as error:
            cache_result, status, headers, body = _internal_error(error)
        self._metrics.observe(endpoint, status, cache_result, perf_counter() - start)
        start_response(status, [*headers, _NOSNIFF, (HEADER, request_id)])
        # A list, because not every server accepts another kind of sequence.
        return [] if method == "HEAD" else [body]

    def warm_up(self) -> None:
        """Pre-render the list endpoints and today's and tomorrow's menus, and pin them in the cache."""
        if not self.cache.enabled or self._revisions.is_down:
            return
        today, tomorrow = self._clock.today(), self._clock.tomorrow()
        state = (self._revisions.version("buildings"), self._revisions.version("dining"), today)
        if state == self._warmed_up:
            return
        keys = [*(CacheKey(catalog.MENUS, (("date", date),)) for date in (today, tomorrow)), *_LISTS]
        self.cache.pin(keys)
        responses = [self._serve(Request.blank(canonical_url(key)).environ, key, is_default_date=False) for key in keys]
        if all(cache_result in ("hit", "miss") for cache_result, *_ in responses):
            self._warmed_up = state

    def _serve(self, environ: Environ, key: CacheKey, is_default_date: bool) -> _Response:
        cached = self.cache.get(key)
        is_fresh = cached is not None and cached.version == self._revisions.live_versions.get(key.dataset)
        if not is_fresh or "HTTP_IF_NONE_MATCH" in environ:
            return self._revalidate(environ, key, is_default_date, cached)
        headers, body = self._select_encoding(environ, key, cached)
        return "hit", _OK, self._expire_at_midnight(environ, key, headers) if is_default_date else headers, body

    def _revalidate(
        self, environ: Environ, key: CacheKey, is_default_date: bool, cached: CachedResponse | None
    ) -> _Response:
        """Return a fresh, not-modified or stale response when the cached one cannot be served as is."""
        if not self._revisions.is_known:
            return self._call_app(environ)
        version = self._revisions.version(key.dataset)
        is_current = cached is not None and cached.version == version
        tag = cached.etag if is_current else etag(key, version)
        if_none_match_header = environ.get("HTTP_IF_NONE_MATCH", "")
        # `*` matches any representation, but only if one exists.
        if if_none_match_header != "*" and if_none_match(if_none_match_header, tag):
            return self._not_modified(environ, key, tag, is_default_date)
        if not is_current:
            _, status, *_ = response = self._call_app(environ)
            if is_default_date and ("date", self._clock.today()) not in key.parameters:
                # Midnight has passed: these menus may be of either day.
                return self._serve(environ, *CacheKey.from_environ(environ, self._clock.today))
            if status == _OK:
                cached = self._store(key, version, tag, response)
            elif cached is None or status != _UNAVAILABLE:
                return response
        if if_none_match_header == "*":
            return self._not_modified(environ, key, cached.etag, is_default_date)
        headers, body = self._select_encoding(environ, key, cached)
        if is_default_date:
            headers = self._expire_at_midnight(environ, key, headers)
        if self._revisions.is_down or cached.version != version:
            return "stale", _OK, [*headers, ("Age", str(int(self._revisions.age))), _STALE], body
        return "hit" if is_current else "miss", _OK, headers, body

    def _not_modified(self, environ: Environ, key: CacheKey, tag: str, is_default_date: bool) -> _Response:
        headers = [*self._cache_headers(key, tag), _ALLOW_ORIGIN]
        headers = self._expire_at_midnight(environ, key, headers) if is_default_date else headers
        return "not_modified", _NOT_MODIFIED, headers, b""

    def _call_app(self, environ: Environ) -> _Response:
        """Return the response of the application; HEAD is sent to it as GET."""
        started: list[Any] = []
        method = "GET" if environ["REQUEST_METHOD"] == "HEAD" else environ["REQUEST_METHOD"]
        chunks = self.app({**environ, "REQUEST_METHOD": method}, lambda *arguments: started.append(arguments))
        try:
            body = b"".join(chunks)
        finally:
            if hasattr(chunks, "close"):
                chunks.close()
        status, headers, *_ = started[-1]
        if not any(name == "Cache-Control" for name, _ in headers):
            headers = [*headers, _NO_STORE]
        return "bypass", status, headers, body

    def _store(self, key: CacheKey, version: str, tag: str, response: _Response) -> CachedResponse:
        _, _, headers, body = response
        replaced = ("content-length", "cache-control")
        headers = [header for header in headers if header[0].lower() not in replaced]
        cached = CachedResponse(version, tag, [*headers, *self._cache_headers(key, tag)], body)
        self.cache.put(key, cached)
        return cached

    def _select_encoding(self, environ: Environ, key: CacheKey, cached: CachedResponse) -> tuple[Headers, bytes]:
        """Return the headers and the body, gzipped if the client accepts it; a body is compressed once."""
        accept_encoding = environ.get("HTTP_ACCEPT_ENCODING")
        if accept_encoding and self.cache.enabled and accepts_gzip(accept_encoding):
            if cached.compress():
                self.cache.put(key, cached)
            if cached.gzipped is not None:
                return cached.gzipped_headers, cached.gzipped
        return cached.headers, cached.body

    def _cache_headers(self, key: CacheKey, tag: str) -> Headers:
        """Return ETag, Vary, Last-Modified and Cache-Control."""
        return [*validation_headers(key, tag, self._revisions.record(key.dataset)), self._cache_control]

    def _expire_at_midnight(self, environ: Environ, key: CacheKey, headers: Headers) -> Headers:
        """Return the headers of menus requested without a date, which are of no use after midnight."""
        location = quote(environ.get("SCRIPT_NAME", ""), encoding="latin-1") + canonical_url(key)
        others = (header for header in headers if header[0] != "Cache-Control")
        return [
            *others,
            cache_control(self._max_age, self._clock.seconds_until_midnight()),
            ("Content-Location", location),
        ]


def _internal_error(error: Exception) -> _Response:
    """Return a generic 500 for an error outside the views, which handle their own."""
    log.error("A request failed outside of the views", exc_info=error)
    body = orjson.dumps(internal_error_body())
    headers = [("Content-Type", "application/problem+json"), ("Content-Length", str(len(body)))]
    return "bypass", _INTERNAL_ERROR, [*headers, _ALLOW_ORIGIN, _NO_STORE], body
