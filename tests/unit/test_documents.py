"""What the documents say of the code is true."""

import re
from pathlib import Path

import pytest

from campus_api.settings import SETTINGS

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
DECISIONS = (ROOT / "docs/decisions.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files(document):
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text(encoding="utf-8"))

    assert [target for target in targets if not (document.parent / target).exists()] == []


def test_every_decision_names_a_test_that_there_is():
    tests = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/test_*.py"))
    rows = [line for line in DECISIONS.splitlines() if line.startswith("| ") and not line.startswith("| question")]

    assert len(rows) > 30
    assert [row for row in rows if f"def {_test(row)}(" not in tests] == []


def test_the_readme_lists_every_setting_as_it_is():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    rows = re.findall(r"^\| `([a-z._]+)` \| `(\w+)` \| (?:`(.*?)` )?\| (.*) \|$", readme, re.MULTILINE)

    assert rows == [(setting.name, setting.variable, setting.default or "", setting.help) for setting in SETTINGS]


def _test(row):
    return re.search(r"`(test_\w+)` \|$", row)[1]
