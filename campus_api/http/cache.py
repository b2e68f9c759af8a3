"""Finished answers kept in memory: fast, with validators, and still there when the database is not."""

import logging
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any
from urllib.parse import quote

import orjson
from pyramid.registry import Registry
from pyramid.request import Request

from campus_api.db.revisions import Datasets
from campus_api.domain.clock import Clock
from campus_api.http.cache_key import MENUS, Asked, asked
from campus_api.http.conditional import Headers, cache_control, etag, location, matches, takes_gzip, validators
from campus_api.http.lru import Answer, Kept
from campus_api.http.request_id import HEADER, begin
from campus_api.monitoring.metrics import Metrics
from campus_api.views.errors import failure

_LISTS = tuple(map(Asked, ("/dining/categories", "/dining/locations", "/dining/recipes", "/map/buildings")))
_OK, _NOT_MODIFIED, _UNAVAILABLE = "200 OK", "304 Not Modified", "503 Service Unavailable"
_FAILED = "500 Internal Server Error"
_OPEN_TO_BROWSERS = ("Access-Control-Allow-Origin", "*")
_NOT_KEPT = ("Cache-Control", "no-store")
_NOSNIFF = ("X-Content-Type-Options", "nosniff")

Environ = dict[str, Any]
# An answer on its way: what the metrics call its source, its status, headers and body. A named tuple would take
# a tenth of the time of an answer from memory.
_Given = tuple[str, str, Headers, bytes]

log = logging.getLogger(__name__)


