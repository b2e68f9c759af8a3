"""Responses that are rendered before the first request, as after each poll of MongoDB."""

import re
from datetime import datetime

import pytest

from tests.factories import TODAY, TOMORROW, row, serving
from tests.loaders.live import live_collection

PATHS = [
    *("/dining/categories", "/dining/locations", "/dining/recipes", "/map/buildings"),
    *(f"/dining/{name}?date={date}" for name in ("menus", "dishes", "hours") for date in (TODAY, TOMORROW)),
]


@pytest.fixture
def service(start):
    """A new service, which has not rendered anything."""
    return start()


def hits(service):
    return service.metric("campus_cache_requests_total", result="hit")


def test_lists_and_menus_are_cached_before_the_first_request(service):
    service.cache.warm_up()

    bodies = [service.app.get(path).json for path in PATHS]

    assert (bodies, len(service.cache.store), hits(service)) == ([[]] * len(PATHS), len(PATHS), len(PATHS))


def test_a_warm_up_after_a_load_replaces_the_responses(service):
    service.cache.warm_up()
    service.serve_dining(serving(1, date=TOMORROW))

    service.cache.warm_up()

    assert service.app.get(f"/dining/menus?date={TOMORROW}").json == [row(1, date=TOMORROW)]
    assert hits(service) == 1


def test_the_warm_up_after_midnight_renders_the_menus_of_the_next_day(start, monkeypatch):
    moments = [datetime.fromisoformat(f"{TODAY}T23:59:59-05:00").timestamp()]
    monkeypatch.setattr("campus_api.domain.clock.unix_time", lambda: moments[-1])
    service = start(**{"clock.frozen_at": ""})
    service.cache.warm_up()

    moments.append(moments[0] + 1)
    service.cache.warm_up()

    service.app.get("/dining/menus?date=2026-11-22")
    assert hits(service) == 1


def test_a_warm_up_renders_nothing_without_changes_or_a_cache(start, caplog):
    for memory in ("64", "0"):
        service = start(**{"cache.memory_mb": memory})
        service.serve_dining(serving(1))
        if memory != "0":
            service.cache.warm_up()
        # Whatever renders them would log an error.
        live_collection(service.database, "menus").drop()

        service.cache.warm_up()

        assert caplog.records == [], memory


def test_responses_larger_than_the_cache_are_rendered_once_with_a_warning(start, caplog):
    service = start(**{"cache.memory_mb": "1"})
    service.serve_dining(*(serving(recipe, f"{recipe:1000}") for recipe in range(1, 1001)))
    service.cache.warm_up()
    live_collection(service.database, "menus").drop()

    service.cache.warm_up()

    [warning] = caplog.messages
    assert re.fullmatch("cache.memory_mb is too small for .*/dining/recipes.*: every request renders it", warning)


def test_a_failed_response_is_rendered_by_the_next_warm_up(service):
    service.serve_dining(serving(1, "Rice"))
    recipes = live_collection(service.database, "recipes")
    name = recipes.name
    recipes.rename("other")
    service.cache.warm_up()

    service.database.other.rename(name)
    service.revisions.poll()
    service.cache.warm_up()

    assert service.app.get("/dining/recipes").json == [{"id": 1, "name": "Rice"}]
    assert hits(service) == 1
