"""The systemd unit and the environment file in deploy/."""

import shlex
import shutil
import subprocess
from configparser import RawConfigParser

import pytest
from click.testing import CliRunner

from campus_api import settings
from loaders.cli.main import main
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


@pytest.mark.parametrize("name", [UNIT.name, "campus-load.service", "campus-load.timer"])
def test_systemd_accepts_the_unit(tmp_path, name):
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed")
    shutil.copytree(UNIT.parent, tmp_path, dirs_exist_ok=True)
    for unit in tmp_path.glob("*.service"):
        unit.write_text(unit.read_text(encoding="utf-8").replace(f"{HOME}/.venv/bin/", f"{tmp_path}/"))
    for executable in ("pserve", "campus-load"):
        (tmp_path / executable).write_text("#!/bin/sh\n")
        (tmp_path / executable).chmod(0o755)

    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / name], capture_output=True, text=True, check=False
    )

    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_nightly_load_has_options_that_exist():
    unit = (UNIT.parent / "campus-load.service").read_text(encoding="utf-8")
    [command] = [line for line in unit.splitlines() if line.startswith("ExecStart=")]
    usage = CliRunner().invoke(main, ["dining", "--help"]).output

    options = [word for word in command.split() if word.startswith("--")]

    assert options
    assert [option for option in options if f"{option} " not in usage] == []
