"""Requests during which something happens: between two queries, a load is published or midnight passes."""

import logging
import time
from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace

import pytest
from pymongo import monitoring

from campus_api.domain.models import NamedEntity
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import TODAY, building, serving
from tests.loaders.live import live_collection

UNCACHED = {"cache.memory_mb": "0"}
MENUS = ["/dining/menus", "/dining/menus.csv", "/dining/menus.ics"]
LISTS = ["/dining/categories", "/dining/locations", "/dining/recipes"]
BUILDINGS = ["/map/buildings", "/map/buildings.geojson", "/map/buildings.csv", "/map/buildings?name=rev"]
ITEMS = ["/dining/recipes/1", "/dining/recipes/1/facts", "/dining/locations/1", "/map/buildings/1"]
DATA = [*MENUS, *LISTS, *BUILDINGS, *ITEMS]


class _Interruption(monitoring.CommandListener):
    """Calls a function before the first query of a collection."""

    def __init__(self):
        self._collection = self._interrupt = None

    def before(self, collection, interrupt):
        self._collection, self._interrupt = collection, interrupt

    def started(self, event):
        if event.command_name in ("find", "aggregate") and event.command[event.command_name] == self._collection:
            self._collection = None
            self._interrupt()

    def succeeded(self, event):
        pass

    def failed(self, event):
        pass


_interruption = _Interruption()
# A client gets the listeners that are registered when it is created.
monitoring.register(_interruption)


@pytest.fixture
def uri(mongod_uri):
    """The URI of an empty database in the real MongoDB: mongomock has no listeners."""
    return mongod_uri


@pytest.fixture
def uncached(start):
    """The service without a cache, with the first revision of both data sets."""
    service = start(**UNCACHED)
    load(service, 1)
    service.revisions.poll()
    return service


def load(service, number):
    """Publish revisions in which every text has this number."""
    database, name = service.database, f"Revision {number}"
    row = replace(serving(1), location=NamedEntity(1, name), category=NamedEntity(1, name), recipe=NamedEntity(1, name))
    publish(database, plan_dining(database, [row]), [])
    publish(database, plan_buildings(database, [building(1, name=name, address=name)]), [])


def drop(service, number):
    for name in ("buildings", "categories", "locations", "recipes", "menus"):
        service.database.drop_collection(f"{name}_{number}")


def representation(response):
    names = ("ETag", "Last-Modified", "Link")
    return response.body, {name: response.headers.get(name) for name in names}


@pytest.mark.parametrize("read_last", ["locations_1", "categories_1"])
@pytest.mark.parametrize("path", ["/dining/menus.csv", "/dining/menus.ics"])
def test_a_response_is_of_one_revision_if_a_load_is_published_between_its_queries(uncached, path, read_last):
    def publish_another():
        load(uncached, 2)
        uncached.revisions.poll()

    before = uncached.app.get(path)
    _interruption.before(read_last, publish_another)

    during = uncached.app.get(path)

    assert b"Revision 1" in before.body
    assert representation(during) == representation(before)
    assert b"Revision 2" in uncached.app.get(path).body


@pytest.mark.parametrize("path", DATA)
def test_last_modified_and_etag_belong_to_the_revision_of_the_body(uncached, path):
    def publish_another():
        load(uncached, 2)
        uncached.revisions.poll()

    before = uncached.app.get(path)
    _interruption.before(
        "buildings_1" if "map" in path else "menus_1" if "menus" in path else "recipes_1", publish_another
    )

    during = uncached.app.get(path)

    assert representation(during) == representation(before)


@pytest.mark.parametrize("path", DATA)
def test_a_revision_that_is_dropped_before_it_is_read_is_replaced_by_the_live_one(uncached, path):
    """As in a process that is paused for longer than superseded revisions are retained."""

    def publish_another():
        load(uncached, 2)
        drop(uncached, 1)

    collection = "buildings" if "map" in path else path.split("/")[2].partition(".")[0]
    _interruption.before(f"{collection}_1", publish_another)

    during = uncached.app.get(path)

    assert b"Revision 2" in during.body
    assert representation(during) == representation(uncached.app.get(path))


@pytest.mark.parametrize("path", DATA)
def test_a_live_collection_that_does_not_exist_is_a_503(uncached, path):
    drop(uncached, 1)

    response = uncached.app.get(path, status=503)

    assert response.headers["Retry-After"]
    assert response.json["detail"] == "The data is being replaced. Try again in a few seconds."


