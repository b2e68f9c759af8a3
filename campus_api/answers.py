"""Finished answers kept in memory: fast, with validators, and still there when the database is not."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple
from urllib.parse import quote

from pyramid.registry import Registry
from pyramid.request import Request

from campus_api.canonical import MENUS, Asked, asked
from campus_api.clock import Clock
from campus_api.datasets import Datasets
from campus_api.kept import Answer, Kept
from campus_api.validators import Headers, cache_control, etag, location, matches, takes_gzip, validators

_LISTS = tuple(map(Asked, ("/dining/categories", "/dining/locations", "/dining/recipes", "/map/buildings")))
_OK, _UNAVAILABLE = "200 OK", "503 Service Unavailable"
_OPEN_TO_BROWSERS = ("Access-Control-Allow-Origin", "*")

Environ = dict[str, Any]


class _Given(NamedTuple):
    """What the application has answered."""

    status: str
    headers: Headers
    body: bytes


class Answers:
    """A WSGI application around another one: it keeps what that one answers about data.

    The list that it returns may be given to any server; `kept` are the answers in memory.
    """

    def __init__(self, app: Callable, registry: Registry, clock: Clock) -> None:
        """Take the application to ask, its registry with the data sets and the settings, and the time."""
        settings = registry.settings
        self.registry = registry
        self._app = app
        self._datasets: Datasets = registry["datasets"]
        self._clock = clock
        self._max_age = settings["answers.max_age"]
        self._cache_control = cache_control(self._max_age)
        self._keeps = settings["answers.memory_mb"] > 0
        self.kept = Kept(settings["answers.memory_mb"] * 1_000_000)
        self._prepared: tuple[str, ...] = ()

    def __call__(self, environ: Environ, start_response: Callable) -> Iterable[bytes]:
        """Answer a request."""
        request = asked(environ, self._clock.today) if environ["REQUEST_METHOD"] in ("GET", "HEAD") else None
        if request is None or not self._datasets.is_known:
            return _pass_on(self._ask(environ), environ, start_response)
        what, undated = request
        version, answer = self._datasets.version(what.dataset), self.kept.get(what)
        is_current = answer is not None and answer.version == version
        tag = answer.tag if is_current else etag(what, version)
        extra = self._extra_headers(environ, what, undated)
        if "HTTP_IF_NONE_MATCH" in environ and matches(environ["HTTP_IF_NONE_MATCH"], tag):
            record = self._datasets.live(what.dataset)
            start_response("304 Not Modified", [*validators(tag, record), _OPEN_TO_BROWSERS, *extra])
            return []
        if not is_current:
            given = self._ask(environ)
            if given.status == _OK:
                answer = self._keep(what, version, given)
            elif answer is None or given.status != _UNAVAILABLE:
                return _pass_on(given, environ, start_response)
        return self._respond(environ, start_response, what, answer, extra)

    def prepare(self) -> None:
        """Make the full lists and the menus of today and tomorrow, when they are not of now, and keep them for good."""
        if not self._keeps or self._datasets.is_down:
            return
        today, tomorrow = self._clock.today(), self._clock.tomorrow()
        state = (self._datasets.version("buildings"), self._datasets.version("dining"), today)
        if state == self._prepared:
            return
        wanted = [*(Asked(MENUS, (("date", date),)) for date in (today, tomorrow)), *_LISTS]
        self.kept.pin(wanted)
        for what in wanted:
            version = self._datasets.version(what.dataset)
            given = self._ask(Request.blank(location(what)).environ)
            if given.status != _OK:
                return
            self._keep(what, version, given)
        self._prepared = state

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
        status, headers = started[-1][:2]
        return _Given(status, headers, body)

    def _keep(self, what: Asked, version: str, given: _Given) -> Answer:
        tag = etag(what, version)
        headers = [header for header in given.headers if header[0].lower() != "content-length"]
        answer = Answer(version, tag, [*headers, *validators(tag, self._datasets.live(what.dataset))], given.body)
        self.kept.put(what, answer)
        return answer

    def _respond(
        self, environ: Environ, start_response: Callable, what: Asked, answer: Answer, extra: Headers
    ) -> list[bytes]:
        body, headers = answer.body, answer.headers
        if self._keeps and takes_gzip(environ.get("HTTP_ACCEPT_ENCODING", "")):
            if answer.compress():
                self.kept.put(what, answer)
            if answer.compressed is not None:
                body, headers = answer.compressed, answer.compressed_headers
        if self._datasets.is_down or answer.version != self._datasets.version(what.dataset):
            extra = [*extra, ("Age", str(int(self._datasets.age))), ("X-Campus-Stale", "1")]
        start_response(_OK, [*headers, *extra])
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]

    def _extra_headers(self, environ: Environ, what: Asked, undated: bool) -> Headers:
        """Return the headers that depend on the request: menus of today are of no use after midnight."""
        if not undated:
            return [self._cache_control]
        where = quote(environ.get("SCRIPT_NAME", ""), encoding="latin-1") + location(what)
        return [cache_control(self._max_age, self._clock.seconds_left()), ("Content-Location", where)]


def _pass_on(given: _Given, environ: Environ, start_response: Callable) -> list[bytes]:
    """Answer what is not to be kept."""
    start_response(given.status, [*given.headers, ("Cache-Control", "no-store")])
    return [] if environ["REQUEST_METHOD"] == "HEAD" else [given.body]
