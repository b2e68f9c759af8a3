"""A service with a warm cache, on a mongod that a test may pause or kill."""

import json
from contextlib import contextmanager

from pymongo import MongoClient

from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import NOON, TODAY, building, serving
from tests.service.mongod import Mongod
from tests.service.processes import IMPATIENT, ROOT, fetch, start_server, wait_for

TOMORROW = "2026-11-21"
# The entries of the warm-up: four lists, and the menus, dishes and hours of today and tomorrow.
WARM_ENTRIES = 10


@contextmanager
def mongod_with_data(folder):
    """Yield a mongod with data."""
    mongod = Mongod(folder)
    try:
        with MongoClient(mongod.uri(), tz_aware=True) as client:
            database = client.get_default_database()
            publish(database, plan_buildings(database, [building(id_) for id_ in range(1, 4)]), [])
            servings = [serving(date=TODAY), serving(2, "Soup", date=TOMORROW)]
            publish(database, plan_dining(database, servings), [])
            # Flush to disk before a test kills it.
            client.admin.command("fsync")
        yield mongod
    finally:
        mongod.kill()


def health(server):
    return json.loads(fetch(f"{server.url}/__heartbeat__").body)


def start_warm_server(spawn, mongod):
    """Start a service with a warm cache that also contains one building."""
    ini = ROOT / "production.ini"
    server = start_server(spawn, ini, CAMPUS_MONGO_URI=mongod.uri(), CAMPUS_CLOCK_FROZEN_AT=NOON, **IMPATIENT)
    wait_for(lambda: fetch(f"{server.url}/map/buildings/1").status == 200)
    wait_for(lambda: health(server)["cache"]["entries"] == WARM_ENTRIES + 1)
    return server
