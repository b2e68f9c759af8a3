"""The WSGI middleware around any application: the access log, and errors outside of the views."""

from io import BytesIO

import pytest
from webtest import TestApp

from campus_api.db.connection import connect
from campus_api.db.revisions import RevisionMonitor
from campus_api.domain.clock import Clock
from campus_api.http.cache import ResponseCache
from campus_api.http.store import ResponseStore
from campus_api.index import Index
from campus_api.instrumentation import Instrumentation, log_request
from campus_api.monitoring import Metrics
from campus_api.settings import load
from tests.factories import NOON

REQUEST = {"REQUEST_METHOD": "GET", "PATH_INFO": "/caf\xc3\xa9/1", "QUERY_STRING": "name=a%20b"}


@pytest.fixture
def log(caplog):
    """Log a request and return the record."""
    caplog.set_level("INFO", "campus_api.access")

    def log(**environ):
        log_request({**REQUEST, **environ}, 200, 5, 0.0123456)
        return caplog.records[-1]

    return log


def test_a_line_describes_the_request_and_the_response_and_cannot_be_forged(log):
    record = log(HTTP_USER_AGENT="curl/8")

    assert (record.method, record.path, record.query) == ("GET", "/caf%C3%A9/1", "name=a%20b")
    assert (record.status, record.bytes, record.duration_ms, record.user_agent) == (200, 5, 12.346, "curl/8")
    for environ, url in (
        ({}, "/caf%C3%A9/1?name=a%20b"),
        ({"SCRIPT_NAME": "/campus", "QUERY_STRING": ""}, "/campus/caf%C3%A9/1"),
        ({"PATH_INFO": "/a\nb\x1b", "QUERY_STRING": "c\nd\xe9\u20ac"}, "/a%0Ab%1B?c%0Ad%E9?"),
    ):
        assert log(**environ).getMessage() == f"GET {url}: 200, 5 bytes in 12.346 ms", environ


def test_long_texts_are_truncated(log):
    for variable in ("PATH_INFO", "QUERY_STRING", "HTTP_USER_AGENT"):
        record = log(**{variable: "x" * 5000})
        assert [text.count("x") for text in (record.path, record.query, record.user_agent)].count(1000) == 1, variable
        assert len(record.getMessage()) < 1200, variable


@pytest.fixture
def wrap():
    """Wrap a WSGI application in the middleware, with an empty database."""
    settings = load({"mongo.uri": "mongomock://", "clock.frozen_at": NOON}, environ={})
    revisions = RevisionMonitor(connect(settings).database)
    clock, store = Clock(settings["clock.time_zone"], settings["clock.frozen_at"]), ResponseStore(1)
    metrics = Metrics(Index(revisions, store, clock, settings))

    def wrap(app, *, access_log=False):
        cache = ResponseCache(app, {}, revisions, store, clock, max_age=60)
        return TestApp(Instrumentation(cache, metrics, access_log=access_log))

    return wrap


def failing(environ, start_response):
    raise LookupError("s3cret")


def failing_after_start(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    raise LookupError("s3cret")


def test_an_exception_outside_of_the_views_is_a_problem_500_and_in_the_access_log(caplog, wrap):
    caplog.set_level("INFO", "campus_api.access")
    for app in (failing, failing_after_start):
        for path in ("/nowhere", "/dining/recipes"):
            caplog.clear()
            response = wrap(app, access_log=True).get(path, headers={"X-Request-Id": "monday"}, status=500)
            assert [record.status for record in caplog.records if hasattr(record, "duration_ms")] == [500], (app, path)
            assert response.json["detail"] == "The request failed. The error was logged as monday.", (app, path)
            assert ("s3cret" in response.text, "s3cret" in caplog.text) == (False, True), (app, path)
            headers = (response.headers[name] for name in ("Content-Type", "X-Request-Id", "Cache-Control"))
            assert tuple(headers) == ("application/problem+json", "monday", "no-store"), (app, path)
            assert response.headers["Access-Control-Allow-Origin"] == "*", (app, path)


def test_the_body_of_the_application_is_closed(wrap):
    for path in ("/nowhere", "/dining/recipes"):
        body = BytesIO(b"text")

        def app(environ, start_response, body=body):
            start_response("200 OK", [("Content-Type", "text/plain")])
            return body

        wrap(app).get(path)

        assert body.closed, path
