"""The OpenAPI document, and a client that openapi-python-client generates of it, against the running service."""

import json

import pytest

from tests.processes.commands import fetch

CHECKS = ["--checks", "all", "--max-examples", "10", "--generation-deterministic", "--workers", "2", "--no-color"]
# Which labels and allergens are valid depends on the data, and no schema excludes a range of dates with a date, or says
# what a revision, a time, a box or a position is.
CONFIG = """
[[operations]]
include-path-regex = "^/(changes|explore|map/buildings([.][a-z]+)?$|dining/(dishes|hours|menus.ics))"
checks.positive_data_acceptance.expected-statuses = [200, 304, 400]
"""
PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from campus_data_api_client import Client
from campus_data_api_client.api.buildings import list_buildings
from campus_data_api_client.api.changes import list_changes
from campus_data_api_client.api.dining import list_dishes
from campus_data_api_client.api.search import search

client = Client(base_url=sys.argv[2])
nearest = list_buildings.sync(client=client, near=["42.3744,-71.1169"], limit=[2])
dishes = list_dishes.sync(client=client, without=["milk", "eggs"], meal=[1])
print(json.dumps({
    "nearest": [each.name for each in nearest],
    "dishes": {word for dish in dishes for word in dish.facts.contains} & {"milk", "eggs"} == set(),
    "best_result": search.sync(client=client, q=["anneberg"])[0].name,
    "problem": list_changes.sync(client=client, since=["x"]).errors[0].parameter,
}))
"""


@pytest.fixture
def document(samples, tmp_path):
    """The OpenAPI document of the service, in a file."""
    path = tmp_path / "openapi.json"
    path.write_bytes(fetch(f"{samples.url}/openapi.json").body)
    return path


def test_schemathesis_reports_no_issues(samples, spawn, tmp_path, document):
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG)
    # From a file, because schemathesis does not test the endpoint that serves the document.
    tester = spawn("schemathesis", "--config-file", config, "run", document, "--url", samples.url, *CHECKS)
    tester.wait(300)

    assert "No issues found" in tester.output(), tester.output()
    assert f"{len(json.loads(document.read_bytes())['paths'])} selected" in tester.output()
    assert tester.returncode == 0


def test_the_operations_of_a_generated_client_work(samples, spawn, tmp_path, document):
    program, client = tmp_path / "program.py", tmp_path / "client"
    program.write_text(PROGRAM)
    generator = spawn("openapi-python-client", "generate", "--path", document, "--output-path", client)
    assert generator.wait() == 0, generator.output()

    process = spawn("python", program, client, samples.url)

    assert process.wait() == 0, process.output()
    assert json.loads(process.output()) == {
        "nearest": ["University Hall", "Weld Hall"],
        "dishes": True,
        "best_result": "Annenberg Hall",
        "problem": "since",
    }
