"""What is wrong with a profile."""

import pytest

from tests.loaders.errors import error_of


@pytest.fixture
def problem(tmp_path):
    """Return why a profile cannot be loaded."""
    return lambda *load: str(error_of(*load)).removeprefix(f"profile {tmp_path}/custom.toml: ")
