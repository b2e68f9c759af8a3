"""The service in this process, intact or with faults."""

import contextlib
from zoneinfo import ZoneInfo

import pytest

import campus_api
from campus_api.domain.clock import Clock
from conformance.target import Target
from loaders.samples import load_samples
from tests.conformance.wsgi_transport import wsgi_transport


@contextlib.contextmanager
def service(load=lambda database, today: None):
    """Yield a transport to the service with the data that `load` inserts."""
    app = campus_api.main({}, **{"mongo.uri": "mongomock://"})
    revisions = app.registry["revisions"]
    load(revisions.database, Clock(ZoneInfo("America/New_York")).today())
    revisions.poll()
    yield wsgi_transport(app)
    revisions.close()


@pytest.fixture(scope="session")
def samples():
    """A transport to the service with data for every check."""
    with service(load_samples) as send:
        yield send


@pytest.fixture
def make_target(samples):
    """Return the service with the samples as a target, with a fault or without."""
    return lambda fault=lambda send: send: Target("http://localhost", fault(samples))


@pytest.fixture
def empty_target():
    """The service before anything was loaded."""
    with service() as send:
        yield Target("http://localhost", send)
