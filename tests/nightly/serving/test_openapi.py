"""The OpenAPI document compared with the running service."""

import json
import shutil
import subprocess

import pytest

from tests.functional.formats.openapi_validation import response_errors
from tests.processes.commands import fetch, wait_for
from tests.processes.servers import start_warm_server

CHECKS = ["--checks", "all", "--max-examples", "10", "--generation-deterministic", "--workers", "2", "--no-color"]


def openapi(server):
    return json.loads(fetch(f"{server.url}/openapi.json").body)


# Which labels and allergens are valid depends on the data, and no schema excludes a range of dates with a date.
CONFIG = """
[[operations]]
include-path-regex = "^/dining/(dishes|hours)"
checks.positive_data_acceptance.expected-statuses = [200, 304, 400]
"""


def test_schemathesis_reports_no_issues(samples, spawn, tmp_path):
    # From a file, because schemathesis does not test the endpoint that serves the document.
    file = tmp_path / "openapi.json"
    file.write_bytes(fetch(f"{samples.url}/openapi.json").body)

    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG)
    tester = spawn("schemathesis", "--config-file", config, "run", file, "--url", samples.url, *CHECKS)
    tester.wait(300)

    assert "No issues found" in tester.output(), tester.output()
    assert f"{len(openapi(samples)['paths'])} selected" in tester.output()
    assert tester.returncode == 0


def test_stale_responses_conform_to_the_openapi_document(spawn, mongod_with_data):
    server = start_warm_server(spawn, mongod_with_data)
    document = openapi(server)
    mongod_with_data.kill()
    wait_for(lambda: "Cache-Status" in fetch(f"{server.url}/dining/menus").headers)

    for path in ("/map/buildings", "/dining/recipes", "/dining/menus"):
        response = fetch(server.url + path)
        assert response.headers["Cache-Status"] == "campus; fwd=stale"
        assert response_errors(document, path, response) == []


def test_openapi_linters_report_no_problems(samples, tmp_path):
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
