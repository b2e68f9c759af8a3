"""Our service, as operators start it, passes every check of campus-conformance."""

import json
import os
import re
import subprocess

import pytest

from tests.service import nginx
from tests.service.conftest import BIN, ROOT, spawning, start_server

# No day of the samples is.
CLOSED = "a_closed_day_says_so"
TEXT = (ROOT / "docs/conformance.md").read_text(encoding="utf-8")


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


@pytest.mark.parametrize("server", ["main"], indirect=True)
def test_every_command_prints_what_the_document_shows(server, tmp_path):
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv/bin").symlink_to(BIN)
    text = TEXT.replace("http://localhost:6543", server.url)
    examples = re.findall(r"^```console\n\$ (.*)\n((?:.*\n)*?)```", text, re.MULTILINE)

    printed = [
        subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False).stdout
        for command, _ in examples
    ]

    shown = [re.escape(output).replace(re.escape("..."), r"[\s\S]*?") for _, output in examples]
    assert len(examples) == 3
    assert [text for text, pattern in zip(printed, shown, strict=True) if not re.fullmatch(pattern, text)] == []
