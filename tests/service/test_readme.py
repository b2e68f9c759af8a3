"""The README's examples, asked of the service that they are about."""

import json
import re

import pytest

from tests.service.conftest import ROOT, fetch

README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^\$ curl 'http://localhost:6543(\S+)'\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.fixture
def server(serve, ini):
    return serve(ini(), CAMPUS_CLOCK_STOPPED_AT="2026-11-20T12:00:00-05:00")


def test_every_example_has_the_answer_that_the_readme_shows(server):
    answers = {path: json.loads(fetch(server.url + path).body) for path, _ in EXAMPLES}

    assert len(answers) == 5
    assert answers == {path: json.loads(answer) for path, answer in EXAMPLES}
