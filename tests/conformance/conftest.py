"""Our own service in this process, whole and broken."""

import contextlib
from zoneinfo import ZoneInfo

import pytest

import campus_api
from campus_api.clock import Clock
from conformance.campus import Campus
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


@pytest.fixture(scope="session")
def samples():
    """What sends requests to the service with the samples, some of them of today."""
    with served(fill) as send:
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
