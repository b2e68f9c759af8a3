"""A service whose cache is warm, on a MongoDB that a test may stop and kill."""

import json
from contextlib import contextmanager

from pymongo import MongoClient

from loaders.publishing.plan import plan_buildings, plan_dining
from loaders.publishing.publish import publish
from tests.factories import NOON, TODAY, building, serving
from tests.service.mongod import Mongod
from tests.service.processes import IMPATIENT, ROOT, fetch, start_server, wait_for

TOMORROW = "2026-11-21"
# The four lists, and the menus of today and tomorrow.
WARMED_UP = 6


@contextmanager
def filled(folder):
    """Yield a mongod with data."""
    mongod = Mongod(folder)
    try:
        with MongoClient(mongod.uri(), tz_aware=True) as client:
            database = client.get_default_database()
            publish(database, plan_buildings(database, [building(id_) for id_ in range(1, 4)]), [])
            servings = [serving(date=TODAY), serving(2, "Soup", date=TOMORROW)]
            publish(database, plan_dining(database, servings), [])
            # On the disk before somebody kills it.
            client.admin.command("fsync")
        yield mongod
    finally:
        mongod.kill()


def health(server):
    return json.loads(fetch(f"{server.url}/__heartbeat__").body)


def ready(spawn, mongod):
    """Return a service that has warmed up its cache, and was asked for one building."""
    ini = ROOT / "production.ini"
    server = start_server(spawn, ini, CAMPUS_MONGO_URI=mongod.uri(), CAMPUS_CLOCK_FROZEN_AT=NOON, **IMPATIENT)
    assert fetch(f"{server.url}/map/buildings/1").status == 200
    wait_for(lambda: health(server)["cache"]["entries"] == WARMED_UP + 1)
    return server
