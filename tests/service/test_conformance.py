"""Our service, as operators start it, passes every check of campus-conformance."""

import json
import os
import subprocess

import pytest

from tests.service import nginx
from tests.service.conftest import BIN, ROOT, spawning, start_server

# No day of the samples is.
CLOSED = "a_closed_day_says_so"


@pytest.fixture(scope="module", params=["main", "granian"])
def server(request, tmp_path_factory):
    """The service with the samples, on each of its servers."""
    folder = tmp_path_factory.mktemp("conformance")
    with spawning(folder) as spawn:
        uri = f"embedded:{folder}/mongo"
        yield start_server(spawn, ROOT / "production.ini", "--server-name", request.param, CAMPUS_MONGO_URI=uri)


def check(url, **environment):
    """Run all checks; return the exit status, what did not pass, and how many did."""
    ended = subprocess.run(
        [BIN / "campus-conformance", url, "--json"],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        timeout=100,
        check=False,
    )
    found = json.loads(ended.stdout)
    wrong = [each for each in found["checks"] if each["result"] != "passed" and each["name"] != CLOSED]
    return ended.returncode, wrong, found["passed"]


def test_the_service_passes_every_check(server):
    status, wrong, passed = check(server.url)

    assert (wrong, status) == ([], 0)
    assert passed >= 90


@pytest.mark.parametrize("server", ["main"], indirect=True)
def test_the_service_behind_nginx_passes_every_check(server, tmp_path):
    with nginx.running(tmp_path, server.url.rpartition(":")[2]) as site:
        status, wrong, _ = check(f"https://127.0.0.1:{site.secure}", SSL_CERT_FILE=str(tmp_path / "pem"))

    assert (wrong, status) == ([], 0)
