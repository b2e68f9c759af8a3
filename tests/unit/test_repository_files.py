"""Files that other programs read: the workflow, Dependabot's configuration, the compose file."""

import yaml
from check_jsonschema import main as check_jsonschema
from click.testing import CliRunner

from tests.documents import ROOT

WORKFLOW = ".github/workflows/ci.yml"


def test_a_file_matches_its_schema():
    for schema, path in (
        ("compose-spec", "compose.yaml"),
        ("dependabot", ".github/dependabot.yml"),
        ("github-workflows", WORKFLOW),
        ("github-workflows", ".github/workflows/nightly.yml"),
    ):
        checked = CliRunner().invoke(check_jsonschema, ["--builtin-schema", f"vendor.{schema}", str(ROOT / path)])
        assert checked.exit_code == 0, checked.output


def test_the_workflow_runs_the_script_on_every_supported_python():
    [job] = yaml.safe_load((ROOT / WORKFLOW).read_text(encoding="utf-8"))["jobs"].values()
    setup = (ROOT / "setup.py").read_text(encoding="utf-8")

    assert [step["run"] for step in job["steps"] if "run" in step] == ["bash .ci/run"]
    for version in job["strategy"]["matrix"]["python"]:
        assert f"Programming Language :: Python :: {version}" in setup
