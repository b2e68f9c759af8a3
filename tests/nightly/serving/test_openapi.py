"""The OpenAPI document compared with the running service."""

import json

from tests.processes.commands import fetch

CHECKS = ["--checks", "all", "--max-examples", "10", "--generation-deterministic", "--workers", "2", "--no-color"]


# Which labels and allergens are valid depends on the data, and no schema excludes a range of dates with a date, or says
# what a revision or a time is.
CONFIG = """
[[operations]]
include-path-regex = "^/(changes|dining/(dishes|hours|menus.ics))"
checks.positive_data_acceptance.expected-statuses = [200, 304, 400]
"""


def test_schemathesis_reports_no_issues(samples, spawn, tmp_path):
    # From a file, because schemathesis does not test the endpoint that serves the document.
    file = tmp_path / "openapi.json"
    document = fetch(f"{samples.url}/openapi.json").body
    file.write_bytes(document)
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG)
    tester = spawn("schemathesis", "--config-file", config, "run", file, "--url", samples.url, *CHECKS)
    tester.wait(300)

    assert "No issues found" in tester.output(), tester.output()
    assert f"{len(json.loads(document)['paths'])} selected" in tester.output()
    assert tester.returncode == 0
