"""Responses that are cached before the first request."""

import re

import pytest

from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.publish import publish
from tests.factories import TODAY, building, row, serving
from tests.loaders.live import live_collection
from tests.processes.commands import wait_for

TOMORROW = "2026-11-21"
PATHS = [
    "/dining/categories",
    "/dining/locations",
    "/dining/recipes",
    "/map/buildings",
    f"/dining/menus?date={TODAY}",
    f"/dining/menus?date={TOMORROW}",
    f"/dining/dishes?date={TODAY}",
    f"/dining/dishes?date={TOMORROW}",
    f"/dining/hours?date={TODAY}",
    f"/dining/hours?date={TOMORROW}",
]
SIZE = "campus_cache_size_bytes"
ENTRIES = "campus_cache_entries"
HITS = 'campus_cache_requests_total{result="hit"}'


@pytest.fixture
def uri(mongod_uri):
    """The URI of an empty database in the real MongoDB: the service does not poll mongomock."""
    return mongod_uri


def metric(service, name):
    match = re.search(rf"^{re.escape(name)} (.*)$", service.app.get("/__metrics__").text, re.MULTILINE)
    return float(match[1]) if match else 0


def warmed_up(service):
    wait_for(lambda: metric(service, ENTRIES) >= len(PATHS))
    return service


def queries(service, collection):
    return service.database.system.profile.count_documents({"command.find": collection})


def test_lists_and_menus_are_cached_before_the_first_request(start):
    service = warmed_up(start())

    bodies = [service.app.get(path).json for path in PATHS]

    assert (bodies, metric(service, HITS)) == ([[]] * len(PATHS), len(PATHS))


def test_a_poll_after_a_warm_up_logs_no_request_id(start, caplog):
    service = warmed_up(start())

    service.database.datasets.insert_one({"_id": "dining"})

    wait_for(lambda: caplog.records)
    assert [getattr(record, "request_id", None) for record in caplog.records] == [None]


def test_a_warm_up_after_a_load_replaces_the_responses(start):
    service = warmed_up(start())
    size = metric(service, SIZE)

    publish(service.database, plan_dining(service.database, [serving(1, date=TOMORROW)]), [])

    wait_for(lambda: metric(service, SIZE) > size)
    assert service.app.get(f"/dining/menus?date={TOMORROW}").json == [row(1, date=TOMORROW)]
    assert metric(service, HITS) == 1


def test_a_warm_up_without_changes_renders_nothing(start, mongod_database):
    publish(mongod_database, plan_dining(mongod_database, [serving(1)]), [])
    mongod_database.command("profile", 2)
    service = warmed_up(start())

    polls = queries(service, "datasets")
    wait_for(lambda: queries(service, "datasets") > polls + 1)

    mongod_database.command("profile", 0)
    # By the first poll, for the list and for the dishes of today.
    assert queries(service, "recipes_1") == 3


def test_responses_larger_than_the_cache_are_rendered_once(start, mongod_database):
    servings = [serving(recipe, f"{recipe:1000}") for recipe in range(1, 1001)]
    publish(mongod_database, plan_dining(mongod_database, servings), [])
    mongod_database.command("profile", 2)
    service = start(**{"cache.memory_mb": "1"})
    # By the first poll, for the list and for the dishes of today.
    wait_for(lambda: queries(service, "recipes_1") == 3)

    polls = queries(service, "datasets")
    wait_for(lambda: queries(service, "datasets") > polls + 2)

    mongod_database.command("profile", 0)
    assert queries(service, "recipes_1") == 3


def test_nothing_is_rendered_if_the_cache_is_disabled(start, mongod_database):
    mongod_database.command("profile", 2)
    service = start(**{"cache.memory_mb": "0"})
    service.serve_dining(serving(1))

    wait_for(lambda: queries(service, "datasets") > 3)

    service.database.command("profile", 0)
    assert metric(service, ENTRIES) == 0
    # By the first poll.
    assert queries(service, "categories_1") == 1


def test_warmed_up_responses_are_not_evicted(start):
    service = warmed_up(start(**{"cache.memory_mb": "1"}))
    size = metric(service, SIZE)
    service.serve_buildings(*(building(id_, name="Widener Library") for id_ in range(1, 201)))
    wait_for(lambda: metric(service, SIZE) > size)

    for number in range(40):
        service.app.get(f"/map/buildings?name=library&name={number}")
    for path in PATHS:
        service.app.get(path)

    assert metric(service, ENTRIES) < 40
    assert metric(service, HITS) == len(PATHS)


def test_a_failed_response_is_rendered_by_the_next_warm_up(start, mongod_database):
    publish(mongod_database, plan_dining(mongod_database, [serving(1, "Rice")]), [])
    recipes = live_collection(mongod_database, "recipes")
    recipes.rename("other")
    service = start()
    wait_for(lambda: metric(service, ENTRIES) == len(PATHS) - 3)

    # At once, with all documents.
    mongod_database.other.rename(recipes.name)

    wait_for(lambda: metric(service, ENTRIES) == len(PATHS))
    assert service.app.get("/dining/recipes").json == [{"id": 1, "name": "Rice"}]
    assert metric(service, HITS) == 1
