"""The first commands that people run: those of README.md, and "Five minutes" of docs/data.md."""

import re

import pytest

from tests.factories import NOON
from tests.processes.checkout import Checkout
from tests.processes.commands import ROOT
from tests.processes.documents import failures


@pytest.fixture
def checkout(tmp_path):
    checkout = Checkout(tmp_path)
    checkout.environment["CAMPUS_CLOCK_FROZEN_AT"] = NOON
    yield checkout
    checkout.stop()


def test_the_commands_of_the_readme_print_what_it_shows(checkout):
    failed = failures(checkout, ROOT / "README.md")

    assert not failed, "\n".join(failed)


def test_the_first_five_minutes_with_other_data_print_what_the_document_shows(checkout, tmp_path):
    text = (ROOT / "docs/data.md").read_text(encoding="utf-8")
    section = re.search(r"^## Five minutes\n.*?(?=^## )", text, re.MULTILINE | re.DOTALL)
    document = tmp_path / "five_minutes.md"
    document.write_text(section[0], encoding="utf-8")

    failed = failures(checkout, document)

    assert not failed, "\n".join(failed)
