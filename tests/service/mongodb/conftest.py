"""Fixtures for tests of MongoDB."""

import pytest

from tests.service.replica_set import ReplicaSet


@pytest.fixture(scope="module")
def replica_set(tmp_path_factory):
    """A replica set for all tests of a module."""
    replica_set = ReplicaSet(tmp_path_factory.mktemp("replica"))
    try:
        replica_set.start()
        yield replica_set
    finally:
        replica_set.stop()
