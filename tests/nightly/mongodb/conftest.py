"""Fixtures for tests of MongoDB."""

from itertools import count

import pytest

from tests.nightly.mongodb import replica_set as sets

_names = (f"test_{number}" for number in count())


@pytest.fixture(scope="module")
def replica_set(tmp_path_factory):
    """A replica set for all tests of a module."""
    with sets.running(tmp_path_factory.mktemp("replica")) as replica_set:
        yield replica_set


@pytest.fixture
def mongod_uri(replica_set):
    """The URI of an empty database in a healthy replica set."""
    replica_set.heal()
    return replica_set.uri(next(_names))
