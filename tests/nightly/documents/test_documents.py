"""Run every command and program of the documents, but for those of README.md, in order."""

import contextlib

import pytest

from tests.documents import DOCUMENTS, steps
from tests.nightly.documents import setups
from tests.processes.checkout import Checkout
from tests.processes.documents import NOT_RUN, failures

SETUPS = {
    "clients.md": setups.running_service_at_noon,
    "data.md": setups.trial_database,
    "operations.md": setups.production,
}
WITH_COMMANDS = [document for document in DOCUMENTS if steps(document)]


@pytest.fixture
def checkout(document, tmp_path):
    """A checkout with the set-up of a document."""
    checkout = Checkout(tmp_path)
    with SETUPS.get(document.name, contextlib.nullcontext)(checkout):
        yield checkout
        checkout.stop()


@pytest.mark.parametrize(
    "document", [each for each in WITH_COMMANDS if each.name != "README.md"], ids=lambda document: document.name
)
def test_every_command_prints_the_documented_output(document, checkout):
    failed = failures(checkout, document)

    assert not failed, "\n".join(failed)


def test_every_excluded_command_is_in_a_document():
    commands = [command for document in WITH_COMMANDS for command, _ in steps(document)]

    assert [prefix for prefix in NOT_RUN if not any(command.startswith(prefix) for command in commands)] == []
