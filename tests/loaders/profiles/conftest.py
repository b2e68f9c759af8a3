"""What is wrong with a profile."""

import pytest

from tests.loaders.errors import error_of


@pytest.fixture
def problem(tmp_path):
    """Return why a profile cannot be loaded."""

    def problem(load, *arguments):
        return str(error_of(load, *arguments)).removeprefix(f"profile {tmp_path}/custom.toml: ")

    return problem
