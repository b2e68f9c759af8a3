"""The WSGI middleware around any application: errors outside of the views, and the end of a body."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from webtest import TestApp

from campus_api.db.connection import connect
from campus_api.db.revisions import RevisionMonitor
from campus_api.domain.clock import Clock
from campus_api.http.cache import ResponseCache
from campus_api.http.store import ResponseStore
from campus_api.instrumentation import Instrumentation
from campus_api.monitoring.health import Health
from campus_api.monitoring.metrics import Metrics
from tests.factories import NOON


@pytest.fixture
def wrap():
    """Wrap a WSGI application in the middleware, with an empty database."""
    revisions = RevisionMonitor(connect({"mongo.uri": "mongomock://"}).database)
    clock, store = Clock(ZoneInfo("America/New_York"), datetime.fromisoformat(NOON)), ResponseStore(1)
    metrics = Metrics(Health(revisions, store, clock))

    def wrap(app, *, access_log=False):
        cache = ResponseCache(app, {}, revisions, store, clock, max_age=60)
        return TestApp(Instrumentation(cache, metrics, access_log=access_log))

    return wrap


def failing(environ, start_response):
    raise LookupError("s3cret")


def failing_after_start(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    raise LookupError("s3cret")


@pytest.mark.parametrize("path", ["/nowhere", "/dining/recipes"])
@pytest.mark.parametrize("app", [failing, failing_after_start])
def test_an_exception_outside_of_the_views_is_a_problem_500(caplog, wrap, app, path):
    response = wrap(app).get(path, headers={"X-Request-Id": "monday"}, status=500)

    assert response.json["detail"] == "The request failed. The error was logged as monday."
    assert ("s3cret" in response.text, "s3cret" in caplog.text) == (False, True)
    assert {name: response.headers[name] for name in ("Content-Type", "X-Request-Id", "Cache-Control")} == {
        "Content-Type": "application/problem+json",
        "X-Request-Id": "monday",
        "Cache-Control": "no-store",
    }
    assert response.headers["Access-Control-Allow-Origin"] == "*"


def test_an_exception_outside_of_the_views_is_in_the_access_log(caplog, wrap):
    caplog.set_level("INFO", "campus_api.access")

    wrap(failing, access_log=True).get("/", status=500)

    assert [record.status for record in caplog.records if hasattr(record, "duration_ms")] == [500]


class _Body(list):
    """A body that records whether it was closed."""

    is_closed = False

    def close(self):
        self.is_closed = True


@pytest.mark.parametrize("path", ["/nowhere", "/dining/recipes"])
def test_the_body_of_the_application_is_closed(wrap, path):
    body = _Body([b"text"])

    def app(environ, start_response):
        start_response("200 OK", [("Content-Type", "text/plain")])
        return body

    wrap(app).get(path)

    assert body.is_closed
