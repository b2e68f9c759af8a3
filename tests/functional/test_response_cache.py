"""What makes answers fast and cacheable: validators, compression, memory."""

import gzip
import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from webob import Request
from webtest import TestApp

from campus_api.domain.clock import Clock
from campus_api.http.cache import ResponseCache
from campus_api.http.cache_key import MENUS, CacheKey
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
    """A clock that passes midnight when told."""

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
def test_an_answer_has_validators_and_may_be_kept(loaded, path):
    headers = loaded.app.get(path).headers

    assert re.fullmatch(r'W/"[0-9a-f]{24}"', headers["ETag"])
    assert headers["Last-Modified"].endswith(" GMT")
    assert headers["Vary"] == ("Accept, Accept-Encoding" if path.startswith("/map/") else "Accept-Encoding")
    assert headers["Cache-Control"] == "public, max-age=60, stale-while-revalidate=60, stale-if-error=" + (
        "43140" if path == "/dining/menus" else "86400"
    )


def test_the_time_that_caches_may_keep_answers_is_a_setting(start):
    headers = start(**{"cache.max_age": "5"}).app.get("/map/buildings").headers

    assert headers["Cache-Control"].startswith("public, max-age=5, ")


@pytest.mark.parametrize("path", PATHS)
def test_who_has_the_answer_gets_a_304(loaded, path):
    first = loaded.app.get(path)

    again = loaded.app.get(path, headers={"If-None-Match": first.headers["ETag"]}, status=304)

    kept = ("ETag", "Last-Modified", "Vary", "Cache-Control", "Access-Control-Allow-Origin", "Content-Location")
    assert again.body == b""
    assert [again.headers.get(name) for name in kept] == [first.headers.get(name) for name in kept]


@pytest.mark.parametrize("path", PATHS)
def test_who_has_any_answer_gets_a_304_where_there_is_one(loaded, path):
    any_answer = {"If-None-Match": "*"}
    first = loaded.app.get(path, headers=any_answer, status=304)

    again = loaded.app.get(path, headers=any_answer, status=304)

    assert (first.body, again.body) == (b"", b"")
    assert first.headers["ETag"] == again.headers["ETag"] == loaded.app.get(path).headers["ETag"]


@pytest.mark.parametrize(("path", "status"), [("/map/buildings/99", 404), ("/dining/menus?meal=lunch", 400)])
def test_who_has_any_answer_is_told_where_there_is_none(loaded, path, status):
    loaded.app.get(path, headers={"If-None-Match": "*"}, status=status)


def test_who_has_another_answer_gets_the_right_one(loaded):
    tag = loaded.app.get("/map/buildings/2").headers["ETag"]

    assert loaded.app.get("/map/buildings/1", headers={"If-None-Match": tag}, status=200).json["id"] == 1


def test_a_load_changes_the_tags_of_its_data_set_only(loaded):
    before = [loaded.app.get(path).headers["ETag"] for path in ("/map/buildings", "/dining/recipes")]

    loaded.serve_dining(serving(1, "Another"))

    after = [loaded.app.get(path).headers["ETag"] for path in ("/map/buildings", "/dining/recipes")]
    assert (before[0] == after[0], before[1] == after[1]) == (True, False)


@pytest.mark.parametrize("memory", ["64", "0"])
def test_a_load_is_seen(start, memory):
    service = start(**{"cache.memory_mb": memory})
    service.serve_dining(serving(1, "Rice"))
    before = service.app.get("/dining/recipes")

    service.serve_dining(serving(1, "Soup"))

    after = service.app.get("/dining/recipes", headers={"If-None-Match": before.headers["ETag"]})
    assert (before.json, after.json) == ([{"id": 1, "name": "Rice"}], [{"id": 1, "name": "Soup"}])


def as_sent(service, path, **headers):
    """Return the answer as it is on the wire; WebTest would unpack it."""
    return Request.blank(path, headers=headers).get_response(service.app.app)


@pytest.mark.parametrize("path", ["/map/buildings", "/dining/menus"])
def test_compressed_an_answer_says_the_same(loaded, path):
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

    headers = [{**answer.headers, "X-Request-Id": ""} for answer in (head, get)]
    assert (head.body, headers[0]) == (b"", headers[1])


