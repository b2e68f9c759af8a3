"""The answers that are made before anybody asks."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from campus_api.domain.clock import Clock
from campus_api.http.cache import ResponseCache
from campus_api.http.cache_key import MENUS, CacheKey
from campus_api.http.lru import LRUCache
from campus_api.monitoring.health import Health
from campus_api.monitoring.metrics import Metrics
from tests.factories import NOON, TODAY, building, row, serving

TOMORROW = "2026-11-21"
LISTS = ["/dining/categories", "/dining/locations", "/dining/recipes", "/map/buildings"]
MENUS_OF = {date: CacheKey(MENUS, (("date", date),)) for date in (TODAY, TOMORROW)}


@pytest.mark.parametrize("asked", [*map(CacheKey, LISTS), *MENUS_OF.values()], ids=str)
def test_lists_and_menus_are_there_before_anybody_asks(service, asked):
    service.answers.warm_up()

    assert service.answers.cache.get(asked).body == b"[]"


def test_after_a_load_they_are_made_anew(service):
    service.answers.warm_up()
    service.serve_dining(serving(1, date=TOMORROW))
    service.serve_buildings(building(1))

    service.answers.warm_up()

    answers = [service.answers.cache.get(asked) for asked in (MENUS_OF[TOMORROW], CacheKey("/map/buildings"))]
    assert [answer.body == b"[]" for answer in answers] == [False, False]
    assert service.app.get(f"/dining/menus?date={TOMORROW}").json == [row(1, date=TOMORROW)]


def test_while_nothing_changes_they_are_not_made_again(service):
    service.answers.warm_up()
    before = service.answers.cache.get(CacheKey("/dining/recipes"))

    service.answers.warm_up()

    assert service.answers.cache.get(CacheKey("/dining/recipes")) is before


def test_nothing_is_prepared_when_nothing_is_kept(start):
    service = start(**{"cache.memory_mb": "0"})

    service.answers.warm_up()

    assert len(service.answers.cache) == 0


def test_prepared_responses_stay_whatever_else_is_requested(start):
    service = start(**{"cache.memory_mb": "1"})
    service.serve_buildings(*(building(id_, name="Widener Library") for id_ in range(1, 201)))
    service.answers.warm_up()

    for number in range(40):
        service.app.get(f"/map/buildings?name=library&name={number}")

    kept = service.answers.cache
    assert kept.get(CacheKey("/map/buildings", (("name", "0"), ("name", "library")))) is None
    assert all(kept.get(asked) for asked in [*map(CacheKey, LISTS), *MENUS_OF.values()])


def test_what_could_not_be_prepared_is_prepared_the_next_time(service):
    failing = {"/dining/recipes"}

    def app(environ, start_response):
        status = "503 Service Unavailable" if environ["PATH_INFO"] in failing else "200 OK"
        start_response(status, [("Content-Type", "text/plain")])
        return [b"text"]

    clock, kept = Clock(ZoneInfo("America/New_York"), datetime.fromisoformat(NOON)), LRUCache(1)
    metrics = Metrics(Health(service.revisions, kept, clock))
    answers = ResponseCache(app, service.revisions, kept, metrics, clock, max_age=60)
    answers.warm_up()
    failing.clear()

    answers.warm_up()

    assert kept.get(CacheKey("/dining/recipes")).body == b"text"
