"""Fixtures for tests of MongoDB."""

import pytest

from tests.nightly.mongodb import replica_set as sets


@pytest.fixture(scope="module")
def replica_set(tmp_path_factory):
    """A replica set for all tests of a module."""
    with sets.running(tmp_path_factory.mktemp("replica")) as replica_set:
        yield replica_set
