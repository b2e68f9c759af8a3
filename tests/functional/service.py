"""The service in this process, with a client and a database in which tests publish revisions."""

from webtest import TestApp

import campus_api
from campus_api.db.connection import DATASETS
from tests.factories import NOON, facts, serving
from tests.loaders.live import live_collection
from tests.publishing import publish_buildings, publish_dining


class Service:
    """The service with these settings; `cache` is its response cache, around the Pyramid application."""

    def __init__(self, uri, **settings):
        wsgi = campus_api.main(
            {}, **{"mongo.uri": uri, "mongo.timeout_ms": "10000", "clock.frozen_at": NOON, **settings}
        )
        self.app = _Client(wsgi)
        self.cache = wsgi.cache
        self.revisions = self.cache.app.registry["revisions"]
        self.database = self.revisions.database
        if uri.startswith("mongomock"):
            # mongomock is not safe for threads: it lists collections while the service polls them.
            self.revisions.close()

    def close(self):
        self.revisions.close()

    def forget_revisions(self):
        """Return to the state before the first load."""
        self.database[DATASETS].delete_many({})
        self.revisions.poll()

    def set_loaded_at(self, dataset, time):
        self.database[DATASETS].update_one({"_id": dataset}, {"$set": {"loaded_at": time}})
        self.revisions.poll()

    def metric(self, name, **labels):
        """Return the value of a metric, None if it is missing."""
        selector = ",".join(f'{key}="{value}"' for key, value in labels.items())
        lines = self.app.get("/__metrics__").text.splitlines()
        values = [line.rpartition(" ")[2] for line in lines if line.startswith((f"{name} ", f"{name}{{{selector}}} "))]
        return float(values[0]) if values else None

    def serve_buildings(self, *buildings):
        publish_buildings(self.database, buildings)
        self.revisions.poll()

    def serve_dining(self, *servings, facts=None, halls=None, file="menus.csv"):
        sources = [{"file": file, "sha256": ""}]
        publish_dining(self.database, servings, sources, facts=facts or {}, halls=halls or {})
        self.revisions.poll()

    def serve_dishes(self, **dishes):
        """Publish a dish of each name, with these facts, or without any for None."""
        known = {number: facts(**fields) for number, fields in enumerate(dishes.values(), 1) if fields is not None}
        self.serve_dining(*(serving(number, name) for number, name in enumerate(dishes, 1)), facts=known)

    def serve_broken_menu(self, date):
        """Publish menus with a name that JSON cannot have."""
        self.serve_dining(serving())
        item = {"meal": 0, "location": 1, "category": 1, "recipe": 1, "name": b""}
        live_collection(self.database, "menus").insert_one({"_id": date, "items": [item]})


class _Client(TestApp):
    """A client that rejects duplicate response headers, of which caches may follow either."""

    def do_request(self, *args, **kwargs):
        response = super().do_request(*args, **kwargs)
        names = [name.lower() for name, _ in response.headerlist]
        assert len(names) == len(set(names)), response.headerlist
        return response
