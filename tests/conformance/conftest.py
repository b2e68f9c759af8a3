"""Our own service in this process, whole and broken."""

import contextlib
from zoneinfo import ZoneInfo

import pytest

import campus_api
from campus_api.clock import Clock
from campus_api.database import MENUS
from conformance.target import Campus
from loaders.samples import fill
from tests.conformance.wsgi import sending


@contextlib.contextmanager
def served(load=lambda datasets, today: None):
    """Yield what sends requests to our service with the data that `load` puts there."""
    app = campus_api.main({}, **{"mongo.uri": "mongomock://"})
    datasets = app.registry["datasets"]
    load(datasets.database, Clock(ZoneInfo("America/New_York")).today())
    datasets.read()
    yield sending(app)
    datasets.close()


def fill_and_close(database, today):
    """Load the samples, some of them of today, and close their last day."""
    fill(database, today)
    last = max(database[MENUS].distinct("_id"))
    database[MENUS].update_one({"_id": last}, {"$set": {"items": []}})


@pytest.fixture(scope="session")
def samples():
    """What sends requests to the service with data for every check."""
    with served(fill_and_close) as send:
        yield send


@pytest.fixture
def campus(samples):
    """Return the samples as checks see them, behind whatever breaks them."""
    return lambda broken=lambda send: send: Campus("http://localhost", broken(samples))


@pytest.fixture
def empty_campus():
    """A service where nothing was ever loaded."""
    with served() as send:
        yield Campus("http://localhost", send)
