"""The response cache over HTTP: validators, caching headers, compression, stale responses."""

import gzip
import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from webob import Request
from webtest import TestApp

from campus_api.catalog import MENUS
from campus_api.domain.clock import Clock
from campus_api.http.cache import ResponseCache
from campus_api.http.cache_key import CacheKey
from campus_api.http.instrumentation import Instrumentation
from campus_api.http.store import ResponseStore
from campus_api.monitoring.health import Health
from campus_api.monitoring.metrics import Metrics
from loaders.publishing.plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import TODAY, building, serving

PATHS = ["/map/buildings", "/map/buildings/1", "/dining/recipes", "/dining/menus", f"/dining/menus?date={TODAY}"]
EVERYTHING = [building(id_, name=f"Building {id_}") for id_ in range(1, 21)]


class MidnightClock(Clock):
    """A clock that passes midnight on demand."""

    def __init__(self, date):
        super().__init__(ZoneInfo("America/New_York"), datetime.fromisoformat(f"{date}T23:59:59-05:00"))

    def pass_midnight(self):
        self._frozen_at += timedelta(seconds=1)


@pytest.fixture
def wrap(loaded):
    """Wrap a WSGI application as the factory wraps Pyramid's; `wrap.metrics` are those of the last one."""

    def wrap(app, *, clock=None, store=None, access_log=False):
        clock = clock or Clock(ZoneInfo("UTC"))
        store = ResponseStore(1) if store is None else store
        wrap.metrics = Metrics(Health(loaded.revisions, store, clock))
        cache = ResponseCache(app, {}, loaded.revisions, store, clock, max_age=60)
        return TestApp(Instrumentation(cache, wrap.metrics, access_log=access_log))

    return wrap


@pytest.fixture
def loaded(service):
    service.serve_buildings(*EVERYTHING)
    service.serve_dining(*(serving(id_, f"Dish {id_}") for id_ in range(1, 21)))
    return service


@pytest.mark.parametrize("path", PATHS)
def test_data_has_validators_and_is_cacheable(loaded, path):
    headers = loaded.app.get(path).headers

    assert re.fullmatch(r'W/"[0-9a-f]{24}"', headers["ETag"])
    assert headers["Last-Modified"].endswith(" GMT")
    assert headers["Vary"] == ("Accept, Accept-Encoding" if path.startswith("/map/") else "Accept-Encoding")
    assert headers["Cache-Control"] == "public, max-age=60, stale-while-revalidate=60, stale-if-error=" + (
        "43140" if path == "/dining/menus" else "86400"
    )


def test_max_age_is_a_setting(start):
    headers = start(**{"cache.max_age": "5"}).app.get("/map/buildings").headers

    assert headers["Cache-Control"].startswith("public, max-age=5, ")


@pytest.mark.parametrize("path", PATHS)
def test_a_matching_if_none_match_returns_304(loaded, path):
    first = loaded.app.get(path)

    again = loaded.app.get(path, headers={"If-None-Match": first.headers["ETag"]}, status=304)

    names = ("ETag", "Last-Modified", "Vary", "Cache-Control", "Access-Control-Allow-Origin", "Content-Location")
    assert again.body == b""
    assert [again.headers.get(name) for name in names] == [first.headers.get(name) for name in names]


@pytest.mark.parametrize("path", PATHS)
def test_a_wildcard_if_none_match_returns_304(loaded, path):
    headers = {"If-None-Match": "*"}
    first = loaded.app.get(path, headers=headers, status=304)

    again = loaded.app.get(path, headers=headers, status=304)

    assert (first.body, again.body) == (b"", b"")
    assert first.headers["ETag"] == again.headers["ETag"] == loaded.app.get(path).headers["ETag"]


@pytest.mark.parametrize(("path", "status"), [("/map/buildings/99", 404), ("/dining/menus?meal=lunch", 400)])
def test_a_wildcard_if_none_match_does_not_hide_errors(loaded, path, status):
    loaded.app.get(path, headers={"If-None-Match": "*"}, status=status)


def test_a_non_matching_if_none_match_returns_the_full_response(loaded):
    tag = loaded.app.get("/map/buildings/2").headers["ETag"]

    assert loaded.app.get("/map/buildings/1", headers={"If-None-Match": tag}, status=200).json["id"] == 1


def test_a_load_changes_only_the_etags_of_its_data_set(loaded):
    before = [loaded.app.get(path).headers["ETag"] for path in ("/map/buildings", "/dining/recipes")]

    loaded.serve_dining(serving(1, "Another"))

    after = [loaded.app.get(path).headers["ETag"] for path in ("/map/buildings", "/dining/recipes")]
    assert (before[0] == after[0], before[1] == after[1]) == (True, False)


@pytest.mark.parametrize("memory", ["64", "0"])
def test_a_load_replaces_cached_responses(start, memory):
    service = start(**{"cache.memory_mb": memory})
    service.serve_dining(serving(1, "Rice"))
    before = service.app.get("/dining/recipes")

    service.serve_dining(serving(1, "Soup"))

    after = service.app.get("/dining/recipes", headers={"If-None-Match": before.headers["ETag"]})
    assert (before.json, after.json) == ([{"id": 1, "name": "Rice"}], [{"id": 1, "name": "Soup"}])


def as_sent(service, path, **headers):
    """Return the response as sent; WebTest would decompress it."""
    return Request.blank(path, headers=headers).get_response(service.app.app)


