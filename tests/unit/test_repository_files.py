"""Files that other programs read: the workflow, Dependabot's configuration, the compose file."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOW = ".github/workflows/ci.yml"


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ("compose-spec", "compose.yaml"),
        ("dependabot", ".github/dependabot.yml"),
        ("github-workflows", WORKFLOW),
        ("github-workflows", ".github/workflows/nightly.yml"),
    ],
)
def test_a_file_matches_its_schema(schema, path):
    command = [Path(sys.executable).parent / "check-jsonschema", "--builtin-schema", f"vendor.{schema}", ROOT / path]

    checked = subprocess.run(command, capture_output=True, text=True, check=False)

    assert checked.returncode == 0, checked.stdout


def test_the_workflow_runs_the_script_on_every_supported_python():
    [job] = yaml.safe_load((ROOT / WORKFLOW).read_text(encoding="utf-8"))["jobs"].values()
    setup = (ROOT / "setup.py").read_text(encoding="utf-8")

    assert [step["run"] for step in job["steps"] if "run" in step] == ["bash .ci/run"]
    for version in job["strategy"]["matrix"]["python"]:
        assert f"Programming Language :: Python :: {version}" in setup
