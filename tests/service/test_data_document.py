"""The commands of docs/data.md, run as they are written."""

import os
import re
import shutil
import subprocess

import pytest

from campus_api import embedded
from tests.service.conftest import BIN, ROOT

TEXT = (ROOT / "docs/data.md").read_text(encoding="utf-8")


@pytest.fixture
def checkout(tmp_path):
    """A folder with what the commands need, and its trial database, which runs all the time."""
    for name in ("loaders", "development.ini", "production.ini"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv/bin").symlink_to(BIN)
    (tmp_path / "var").mkdir()
    lease = embedded.lease(tmp_path / "var/trial")
    yield tmp_path
    lease.release()


def run(command, folder, **environment):
    """Run a line of a shell and return what it printed."""
    ended = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return ended.stdout


def as_pattern(shown):
    """Return what is shown of an output as a regular expression: `...` is any number of lines."""
    lines = [re.escape(line) if line != "..." else r"(?:.*\n)*?.*" for line in shown.splitlines()]
    return "\n".join(lines) + "\n?" if lines else ""


def test_every_command_does_what_the_document_shows(checkout):
    blocks = re.findall(r"^```console\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    steps = [step for block in blocks for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    wrong = []

    for step in steps[1:]:
        command, _, shown = step.partition("\n")
        printed = run(command, checkout, CAMPUS_MONGO_URI="embedded:var/trial")
        if not re.fullmatch(as_pattern(shown), printed):
            wrong.append((command, shown, printed))

    assert steps[0] == "export CAMPUS_MONGO_URI=embedded:var/trial\n"
    assert len(steps) > 15
    assert wrong == []


def test_the_nightly_line_loads(checkout):
    [line] = re.findall(r"^[\d*]+ [\d*]+ \* \* \* (.*)$", TEXT, re.MULTILINE)
    with (ROOT / "loaders/samples/foodpro.csv").open("rb") as export:
        packed = subprocess.run(["gzip", "-c"], stdin=export, capture_output=True, check=True).stdout
    (checkout / "menus.csv.gz").write_bytes(packed)
    shutil.copy(ROOT / "loaders/profiles/foodpro.toml", checkout / "menus.toml")

    printed = run(line.replace("/srv/campus", str(checkout)), checkout, CAMPUS_MONGO_URI="embedded:var/trial")

    assert printed == ""
    assert '"state":"published","revision":1' in (checkout / "loads.log").read_text()
