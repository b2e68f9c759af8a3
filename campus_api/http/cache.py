"""Response cache with ETags and stale responses in an outage (RFC 9111)."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyramid.request import Request
from pyramid.router import Router

from campus_api import catalog
from campus_api.db.revisions import RevisionMonitor
from campus_api.db.snapshot import Snapshot
from campus_api.domain.clock import Clock, age_seconds, dates
from campus_api.domain.models import DatasetDocument
from campus_api.http import conditional
from campus_api.http.cache_key import DATA_REQUEST, CacheKey, DataRequest, mount_path
from campus_api.http.response import OK, CachedResponse, CompressedBody, Environ
from campus_api.http.store import ResponseStore

log = logging.getLogger(__name__)

# The key of the environ under which the root factory finds the snapshot of the live revisions for the response.
SNAPSHOT = "campus.snapshot"

# How often a response is rendered while loads replace what it is rendered from.
_MAX_TRIES = 3
_EMPTY = CachedResponse(OK, [], CompressedBody(b""))
_UNAVAILABLE = "503 Service Unavailable"
_STALE = "campus; fwd=stale"
_SUPERSEDED = "campus; fwd=stale; detail=superseded"


@dataclass
class ResponseCache:
    """A cache of data and static files in memory, which calls `app` for everything else."""

    app: Router
    _static_files: Mapping[str, CachedResponse]
    _revisions: RevisionMonitor
    store: ResponseStore
    _clock: Clock
    max_age: int
    _warmed_up: tuple[str, ...] = ()

    def warm_up(self) -> None:
        """Pre-render and pin the list endpoints, and the menus, dishes and hours of today and tomorrow."""
        if not self.store.max_bytes or self._revisions.is_down:
            return
        today = self._clock.today()
        state = (self._revisions.latest.revisions("buildings", "dining"), today)
        if state == self._warmed_up:
            return
        keys = _prerendered_keys(dates(today, 2))
        self.store.pin(keys)
        requests = [Request.blank(conditional.canonical_url(key)) for key in keys]
        results = [self.get(request.environ)[1] for request in requests]
        if {"hit", "miss"}.issuperset(results):
            self._warmed_up = state
            if missing := [key.path for key in keys if not self.store.get(key)]:
                log.warning("cache.memory_mb is too small for %s: every request renders it", ", ".join(missing))

    def get(self, environ: Environ) -> tuple[CachedResponse, str]:
        """Return the response to a request, and the result of the cache: "hit", "miss", "stale" or "bypass"."""
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return self._call_app(environ), "bypass"
        request = DataRequest.from_environ(environ, self._clock)
        if request is None:
            file = self._static_files.get(environ.get("PATH_INFO", "").rstrip("/"))
            return file or self._call_app(environ), "bypass"
        environ[DATA_REQUEST] = request
        if catalog.HTML in request.endpoint.media_types:
            environ["HTTP_ACCEPT"] = request.key.media_type
        if request.key.media_type == catalog.HTML:
            return self._call_app(environ), "bypass"
        response, result = self._fetch(environ, request)
        if request.defaults and response.etag:
            response = self._expire_at_midnight(environ, request, response)
        return response, result

    def _fetch(self, environ: Environ, request: DataRequest) -> tuple[CachedResponse, str]:
        """Return the response of the live revisions, cached or rendered, or else that of those before."""
        cached = self.store.get(request.key)
        if cached is not None and self._is_live(request, cached.revisions):
            response, result = cached, "hit"
        else:
            response, result = self._render(environ, request), "miss"
        if response.status == OK:
            if self._revisions.is_down:
                return self._mark_stale(response, _STALE), "stale"
            return response, result
        if cached is not None and response.status == _UNAVAILABLE:
            successor = self._revisions.latest.newest(*request.endpoint.datasets)
            return self._mark_stale(cached, _SUPERSEDED, successor), "stale"
        return response, "bypass"

    def _is_live(self, request: DataRequest, revisions: str) -> bool:
        return self._revisions.latest.revisions(*request.endpoint.datasets) == revisions

    def _render(self, environ: Environ, request: DataRequest) -> CachedResponse:
        """Return the response of the live revisions; if a load replaced one in the meantime, render the new one."""
        for _ in range(_MAX_TRIES):
            snapshot = environ[SNAPSHOT] = self._revisions.snapshot()
            response = self._render_snapshot(environ, request, snapshot)
            if response.status != _UNAVAILABLE or self._revisions.latest is snapshot:
                break
        return response

    def _render_snapshot(self, environ: Environ, request: DataRequest, snapshot: Snapshot) -> CachedResponse:
        """Return the response of a snapshot, and store it if that is live; without a body if the client has it."""
        revisions = snapshot.revisions(*request.endpoint.datasets)
        tag = conditional.etag(request.key, revisions)
        header = environ.get("HTTP_IF_NONE_MATCH", "")
        # * names none, as a representation may not exist.
        is_named = header != "*" and conditional.if_none_match(header, tag)
        is_known = is_named and self._revisions.is_known
        rendered = _EMPTY if is_known else self._call_app(environ)
        if rendered.status != OK:
            return rendered
        newest = snapshot.newest(*request.endpoint.datasets)
        headers = conditional.validation_headers(request, tag, newest)
        headers.append(conditional.cache_control(self.max_age))
        response = rendered.with_headers(*headers)._replace(etag=tag, revisions=revisions)
        # Unless that of a later revision may be stored by now.
        if not is_known and self._is_live(request, revisions):
            self.store.put(request.key, response)
        return response

    def _call_app(self, environ: Environ) -> CachedResponse:
        """Return the response of the application; HEAD is sent to it as GET."""
        method = "GET" if environ["REQUEST_METHOD"] == "HEAD" else environ["REQUEST_METHOD"]
        response = Request({**environ, "REQUEST_METHOD": method}).get_response(self.app)
        by_name = {name: value for name, value in response.headerlist if name != "Content-Length"}
        by_name.setdefault("Cache-Control", "no-store")
        body = CompressedBody(response.body)
        return CachedResponse(response.status, list(by_name.items()), body, by_name.get("ETag"))

    def _mark_stale(self, cached: CachedResponse, status: str, newer: DatasetDocument | None = None) -> CachedResponse:
        """Return a response with the reason why it is stale (RFC 9211), and its age: since the last poll or a load."""
        age = age_seconds(newer["loaded_at"]) if newer else int(self._revisions.age)
        return cached.with_headers(("Age", str(age)), ("Cache-Status", status))

    def _expire_at_midnight(self, environ: Environ, request: DataRequest, response: CachedResponse) -> CachedResponse:
        """Return the response for menus requested without a date, which is of no use on any other day."""
        expires_in = self._clock.seconds_left(request.today)
        headers = [conditional.cache_control(self.max_age, expires_in)]
        # Some caches return a 304 if If-Modified-Since is Last-Modified, such as nginx.
        headers += conditional.not_modified_before(response.headers, self._clock.start(request.today))
        # A calendar of the days ahead has no other URL.
        if "date" in request.endpoint.parameters:
            location = mount_path(environ) + conditional.canonical_url(request.key)
            headers.append(("Content-Location", location))
        return response.with_headers(*headers)


def _prerendered_keys(days: Sequence[str]) -> list[CacheKey]:
    """Return the keys of the responses that the catalog says to pre-render, those of days first."""
    endpoints = [endpoint for endpoint in catalog.ENDPOINTS if endpoint.is_prerendered]
    dated = [endpoint.path for endpoint in endpoints if endpoint.is_dated]
    keys = [CacheKey(path, (("date", day),)) for day in days for path in dated]
    return keys + [CacheKey(endpoint.path) for endpoint in endpoints if not endpoint.is_dated]
