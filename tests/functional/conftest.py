"""Fixtures of functional tests: the service in this process, in memory or on the real MongoDB."""

import pytest

from tests.factories import building, serving
from tests.functional.service import Service


@pytest.fixture(scope="module")
def uri():
    """A database in memory; folders of tests that depend on the database override it."""
    return "mongomock://"


@pytest.fixture(scope="module")
def module_service(uri):
    service = Service(uri)
    yield service
    service.close()


@pytest.fixture
def service(module_service):
    """The service of the module before the first load; it is noon of factories.TODAY."""
    module_service.forget_revisions()
    return module_service


@pytest.fixture
def app(service):
    """A client of the service with a building and a dish."""
    service.serve_buildings(building(1))
    service.serve_dining(serving())
    return service.app


@pytest.fixture
def start(uri):
    """Start another service with settings; in memory, it has its own database."""
    services = []

    def start(**settings):
        services.append(Service(uri, **settings))
        return services[-1]

    yield start
    for service in services:
        service.close()


@pytest.fixture(scope="module")
def without_database():
    """The service while nothing listens on the port of MongoDB."""
    service = Service("mongodb://127.0.0.1:1", **{"mongo.timeout_ms": "100"})
    yield service
    service.close()
