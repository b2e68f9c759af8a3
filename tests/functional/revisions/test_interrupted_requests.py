"""Requests during which something happens: between two queries, a load is published or midnight passes."""

import logging
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count

import pytest

from campus_api.domain.models import NamedEntity
from tests.factories import building, serving
from tests.functional.service import Service
from tests.loaders.interruptions import interrupted
from tests.loaders.live import live_collection
from tests.publishing import publish_buildings, publish_dining

UNCACHED = {"cache.memory_mb": "0"}
COLLECTIONS = ("buildings", "categories", "locations", "recipes", "menus")
# Each path with the collection before whose query a load may be published.
READS = {
    **dict.fromkeys(("/dining/menus", "/dining/menus.csv", "/dining/menus.ics"), "menus"),
    "/dining/categories": "categories",
    **dict.fromkeys(("/dining/recipes", "/dining/recipes/1/facts"), "recipes"),
    **dict.fromkeys(("/map/buildings", "/map/buildings.geojson", "/map/buildings.csv"), "buildings"),
    **dict.fromkeys(("/map/buildings?name=rev", "/map/buildings/1"), "buildings"),
}
# Of what is read once per revision.
NAMED = ("/dining/categories/1", "/dining/locations", "/dining/locations/1", "/dining/recipes/1", "/search?q=revision")
_numbers = count(1)


@pytest.fixture(scope="module")
def module_service(uri):
    service = Service(uri, **UNCACHED)
    yield service
    service.close()


@pytest.fixture
def uncached(service):
    """The service without a cache, with both data sets."""
    load(service)
    service.revisions.poll()
    return service


def load(service):
    """Publish revisions of both data sets in which every text is this new name, and return it."""
    database, entity = service.database, NamedEntity(1, f"Revision {next(_numbers)}")
    row = replace(serving(1), location=entity, category=entity, recipe=entity)
    publish_dining(database, [row])
    publish_buildings(database, [building(1, name=entity.name, address=entity.name)])
    return entity.name


def drop(service):
    """Drop all live collections."""
    for name in COLLECTIONS:
        live_collection(service.database, name).drop()


def get_interrupted(service, path, name, action):
    """Return the response to a request before whose queries of a live collection a function is called."""
    command = "aggregate" if name == "menus" else "find"
    with interrupted(action, command, live_collection(service.database, name).name):
        return service.app.get(path)


def representation(response):
    return response.body, {name: response.headers.get(name) for name in ("ETag", "Last-Modified", "Link")}


def test_a_response_is_of_one_revision_if_a_load_is_published_between_its_queries(uncached):
    def publish_another():
        load(uncached)
        uncached.revisions.poll()

    for path, name in READS.items():
        before = uncached.app.get(path)
        during = get_interrupted(uncached, path, name, publish_another)
        assert representation(during) == representation(before), path
        assert representation(uncached.app.get(path)) != representation(before), path


def test_names_are_read_once_per_revision(uncached):
    before = {path: uncached.app.get(path).json for path in NAMED}
    drop(uncached)
    for path in NAMED:
        assert uncached.app.get(path).json == before[path], path
    for path in ("/dining/categories/2", "/dining/locations/2", "/dining/recipes/2"):
        uncached.app.get(path, status=404)

    name = load(uncached)
    uncached.revisions.poll()

    for path in NAMED:
        assert name in uncached.app.get(path).text, path


def test_a_revision_that_is_dropped_before_it_is_read_is_replaced_by_the_live_one(uncached):
    # As in a process that is paused for longer than superseded revisions are retained.
    names = []

    def publish_another():
        obsolete = [live_collection(uncached.database, name) for name in COLLECTIONS]
        names.append(load(uncached))
        for collection in obsolete:
            collection.drop()

    for path, name in READS.items():
        during = get_interrupted(uncached, path, name, publish_another)
        assert names[-1].encode() in during.body, path
        assert representation(during) == representation(uncached.app.get(path)), path


def test_a_slow_response_does_not_replace_that_of_the_next_revision(uncached, start):
    service, path, after = start(), "/map/buildings/1", []

    def publish_another():
        load(uncached)
        service.revisions.poll()
        after.append(service.app.get(path))

    get_interrupted(service, path, "buildings", publish_another)
    drop(service)

    assert representation(service.app.get(path)) == representation(after[0])


