"""The systemd unit and the environment file in deploy/."""

import shlex
import shutil
import subprocess
from configparser import RawConfigParser

import pytest

from campus_api import settings
from tests.service.processes import ROOT, fetch
from tests.service.servers import UNIT, start_granian

EXAMPLE = ROOT / "deploy" / "campus-api.env.example"
HOME = "/srv/campus-api"


@pytest.fixture
def unit():
    parser = RawConfigParser(strict=False)
    parser.optionxform = str
    parser.read(UNIT, encoding="utf-8")
    return parser


def variables():
    """Parse the example like systemd: quoted values, without comments."""
    return dict(line.split("=", 1) for line in shlex.split(EXAMPLE.read_text(encoding="utf-8"), comments=True))


def test_every_variable_of_the_example_is_a_setting():
    environment = variables()

    assert environment.pop("CAMPUS_INI") == "production.ini"
    assert settings.load({}, environment)["mongo.uri"].startswith("mongodb://")


def test_the_unit_starts_pserve(unit):
    assert unit["Service"]["ExecStart"] == f"{HOME}/.venv/bin/pserve production.ini"


@pytest.mark.slow
def test_the_alternative_command_of_the_unit_starts_granian(spawn):
    server = start_granian(spawn, CAMPUS_MONGO_URI="mongomock://")

    assert fetch(f"{server.url}/map/buildings").body == b"[]"


def test_systemd_accepts_the_unit(tmp_path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed")
    program = tmp_path / "pserve"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text(encoding="utf-8").replace(f"{HOME}/.venv/bin/pserve", str(program)))

    checked = subprocess.run(["systemd-analyze", "verify", "--man=no", copy], capture_output=True, text=True)

    assert (checked.returncode, checked.stderr) == (0, "")
