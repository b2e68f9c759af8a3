"""Responses that are cached before the first request."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from campus_api.catalog import MENUS
from campus_api.domain.clock import Clock
from campus_api.http.cache import ResponseCache
from campus_api.http.cache_key import CacheKey
from campus_api.http.store import ResponseStore
from tests.factories import NOON, TODAY, building, row, serving

TOMORROW = "2026-11-21"
LISTS = ["/dining/categories", "/dining/locations", "/dining/recipes", "/map/buildings"]
MENUS_OF = {date: CacheKey(MENUS, (("date", date),)) for date in (TODAY, TOMORROW)}


@pytest.mark.parametrize("key", [*map(CacheKey, LISTS), *MENUS_OF.values()], ids=str)
def test_lists_and_menus_are_cached_before_the_first_request(service, key):
    service.cache.warm_up()

    assert service.cache.store.get(key).body.plain == b"[]"


def test_a_warm_up_after_a_load_replaces_the_responses(service):
    service.cache.warm_up()
    service.serve_dining(serving(1, date=TOMORROW))
    service.serve_buildings(building(1))

    service.cache.warm_up()

    responses = [service.cache.store.get(key) for key in (MENUS_OF[TOMORROW], CacheKey("/map/buildings"))]
    assert [response.body.plain == b"[]" for response in responses] == [False, False]
    assert service.app.get(f"/dining/menus?date={TOMORROW}").json == [row(1, date=TOMORROW)]


def test_a_warm_up_without_changes_renders_nothing(service):
    service.cache.warm_up()
    before = service.cache.store.get(CacheKey("/dining/recipes"))

    service.cache.warm_up()

    assert service.cache.store.get(CacheKey("/dining/recipes")) is before


def test_nothing_is_rendered_if_the_cache_is_disabled(start):
    service = start(**{"cache.memory_mb": "0"})

    service.cache.warm_up()

    assert len(service.cache.store) == 0


def test_warmed_up_responses_are_not_evicted(start):
    service = start(**{"cache.memory_mb": "1"})
    service.serve_buildings(*(building(id_, name="Widener Library") for id_ in range(1, 201)))
    service.cache.warm_up()

    for number in range(40):
        service.app.get(f"/map/buildings?name=library&name={number}")

    store = service.cache.store
    assert store.get(CacheKey("/map/buildings", (("name", "0"), ("name", "library")))) is None
    assert all(store.get(key) for key in [*map(CacheKey, LISTS), *MENUS_OF.values()])


def test_a_failed_response_is_rendered_by_the_next_warm_up(service):
    failing = {"/dining/recipes"}

    def app(environ, start_response):
        status = "503 Service Unavailable" if environ["PATH_INFO"] in failing else "200 OK"
        start_response(status, [("Content-Type", "text/plain")])
        return [b"text"]

    clock, store = Clock(ZoneInfo("America/New_York"), datetime.fromisoformat(NOON)), ResponseStore(1)
    cache = ResponseCache(app, {}, service.revisions, store, clock, max_age=60)
    cache.warm_up()
    failing.clear()

    cache.warm_up()

    assert store.get(CacheKey("/dining/recipes")).body.plain == b"text"
