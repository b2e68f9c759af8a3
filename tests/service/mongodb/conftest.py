"""What tests of MongoDB share."""

import pytest

from tests.service.replica import ReplicaSet


@pytest.fixture(scope="module")
def replica_set(tmp_path_factory):
    """A replica set for all tests of a file."""
    replica_set = ReplicaSet(tmp_path_factory.mktemp("replica"))
    try:
        replica_set.start()
        yield replica_set
    finally:
        replica_set.stop()
