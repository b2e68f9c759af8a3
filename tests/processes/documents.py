"""Run the commands of a document in a checkout, and compare their output."""

import re

from tests.documents import agrees, programs, steps
from tests.processes.commands import wait_for
from tests.programs import require

_SYSTEM = "changes the system"
_TESTS = "runs these tests"
# Prefixes of commands that are excluded, and the reason.
NOT_RUN = {
    "apt-get ": _SYSTEM,
    "certbot ": "requests a certificate on the internet",
    "deploy/compose/create-secrets": "tests/nightly/deployment/test_container.py runs it",
    "docker ": "is not installed; tests/nightly/deployment/test_container.py builds the image",
    "editor ": "is interactive",
    "git clone ": "names a host that is not there; the files are those of the checkout",
    "git pull": "there is nothing to pull; the files are those of the checkout",
    "install -D ": "needs the certificate of an authority",
    "ln -s /etc/letsencrypt/": "needs the certificate of an authority",
    "make audit": "requests a service on the internet",
    "make bench": "takes ten minutes",
    "make install": "installs what these tests run with",
    "make lock": "changes the files of the checkout",
    "make mutants": "runs these tests for each mutant",
    "make screenshots": "changes the files of the checkout",
    "make test": _TESTS,
    "mongodump ": "is not installed; tests/loaders/cli/test_dump.py copies a database",
    "mongorestore ": "is not installed; tests/loaders/cli/test_dump.py copies a database",
    "nginx -t ": "reads the system's configuration; tests/nightly/nginx/test_service.py does it for this site",
    "ogrinfo ": "is not installed; tests/functional/formats/test_geojson.py reads a response with GDAL",
    "python3 -m venv ": "creates the environment of these tests",
    "systemctl ": _SYSTEM,
    "systemd-run ": _SYSTEM,
    ".venv/bin/pip install ": "installs what these tests run with",
}
# Commands that print times, versions and sizes: only the shape of their JSON is compared.
_VARIES = re.compile(r"/__|--json|\.log$|:6543/$")
# Programs that may not be installed.
_PROGRAMS = ["curl", "nginx", "node", "openssl"]


def failures(checkout, document):
    """Run the commands of a document in order; describe those that fail or print something else."""
    commands = [step for step in steps(document) if not step.command.startswith(tuple(NOT_RUN))]
    for program in _PROGRAMS:
        if any(re.search(rf"\b{program}\b", command) for command, _ in commands):
            require(program)
    for name, text in programs(document).items():
        checkout.write(name, text)
    return [failure for step in commands if (failure := _failure(checkout, *step))]


def _failure(checkout, command, shown):
    if command.endswith(".log"):
        # A request is logged after its response.
        wait_for(lambda: agrees(shown, checkout.run(command)[1], varies=True))
    status, output = checkout.run(command)
    if (status and not shown) or not agrees(shown, output, varies=_VARIES.search(command)):
        return f"$ {command}\n{shown}status {status}, and printed:\n{output}"
    return None