class Answers:
    """A WSGI application around another one, `app`, which keeps in `kept` what that one answers about data.

    Every request gets an id, which is on its answer, and is counted, whatever happens.
    """

    def __init__(
        self, app: Callable, datasets: Datasets, kept: Kept, metrics: Metrics, clock: Clock, max_age: int
    ) -> None:
        """Take the application to ask, what it answers from and with, and how many seconds caches may keep answers."""
        self.app = app
        self._datasets = datasets
        self.kept = kept
        self._metrics = metrics
        self._clock = clock
        self._max_age = max_age
        self._cache_control = cache_control(max_age)
        self._prepared: tuple[str, ...] = ()

    @property
    def registry(self) -> Registry:
        """Return the registry of the Pyramid application within."""
        return self.app.registry

    def __call__(self, environ: Environ, start_response: Callable) -> Iterable[bytes]:
        """Answer a request."""
        began = perf_counter()
        request_id = begin(environ)
        endpoint, method = "other", environ["REQUEST_METHOD"]
        try:
            request = asked(environ, self._clock.today) if method in ("GET", "HEAD") else None
            if request is None:
                source, status, headers, body = self._ask(environ)
            else:
                what, undated = request
                endpoint = what.endpoint
                source, status, headers, body = self._answer(environ, what, undated)
        except Exception as error:
            source, status, headers, body = _failed(error)
        self._metrics.count(endpoint, status, source, perf_counter() - began)
        start_response(status, [*headers, _NOSNIFF, (HEADER, request_id)])
        # A list, because not every server takes another kind of sequence.
        return [] if method == "HEAD" else [body]

    def prepare(self) -> None:
        """Make the full lists and the menus of today and tomorrow, when they are not of now, and keep them for good."""
        if not self.kept.keeps or self._datasets.is_down:
            return
        today, tomorrow = self._clock.today(), self._clock.tomorrow()
        state = (self._datasets.version("buildings"), self._datasets.version("dining"), today)
        if state == self._prepared:
            return
        wanted = [*(Asked(MENUS, (("date", date),)) for date in (today, tomorrow)), *_LISTS]
        self.kept.pin(wanted)
        given = [self._answer(Request.blank(location(what)).environ, what, undated=False) for what in wanted]
        if all(source in ("hit", "made") for source, *_ in given):
            self._prepared = state

    def _answer(self, environ: Environ, what: Asked, undated: bool) -> _Given:
        answer = self.kept.get(what)
        if not answer or answer.version != self._datasets.fresh.get(what.dataset) or "HTTP_IF_NONE_MATCH" in environ:
            return self._considered(environ, what, undated, answer)
        headers, body = self._form(environ, what, answer)
        return "hit", _OK, self._of_today(environ, what, headers) if undated else headers, body

    def _considered(self, environ: Environ, what: Asked, undated: bool, answer: Answer | None) -> _Given:
        """Return an answer that takes more than a look: a new one, none to whom has it, or the last good one."""
        if not self._datasets.is_known:
            return self._ask(environ)
        version = self._datasets.version(what.dataset)
        is_current = answer is not None and answer.version == version
        tag = answer.tag if is_current else etag(what, version)
        held = environ.get("HTTP_IF_NONE_MATCH", "")
        # A tag tells that there is an answer, "*" does not.
        if held != "*" and matches(held, tag):
            return self._not_modified(environ, what, tag, undated)
        if not is_current:
            _, status, *_ = given = self._ask(environ)
            if undated and ("date", self._clock.today()) not in what.parameters:
                # It is midnight: of which day these menus are is not known.
                return self._answer(environ, *asked(environ, self._clock.today))
            if status == _OK:
                answer = self._keep(what, version, tag, given)
            elif answer is None or status != _UNAVAILABLE:
                return given
        if held == "*":
            return self._not_modified(environ, what, answer.tag, undated)
        headers, body = self._form(environ, what, answer)
        if undated:
            headers = self._of_today(environ, what, headers)
        if self._datasets.is_down or answer.version != version:
            return "stale", _OK, [*headers, ("Age", str(int(self._datasets.age))), ("X-Campus-Stale", "1")], body
        return "hit" if is_current else "made", _OK, headers, body

    def _not_modified(self, environ: Environ, what: Asked, tag: str, undated: bool) -> _Given:
        headers = [*self._lasting(what, tag), _OPEN_TO_BROWSERS]
        return "not modified", _NOT_MODIFIED, self._of_today(environ, what, headers) if undated else headers, b""

    def _ask(self, environ: Environ) -> _Given:
        """Return what the application answers, to HEAD what it answers to GET."""
        started: list[Any] = []
        method = "GET" if environ["REQUEST_METHOD"] == "HEAD" else environ["REQUEST_METHOD"]
        chunks = self.app({**environ, "REQUEST_METHOD": method}, lambda *given: started.append(given))
        try:
            body = b"".join(chunks)
        finally:
            if hasattr(chunks, "close"):
                chunks.close()
        status, headers, *_ = started[-1]
        if not any(name == "Cache-Control" for name, _ in headers):
            headers = [*headers, _NOT_KEPT]
        return "none", status, headers, body

    def _keep(self, what: Asked, version: str, tag: str, given: _Given) -> Answer:
        _, _, headers, body = given
        replaced = ("content-length", "cache-control")
        headers = [header for header in headers if header[0].lower() not in replaced]
        answer = Answer(version, tag, [*headers, *self._lasting(what, tag)], body)
        self.kept.put(what, answer)
        return answer

    def _form(self, environ: Environ, what: Asked, answer: Answer) -> tuple[Headers, bytes]:
        """Return the headers and the body of the form that the client takes; compressed is what is compressed once."""
        accepted = environ.get("HTTP_ACCEPT_ENCODING")
        if accepted and self.kept.keeps and takes_gzip(accepted):
            if answer.compress():
                self.kept.put(what, answer)
            if answer.compressed is not None:
                return answer.compressed_headers, answer.compressed
        return answer.headers, answer.body

    def _lasting(self, what: Asked, tag: str) -> Headers:
        """Return the headers by which caches keep an answer."""
        return [*validators(what, tag, self._datasets.live(what.dataset)), self._cache_control]

    def _of_today(self, environ: Environ, what: Asked, headers: Headers) -> Headers:
        """Return the headers of menus that were asked for without a date: they are of no use after midnight."""
        where = quote(environ.get("SCRIPT_NAME", ""), encoding="latin-1") + location(what)
        others = (header for header in headers if header[0] != "Cache-Control")
        return [*others, cache_control(self._max_age, self._clock.seconds_left()), ("Content-Location", where)]


def _failed(error: Exception) -> _Given:
    """Return the answer to what fails around the views, which answer what fails within."""
    log.error("A request failed outside of the views", exc_info=error)
    body = orjson.dumps(failure())
    headers = [("Content-Type", "application/problem+json"), ("Content-Length", str(len(body)))]
    return "none", _FAILED, [*headers, _OPEN_TO_BROWSERS, _NOT_KEPT], body
