import pytest


@pytest.fixture(scope="module")
def uri(shared_uri):
    """A database for each module in the real MongoDB, which publishes revisions."""
    return shared_uri
