"""Finished answers kept in memory: fast, with validators, and still there when the database is not."""

from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any, NamedTuple
from urllib.parse import quote

from pyramid.request import Request

from campus_api.canonical import MENUS, Asked, asked
from campus_api.clock import Clock
from campus_api.datasets import Datasets
from campus_api.kept import Answer, Kept
from campus_api.metrics import Metrics
from campus_api.validators import Headers, cache_control, etag, location, matches, takes_gzip, validators

_LISTS = tuple(map(Asked, ("/dining/categories", "/dining/locations", "/dining/recipes", "/map/buildings")))
_OK, _NOT_MODIFIED, _UNAVAILABLE = "200 OK", "304 Not Modified", "503 Service Unavailable"
_OPEN_TO_BROWSERS = ("Access-Control-Allow-Origin", "*")

Environ = dict[str, Any]


class _Given(NamedTuple):
    """An answer on its way; `source` is what the metrics call it."""

    source: str
    status: str
    headers: Headers
    body: bytes


class Answers:
    """A WSGI application around another one, which keeps what that one answers about data in `kept`."""

    def __init__(
        self, app: Callable, datasets: Datasets, kept: Kept, metrics: Metrics, clock: Clock, max_age: int
    ) -> None:
        """Take the application to ask, what it answers from and with, and how many seconds caches may keep answers."""
        self._app = app
        self._datasets = datasets
        self.kept = kept
        self._metrics = metrics
        self._clock = clock
        self._max_age = max_age
        self._cache_control = cache_control(max_age)
        self._prepared: tuple[str, ...] = ()

    def __call__(self, environ: Environ, start_response: Callable) -> Iterable[bytes]:
        """Answer a request."""
        began = perf_counter()
        request = asked(environ, self._clock.today) if environ["REQUEST_METHOD"] in ("GET", "HEAD") else None
        if request is None or not self._datasets.is_known:
            given = self._ask(environ)
        else:
            given = self._answer(environ, *request)
        endpoint = request[0].endpoint if request else "other"
        self._metrics.count(endpoint, given.status[:3], given.source, perf_counter() - began)
        start_response(given.status, given.headers)
        # A list, because not every server takes another kind of sequence.
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [given.body]

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
        if all(each.source in ("hit", "made") for each in given):
            self._prepared = state

    def _answer(self, environ: Environ, what: Asked, undated: bool) -> _Given:
        version, answer = self._datasets.version(what.dataset), self.kept.get(what)
        source = "hit" if answer is not None and answer.version == version else "made"
        tag = answer.tag if source == "hit" else etag(what, version)
        extra = self._extra_headers(environ, what, undated)
        if "HTTP_IF_NONE_MATCH" in environ and matches(environ["HTTP_IF_NONE_MATCH"], tag):
            headers = validators(what, tag, self._datasets.live(what.dataset))
            return _Given("not modified", _NOT_MODIFIED, [*headers, _OPEN_TO_BROWSERS, *extra], b"")
        if source == "made":
            given = self._ask(environ)
            if undated and ("date", self._clock.today()) not in what.parameters:
                # It is midnight: of which day these menus are is not known.
                return self._answer(environ, *asked(environ, self._clock.today))
            if given.status == _OK:
                answer = self._keep(what, version, tag, given)
            elif answer is None or given.status != _UNAVAILABLE:
                return given
        if self._datasets.is_down or answer.version != version:
            source = "stale"
            extra += [("Age", str(int(self._datasets.age))), ("X-Campus-Stale", "1")]
        headers, body = self._form(environ, what, answer)
        return _Given(source, _OK, [*headers, *extra], body)

    def _ask(self, environ: Environ) -> _Given:
        """Return what the application answers, to HEAD what it answers to GET."""
        started: list[Any] = []
        method = "GET" if environ["REQUEST_METHOD"] == "HEAD" else environ["REQUEST_METHOD"]
        chunks = self._app({**environ, "REQUEST_METHOD": method}, lambda *given: started.append(given))
        try:
            body = b"".join(chunks)
        finally:
            if hasattr(chunks, "close"):
                chunks.close()
        status, headers, *_ = started[-1]
        if not any(name == "Cache-Control" for name, _ in headers):
            headers = [*headers, ("Cache-Control", "no-store")]
        return _Given("none", status, headers, body)

    def _keep(self, what: Asked, version: str, tag: str, given: _Given) -> Answer:
        replaced = ("content-length", "cache-control")
        headers = [header for header in given.headers if header[0].lower() not in replaced]
        answer = Answer(version, tag, [*headers, *validators(what, tag, self._datasets.live(what.dataset))], given.body)
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

    def _extra_headers(self, environ: Environ, what: Asked, undated: bool) -> Headers:
        """Return the headers that depend on the request: menus of today are of no use after midnight."""
        if not undated:
            return [self._cache_control]
        where = quote(environ.get("SCRIPT_NAME", ""), encoding="latin-1") + location(what)
        return [cache_control(self._max_age, self._clock.seconds_left()), ("Content-Location", where)]
