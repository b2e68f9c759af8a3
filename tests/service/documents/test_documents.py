"""Every command of the documents, run as it is written, in the order in which it stands there."""

import contextlib
import re
import time

import pytest

from tests.documents import DOCUMENTS, agrees, steps
from tests.programs import require
from tests.service import prepared
from tests.service.checkout import Checkout

_SYSTEM = "changes the system"
_TESTS = "is the run of tests that this one belongs to"
# What cannot be run here, by how it begins, and why.
NOT_RUN = {
    "apt-get ": _SYSTEM,
    "editor ": "is for a person",
    "git pull": "there is nothing to pull; the files are those of the checkout",
    "make audit": "asks a service on the internet",
    "make bench": "takes half an hour; tests/service/bench runs its parts on little data",
    "make check": _TESTS,
    "make install": "installs what these tests run with",
    "make lock": "changes the files of the checkout",
    "make mutants": "takes a quarter of an hour",
    "make test": _TESTS,
    "mongodump ": "is not installed; tests/service/loads/test_backup.py copies a database",
    "mongorestore ": "is not installed; tests/service/loads/test_backup.py copies a database",
    "nginx -t ": "reads the system's configuration; tests/service/proxy/test_nginx_pserve.py does it for this site",
    "python3 -m venv ": "the tests run in what it makes",
    "systemctl ": _SYSTEM,
    "systemd-run ": _SYSTEM,
    ".venv/bin/pip install ": "installs what these tests run with",
    ".venv/bin/python -m bench.": "takes minutes; tests/service/bench runs it on little data",
}
# What tells times, versions and sizes: only the shape of its JSON is compared.
VARIES = re.compile(r"/__|--json|\.log$|:6543/$")
PREPARED = {
    "README.md": prepared.noon,
    "clients.md": prepared.served,
    "conformance.md": prepared.served_now,
    "data.md": prepared.trial_database,
    "operations.md": prepared.production,
}
# Their commands take minutes.
LONG = ["CONTRIBUTING.md", "conformance.md", "data.md", "operations.md"]
# What a machine may lack.
PROGRAMS = ["curl", "nginx", "openssl"]
WITH_COMMANDS = [document for document in DOCUMENTS if steps(document)]


def steps_to_run(document):
    return [step for step in steps(document) if not step.command.startswith(tuple(NOT_RUN))]


@pytest.fixture
def checkout(document, tmp_path):
    """A checkout in which a document's commands can begin."""
    commands = " ".join(step.command for step in steps_to_run(document))
    for program in PROGRAMS:
        if re.search(rf"\b{program}\b", commands):
            require(program)
    checkout = Checkout(tmp_path)
    with PREPARED.get(document.name, contextlib.nullcontext)(checkout):
        yield checkout
        checkout.stop()


@pytest.mark.parametrize(
    "document",
    [pytest.param(each, marks=pytest.mark.slow) if each.name in LONG else each for each in WITH_COMMANDS],
    ids=lambda document: document.name,
)
def test_every_command_does_what_the_document_shows(document, checkout):
    wrong = []

    for command, shown in steps_to_run(document):
        if command.endswith(".log"):
            # A request is logged when its answer is over.
            time.sleep(0.5)
        status, printed = checkout.run(command)
        if (status and not shown) or not agrees(shown, printed, varies=VARIES.search(command)):
            wrong.append(f"$ {command}\n{shown}status {status}, and printed:\n{printed}")

    assert not wrong, "\n".join(wrong)


def test_what_is_not_run_stands_in_a_document():
    commands = [command for document in WITH_COMMANDS for command, _ in steps(document)]

    assert [begin for begin in NOT_RUN if not any(command.startswith(begin) for command in commands)] == []
