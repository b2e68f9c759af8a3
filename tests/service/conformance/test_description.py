"""The description against the service as it runs: schemathesis asks whatever the description allows, and more."""

import json
import shutil
import subprocess

import pytest
from openapi_spec_validator import validate

from tests.functional.openapi_validation import response_errors
from tests.service.processes import fetch, wait_for
from tests.service.warm import filled, ready

CHECKS = ["--checks", "all", "--max-examples", "10", "--generation-deterministic", "--workers", "2", "--no-color"]


def description(server):
    return json.loads(fetch(f"{server.url}/openapi.json").body)


def test_the_description_is_valid_as_it_is_served(samples):
    validate(description(samples))


@pytest.mark.slow
def test_schemathesis_finds_nothing(samples, spawn, tmp_path):
    # From a file, for it leaves out the endpoint that it was told the description by.
    file = tmp_path / "openapi.json"
    file.write_bytes(fetch(f"{samples.url}/openapi.json").body)

    tester = spawn("schemathesis", "--config-file", "/dev/null", "run", file, "--url", samples.url, *CHECKS)
    tester.wait()

    assert "No issues found" in tester.said(), tester.said()
    assert f"{len(description(samples)['paths'])} selected" in tester.said()
    assert tester.returncode == 0


@pytest.mark.slow
def test_what_was_answered_before_an_outage_is_described(spawn, tmp_path):
    with filled(tmp_path) as mongod:
        server = ready(spawn, mongod)
        document = description(server)
        mongod.kill()
        wait_for(lambda: "Cache-Status" in fetch(f"{server.url}/dining/menus").headers)

        for path in ("/map/buildings", "/dining/recipes", "/dining/menus"):
            answer = fetch(server.url + path)
            assert answer.headers["Cache-Status"] == "campus; fwd=stale"
            assert response_errors(document, path, answer) == []


@pytest.mark.slow
def test_linters_report_nothing(samples, tmp_path):
    npx = shutil.which("npx")
    if not npx:
        pytest.skip("npx is not installed")
    (tmp_path / "openapi.json").write_bytes(fetch(f"{samples.url}/openapi.json").body)
    (tmp_path / ".spectral.yaml").write_text('extends: ["spectral:oas"]')
    spectral = ["@stoplight/spectral-cli@6", "lint", "--fail-severity=hint", "openapi.json"]
    redocly = ["@redocly/cli@2", "lint", "--format=json", "--skip-rule=info-license", "openapi.json"]

    reports = [
        subprocess.run([npx, "--yes", *linter], cwd=tmp_path, capture_output=True, text=True, check=False)
        for linter in (spectral, redocly)
    ]

    assert [report.returncode for report in reports] == [0, 0], [report.stdout for report in reports]
    assert json.loads(reports[1].stdout)["problems"] == []