@pytest.mark.parametrize("path", DATA)
def test_a_304_needs_no_query(uncached, path):
    tag = {"If-None-Match": uncached.app.get(path).headers["ETag"]}
    drop(uncached, 1)

    response = uncached.app.get(path, headers=tag, status=304)

    assert (response.body, response.headers["ETag"]) == (b"", tag["If-None-Match"])


def test_data_are_served_again_when_they_are_restored(uncached):
    documents = list(uncached.database.menus_1.find())
    drop(uncached, 1)
    uncached.app.get("/dining/menus", status=503)

    uncached.database.menus_1.insert_many(documents)

    assert [row["name"] for row in uncached.app.get("/dining/menus").json] == ["Revision 1"]


def test_a_collection_that_appears_after_a_query_is_read_again(uncached, start):
    recipes = live_collection(uncached.database, "recipes")
    recipes.rename("other")
    service = start(**UNCACHED)

    def restore():
        uncached.database.other.rename(recipes.name)

    _interruption.before(recipes.name, lambda: _interruption.before(recipes.name, restore))

    assert [row["name"] for row in service.app.get("/dining/recipes").json] == ["Revision 1"]


def test_an_unknown_id_is_a_404_and_no_stale_revision(uncached):
    assert uncached.app.get("/dining/recipes/2", status=404)


def test_menus_that_are_rendered_after_midnight_are_not_fresh(uncached, monkeypatch, start):
    moments = [datetime.fromisoformat(f"{TODAY}T23:59:59.9-05:00").timestamp()]
    monkeypatch.setattr("campus_api.domain.clock.unix_time", lambda: moments[0])
    service = start(**UNCACHED, **{"clock.frozen_at": ""})
    _interruption.before("menus_1", lambda: moments.insert(0, moments[0] + 1))

    response = service.app.get("/dining/menus")

    assert [row["date"] for row in response.json] == [TODAY]
    assert response.headers["Cache-Control"] == "public, max-age=0, stale-while-revalidate=0, stale-if-error=0"


def test_a_live_collection_that_does_not_exist_is_a_warning_until_it_is_restored(start):
    database = start(**UNCACHED).database
    load(SimpleNamespace(database=database), 1)
    live_collection(database, "buildings").rename("elsewhere")
    service = start(**UNCACHED)
    before = service.app.get("/__heartbeat__").json

    database.elsewhere.rename("buildings_1")
    service.revisions.poll()

    assert before["warnings"][0] == "the collection buildings_1, which a record names, does not exist"
    assert service.app.get("/__heartbeat__").json["warnings"] == before["warnings"][1:]


@pytest.fixture
def slow_searches(uri, start):
    """A service whose searches of buildings exceed their time limit."""
    service = start(**UNCACHED, **{"mongo.timeout_ms": "500"})
    load(service, 1)
    slow = {"$function": {"body": "function() { sleep(2000); return true }", "args": [], "lang": "js"}}
    live_collection(service.database, "buildings").drop()
    service.database.fast.insert_one({"_id": 1, "search": {"name": "revision"}})
    pipeline = [{"$match": {"$expr": slow}}]
    service.database.create_collection("buildings_1", viewOn="fast", pipeline=pipeline)
    service.revisions.poll()
    return service


def test_an_expensive_query_is_a_503_of_its_request_alone(slow_searches, caplog):
    service = slow_searches
    caplog.clear()

    response = service.app.get("/map/buildings?name=r", status=503)
    others = [service.app.get(path).status_int for path in LISTS]

    assert response.json["detail"] == "The query took too long. Try again in a few seconds, or narrow it down."
    assert others == [200, 200, 200]
    assert service.app.get("/__heartbeat__").json["database"] == "up"
    [record] = [record for record in caplog.records if record.levelno >= logging.WARNING]
    shape = "A query exceeded its time limit: buildings {'search.name': {'$in': '1 values'}}"
    assert record.getMessage().startswith(shape)


def test_an_expensive_query_is_logged_once_however_often_it_is_requested(slow_searches, caplog):
    caplog.clear()

    for _ in range(3):
        slow_searches.app.get("/map/buildings?name=r", status=503)

    assert len([record for record in caplog.records if record.levelno >= logging.WARNING]) == 1


def test_a_process_that_has_not_polled_for_long_polls_before_it_reads(start, monkeypatch):
    service = start(**UNCACHED, **{"mongo.uri": "mongomock://"})
    load(service, 1)
    service.revisions.poll()
    load(service, 2)

    soon = service.app.get("/dining/recipes").json
    monkeypatch.setattr("campus_api.db.revisions.monotonic", lambda: time.monotonic() + 6)
    later = service.app.get("/dining/recipes").json

    assert [soon[0]["name"], later[0]["name"]] == ["Revision 1", "Revision 2"]
