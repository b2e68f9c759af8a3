import pytest


@pytest.fixture(scope="module")
def uri(shared_uri):
    """A database for each module in the real MongoDB: what passes in memory only would prove nothing about queries."""
    return shared_uri