def test_a_live_collection_that_does_not_exist_is_a_503(uncached):
    tags = {path: {"If-None-Match": uncached.app.get(path).headers["ETag"]} for path in READS}
    drop(uncached)

    for path, tag in tags.items():
        response = uncached.app.get(path, status=503)
        assert response.headers["Retry-After"], path
        assert response.json["detail"] == "The data is being replaced. Try again in a few seconds.", path
        # A 304 needs no query.
        assert uncached.app.get(path, headers=tag, status=304).headers["ETag"] == tag["If-None-Match"], path


def test_a_collection_that_appears_after_a_query_is_read_again(uncached, start):
    before = uncached.app.get("/dining/recipes")
    recipes = live_collection(uncached.database, "recipes")
    name = recipes.name
    recipes.rename("other")
    # Its first poll finds no recipes, which lists of buildings do not need.
    service = start(**UNCACHED)
    assert len(service.app.get("/map/buildings?name=revision").json) == 1

    def restore():
        if "other" in uncached.database.list_collection_names():
            uncached.database.other.rename(name)

    # After a query, $collStats says whether the collection exists.
    with interrupted(restore, "aggregate", name):
        after = service.app.get("/dining/recipes")

    assert after.json == before.json


def test_menus_that_are_rendered_after_midnight_are_not_fresh_and_those_of_the_date_before(monkeypatch, start):
    moments = [datetime.fromisoformat("2020-11-20T23:59:59.9-05:00").timestamp()]
    monkeypatch.setattr("campus_api.domain.clock.unix_time", lambda: moments[0])
    service = start(**UNCACHED, **{"clock.frozen_at": ""})
    service.serve_dining(serving(date="2020-11-20"))
    service.set_loaded_at("dining", datetime.fromtimestamp(0, UTC))

    response = get_interrupted(service, "/dining/menus", "menus", lambda: moments.insert(0, moments[0] + 1))

    assert [row["date"] for row in response.json] == ["2020-11-20"]
    assert response.headers["Cache-Control"] == "public, max-age=0, stale-while-revalidate=0, stale-if-error=0"
    assert response.headers["Last-Modified"] == "Fri, 20 Nov 2020 05:00:00 GMT"


def test_a_live_collection_that_does_not_exist_is_a_warning_until_it_is_restored(uncached, start):
    buildings = live_collection(uncached.database, "buildings")
    name = buildings.name
    buildings.rename("elsewhere")
    service = start(**UNCACHED)
    before = service.app.get("/__heartbeat__").json

    uncached.database.elsewhere.rename(name)
    service.revisions.poll()

    assert before["warnings"][0] == f"the collection {name} of a live revision does not exist"
    assert service.app.get("/__heartbeat__").json["warnings"] == before["warnings"][1:]


@pytest.fixture
def slow_searches(uncached, start):
    """A service whose searches of buildings never end."""
    database, buildings = uncached.database, live_collection(uncached.database, "buildings")
    slow = {"$function": {"body": "function() { while (true) {} }", "args": [], "lang": "js"}}
    buildings.drop()
    database.fast.insert_one({"search": {"name": "revision"}})
    database.create_collection(buildings.name, viewOn="fast", pipeline=[{"$match": {"$expr": slow}}])
    yield start(**UNCACHED, **{"mongo.timeout_ms": "2000"})
    database.fast.drop()


def test_an_expensive_query_is_a_503_of_its_request_alone(slow_searches, caplog):
    caplog.clear()
    queries, name = [], live_collection(slow_searches.database, "buildings").name

    for _ in range(2):
        with interrupted(lambda: queries.append(1), "find", name):
            detail = slow_searches.app.get("/map/buildings?name=r", status=503).json["detail"]
        assert detail == "The query took too long. Try again in a few seconds, or narrow it down."
    assert len(queries) == 2

    for path in ("/dining/categories", "/dining/locations", "/dining/recipes"):
        assert slow_searches.app.get(path, status="*").status_int == 200, path
    assert slow_searches.app.get("/__heartbeat__").json["database"] == "up"
    # Once, however often it is requested.
    [record] = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert record.getMessage().startswith("A query exceeded its time limit: buildings: ")


def test_a_process_that_has_not_polled_for_long_polls_before_it_reads(monkeypatch):
    seconds = [0]
    monkeypatch.setattr("campus_api.db.revisions.monotonic", lambda: seconds[0])
    # In memory, it polls only when a test does.
    service = Service("mongomock://", **UNCACHED)
    first = load(service)
    service.revisions.poll()
    second = load(service)

    soon = service.app.get("/dining/recipes").json
    seconds[0] = 6
    later = service.app.get("/dining/recipes").json

    assert [soon[0]["name"], later[0]["name"]] == [first, second]