@pytest.mark.parametrize("path", ["/map/buildings", "/dining/menus"])
def test_a_gzipped_response_has_the_same_content(loaded, path):
    plain = as_sent(loaded, path)

    first, again = (as_sent(loaded, path, **{"Accept-Encoding": "br, gzip"}) for _ in range(2))

    assert (first.headers["Content-Encoding"], first.headers["Content-Length"]) == ("gzip", str(len(first.body)))
    assert (gzip.decompress(first.body), first.body == again.body) == (plain.body, True)
    assert (first.headers["ETag"], "Content-Encoding" in plain.headers) == (plain.headers["ETag"], False)


def test_responses_are_gzipped_without_a_cache(start):
    service = start(**{"cache.memory_mb": "0"})
    service.serve_buildings(*EVERYTHING)

    assert as_sent(service, "/map/buildings", **{"Accept-Encoding": "gzip"}).headers["Content-Encoding"] == "gzip"


@pytest.mark.parametrize("path", PATHS)
def test_head_has_the_headers_of_get(loaded, path):
    head, get = loaded.app.head(path), loaded.app.get(path)

    headers = [{**response.headers, "X-Request-Id": ""} for response in (head, get)]
    assert (head.body, headers[0]) == (b"", headers[1])


def test_menus_of_today_have_a_content_location(loaded):
    response = loaded.app.get("/dining/menus?meal=0")

    assert response.headers["Content-Location"] == f"/dining/menus?date={TODAY}&meal=0"
    assert loaded.app.get(response.headers["Content-Location"]).body == response.body


def test_the_content_location_includes_the_prefix_of_the_service(loaded):
    response = loaded.app.get("/dining/menus", extra_environ={"SCRIPT_NAME": "/caf\xc3\xa9"})

    assert response.headers["Content-Location"] == f"/caf%C3%A9/dining/menus?date={TODAY}"


def test_menus_of_today_expire_at_midnight(start):
    service = start(**{"clock.frozen_at": f"{TODAY}T23:59:48-05:00"})

    header = service.app.get("/dining/menus").headers["Cache-Control"]

    assert header == "public, max-age=12, stale-while-revalidate=0, stale-if-error=0"


def test_menus_rendered_at_midnight_have_the_date_of_their_request(loaded, wrap):
    clock, store = MidnightClock(TODAY), ResponseStore(1)

    def app(environ, start_response):
        clock.pass_midnight()
        return loaded.cache.app(environ, start_response)

    response = wrap(app, clock=clock, store=store).get("/dining/menus")

    assert {row["date"] for row in response.json} == {TODAY}
    assert response.headers["Content-Location"] == f"/dining/menus?date={TODAY}"
    assert store.get(CacheKey(MENUS, (("date", TODAY),))).body.plain == response.body
    assert len(store) == 1


def test_menus_of_a_date_have_no_content_location(loaded):
    assert "Content-Location" not in loaded.app.get(f"/dining/menus?date={TODAY}").headers


@pytest.mark.parametrize("path", ["/dining/menus?meal=lunch", "/dining/recipes/9999", "/nowhere", "/map/buildings/x"])
def test_errors_are_not_cacheable(loaded, path):
    response = loaded.app.get(path, status="4*")

    assert (response.headers["Cache-Control"], "ETag" in response.headers) == ("no-store", False)


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


def test_a_superseded_response_is_served_stale_if_the_new_one_is_unavailable(loaded, wrap):
    statuses = iter(["200 OK", "503 Service Unavailable"])

    def app(environ, start_response):
        start_response(next(statuses), [("Content-Type", "text/plain")])
        return [b"text"]

    client = wrap(app)
    fresh = client.get("/dining/recipes")
    loaded.serve_dining(serving(1, "Another"))

    stale = client.get("/dining/recipes", status=200)

    assert (stale.body, stale.headers["Age"]) == (fresh.body, "0")
    assert stale.headers["Cache-Status"] == "campus; fwd=stale; detail=superseded"
    assert "Cache-Status" not in fresh.headers
    assert 'campus_cache_requests_total{result="stale"} 1.0' in wrap.metrics.text().decode()


def test_the_age_of_a_superseded_response_counts_from_the_load_that_replaced_it(loaded, wrap):
    statuses = iter(["200 OK", "503 Service Unavailable"])

    def app(environ, start_response):
        start_response(next(statuses), [("Content-Type", "text/plain")])
        return [b"text"]

    client = wrap(app)
    client.get("/dining/recipes")
    publish(loaded.database, plan_dining(loaded.database, [serving(1, "Another")]), [])
    an_hour_ago = datetime.now(UTC) - timedelta(hours=1)
    loaded.database.datasets.update_one({"_id": "dining"}, {"$set": {"loaded_at": an_hour_ago}})
    loaded.revisions.poll()

    stale = client.get("/dining/recipes", status=200)

    assert 3600 <= int(stale.headers["Age"]) < 3700


def test_each_request_has_its_own_id_even_if_cached(loaded):
    ids = [loaded.app.get("/map/buildings/1").headers.getall("X-Request-Id") for _ in range(3)]

    assert [len(response_ids) for response_ids in ids] == [1, 1, 1]
    assert len({id_ for (id_,) in ids}) == 3


@pytest.mark.parametrize(("setting", "lines"), [("true", 1), ("false", 0)])
def test_requests_are_logged_if_the_access_log_is_enabled(start, caplog, setting, lines):
    caplog.set_level("INFO", "campus_api.access")

    start(**{"log.access": setting}).app.get("/dining/recipes")

    assert [hasattr(record, "duration_ms") for record in caplog.records] == [True] * lines
