"""What takes long to import is imported only by the loads that need it."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["loaders.cli.main", "campus_api.server"])
def test_pyogrio_is_not_imported_at_start(module):
    code = f"import sys, {module}; print('pyogrio' in sys.modules)"

    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert result.stdout == "False\n"