def test_menus_of_today_say_where_they_stay(loaded):
    answer = loaded.app.get("/dining/menus?meal=0")

    assert answer.headers["Content-Location"] == f"/dining/menus?date={TODAY}&meal=0"
    assert loaded.app.get(answer.headers["Content-Location"]).body == answer.body


def test_menus_of_today_are_located_below_the_prefix_of_the_service(loaded):
    response = loaded.app.get("/dining/menus", extra_environ={"SCRIPT_NAME": "/caf\xc3\xa9"})

    assert response.headers["Content-Location"] == f"/caf%C3%A9/dining/menus?date={TODAY}"


def test_menus_of_today_are_of_no_use_after_midnight(start):
    service = start(**{"clock.frozen_at": f"{TODAY}T23:59:48-05:00"})

    header = service.app.get("/dining/menus").headers["Cache-Control"]

    assert header == "public, max-age=12, stale-while-revalidate=0, stale-if-error=0"


def test_menus_rendered_at_midnight_are_of_the_date_of_their_request(loaded, wrap):
    clock, store = MidnightClock(TODAY), ResponseStore(1)

    def app(environ, start_response):
        clock.pass_midnight()
        return loaded.cache.app(environ, start_response)

    response = wrap(app, clock=clock, store=store).get("/dining/menus")

    assert {row["date"] for row in response.json} == {TODAY}
    assert response.headers["Content-Location"] == f"/dining/menus?date={TODAY}"
    assert store.get(CacheKey(MENUS, (("date", TODAY),))).body.plain == response.body
    assert len(store) == 1


def test_menus_of_a_date_say_no_other_place(loaded):
    assert "Content-Location" not in loaded.app.get(f"/dining/menus?date={TODAY}").headers


@pytest.mark.parametrize("path", ["/dining/menus?meal=lunch", "/dining/recipes/9999", "/nowhere", "/map/buildings/x"])
def test_errors_are_not_kept(loaded, path):
    answer = loaded.app.get(path, status="4*")

    assert (answer.headers["Cache-Control"], "ETag" in answer.headers) == ("no-store", False)


def failing(environ, start_response):
    raise LookupError("s3cret")


def started_and_failing(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    raise LookupError("s3cret")


@pytest.mark.parametrize("path", ["/nowhere", "/dining/recipes"])
@pytest.mark.parametrize("app", [failing, started_and_failing])
def test_what_fails_around_the_views_is_a_problem_500_too(caplog, wrap, app, path):
    answer = wrap(app).get(path, headers={"X-Request-Id": "monday"}, status=500)

    assert answer.json["detail"] == "The request failed. The error was logged as monday."
    assert ("s3cret" in answer.text, "s3cret" in caplog.text) == (False, True)
    assert {name: answer.headers[name] for name in ("Content-Type", "X-Request-Id", "Cache-Control")} == {
        "Content-Type": "application/problem+json",
        "X-Request-Id": "monday",
        "Cache-Control": "no-store",
    }
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_what_fails_around_the_views_has_a_line(caplog, wrap):
    caplog.set_level("INFO", "campus_api.access")

    wrap(failing, access_log=True).get("/", status=500)

    assert [record.status for record in caplog.records if hasattr(record, "duration_ms")] == [500]


class _Body(list):
    """A body that knows whether it was closed."""

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


def test_a_response_of_the_revision_before_is_stale_while_the_next_one_is_unavailable(loaded, wrap):
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


def test_an_id_is_on_its_own_answer_only(loaded):
    ids = [loaded.app.get("/map/buildings/1").headers.getall("X-Request-Id") for _ in range(3)]

    assert [len(of_answer) for of_answer in ids] == [1, 1, 1]
    assert len({id_ for (id_,) in ids}) == 3


@pytest.mark.parametrize(("setting", "lines"), [("true", 1), ("false", 0)])
def test_a_line_is_logged_for_a_request_when_it_is_asked_for(start, caplog, setting, lines):
    caplog.set_level("INFO", "campus_api.access")

    start(**{"log.access": setting}).app.get("/dining/recipes")

    assert [hasattr(record, "duration_ms") for record in caplog.records] == [True] * lines
