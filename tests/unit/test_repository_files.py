"""Files that other programs read."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ("compose-spec", "compose.yaml"),
    ],
)
def test_a_file_matches_its_schema(schema, path):
    command = [Path(sys.executable).parent / "check-jsonschema", "--builtin-schema", f"vendor.{schema}", ROOT / path]

    checked = subprocess.run(command, capture_output=True, text=True, check=False)

    assert checked.returncode == 0, checked.stdout
