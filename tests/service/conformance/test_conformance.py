"""campus-conformance against the service with production.ini."""

import json
import os
import subprocess

import pytest

from conformance.runner import CHECKS
from tests.service import nginx
from tests.service.processes import BIN, load_samples, spawning
from tests.service.servers import PRODUCTION, SERVERS, start


@pytest.fixture(scope="module", params=SERVERS)
def server(request, tmp_path_factory):
    """The service with the sample data, on each server."""
    folder = tmp_path_factory.mktemp("conformance")
    with spawning(folder) as spawn:
        uri = f"embedded:{folder}/mongo"
        load_samples(spawn, PRODUCTION, CAMPUS_MONGO_URI=uri)
        yield start(spawn, request.param, CAMPUS_MONGO_URI=uri)


def check(url, **environment):
    """Run all checks; return the exit status, the failures and the number of checks that passed."""
    completed = subprocess.run(
        [BIN / "campus-conformance", url, "--json"],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        check=False,
    )
    report = json.loads(completed.stdout)
    failures = [check for check in report["checks"] if check["result"] != "passed"]
    return completed.returncode, failures, report["passed"]


def test_the_service_passes_every_conformance_check(server):
    status, failures, passed = check(server.url)

    assert (failures, status) == ([], 0)
    assert passed == len(CHECKS)


@pytest.mark.slow
@pytest.mark.parametrize("server", ["waitress"], indirect=True)
def test_the_service_behind_nginx_passes_every_conformance_check(server, tmp_path):
    with nginx.running(tmp_path, server.url.rpartition(":")[2]) as site:
        status, failures, _ = check(f"https://127.0.0.1:{site.secure}", SSL_CERT_FILE=str(tmp_path / "pem"))

    assert (failures, status) == ([], 0)
