"""Run every command and program of the documents, in order, and compare the output."""

import contextlib
import re

import pytest

from tests.documents import DOCUMENTS, agrees, programs, steps
from tests.programs import require
from tests.service import document_setup as setup
from tests.service.checkout import Checkout
from tests.service.processes import wait_for

_SYSTEM = "changes the system"
_TESTS = "runs these tests"
# Prefixes of commands that are excluded, and the reason.
NOT_RUN = {
    "apt-get ": _SYSTEM,
    "certbot ": "requests a certificate on the internet",
    "deploy/compose/create-secrets": "tests/service/serving/test_container.py runs it",
    "docker ": "is not installed; tests/service/serving/test_container.py builds the image",
    "editor ": "is interactive",
    "git clone ": "names a host that is not there; the files are those of the checkout",
    "git pull": "there is nothing to pull; the files are those of the checkout",
    "install -D ": "needs the certificate of an authority",
    "ln -s /etc/letsencrypt/": "needs the certificate of an authority",
    "make audit": "requests a service on the internet",
    "make bench": "takes half an hour; tests/service/bench runs its parts on little data",
    "make check": _TESTS,
    "make install": "installs what these tests run with",
    "make lock": "changes the files of the checkout",
    "make mutants": "takes over half an hour",
    "make screenshots": "changes the files of the checkout",
    "make test": _TESTS,
    "mongodump ": "is not installed; tests/service/loads/test_backup.py copies a database",
    "mongorestore ": "is not installed; tests/service/loads/test_backup.py copies a database",
    "nginx -t ": "reads the system's configuration; tests/service/proxy/test_nginx_pserve.py does it for this site",
    "ogrinfo ": "is not installed; tests/service/serving/test_formats.py reads the URL with GDAL",
    "python3 -m venv ": "creates the environment of these tests",
    "systemctl ": _SYSTEM,
    "systemd-run ": _SYSTEM,
    ".venv/bin/pip install ": "installs what these tests run with",
    ".venv/bin/python -m bench.": "takes minutes; tests/service/bench runs it on little data",
}
# Commands that print times, versions and sizes: only the shape of their JSON is compared.
VARIES = re.compile(r"/__|--json|\.log$|:6543/$")
SETUPS = {
    "README.md": setup.noon_of_the_examples,
    "clients.md": setup.running_service_at_noon,
    "data.md": setup.trial_database,
    "operations.md": setup.production,
}
# Documents whose commands take long.
LONG = ["CONTRIBUTING.md", "clients.md", "data.md", "operations.md"]
# Programs that may not be installed.
PROGRAMS = ["curl", "nginx", "node", "openssl"]
WITH_COMMANDS = [document for document in DOCUMENTS if steps(document)]


def steps_to_run(document):
    return [step for step in steps(document) if not step.command.startswith(tuple(NOT_RUN))]


@pytest.fixture
def checkout(document, tmp_path):
    """A checkout with the set-up of a document."""
    commands = " ".join(step.command for step in steps_to_run(document))
    for program in PROGRAMS:
        if re.search(rf"\b{program}\b", commands):
            require(program)
    checkout = Checkout(tmp_path)
    for name, text in programs(document).items():
        checkout.write(name, text)
    with SETUPS.get(document.name, contextlib.nullcontext)(checkout):
        yield checkout
        checkout.stop()


@pytest.mark.parametrize(
    "document",
    [pytest.param(each, marks=pytest.mark.slow) if each.name in LONG else each for each in WITH_COMMANDS],
    ids=lambda document: document.name,
)
def test_every_command_prints_the_documented_output(document, checkout):
    failures = []

    for command, shown in steps_to_run(document):
        if command.endswith(".log"):
            # A request is logged after its response.
            wait_for(lambda command=command, shown=shown: agrees(shown, checkout.run(command)[1], varies=True))
        status, output = checkout.run(command)
        if (status and not shown) or not agrees(shown, output, varies=VARIES.search(command)):
            failures.append(f"$ {command}\n{shown}status {status}, and printed:\n{output}")

    assert not failures, "\n".join(failures)


def test_every_excluded_command_is_in_a_document():
    commands = [command for document in WITH_COMMANDS for command, _ in steps(document)]

    assert [prefix for prefix in NOT_RUN if not any(command.startswith(prefix) for command in commands)] == []
