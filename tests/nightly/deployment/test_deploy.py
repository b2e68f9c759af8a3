"""The systemd unit and the environment file in deploy/."""

import os
import re
import shlex
import shutil
import subprocess
from configparser import RawConfigParser
from pathlib import Path

from click.testing import CliRunner

from campus_api import settings
from loaders.cli.main import main
from tests.processes.commands import PRODUCTION, ROOT, write_script
from tests.processes.servers import UNIT
from tests.programs import require

EXAMPLE = ROOT / "deploy" / "campus-api.env.example"
OPERATIONS = ROOT / "docs" / "operations.md"
HOME = "/srv/campus-api"
INI = f"{HOME}/production.ini"
HOUR = 3600


def unit(name=UNIT.name):
    """Return the sections of a unit."""
    parser = RawConfigParser(strict=False)
    parser.optionxform = str
    parser.read(UNIT.parent / name, encoding="utf-8")
    return parser


def timespan(text):
    """Return the seconds of a time span such as 5min."""
    number, suffix = re.fullmatch(r"(\d+)(\w*)", text).groups()
    return int(number) * {"": 1, "min": 60, "h": HOUR}[suffix]


def test_every_variable_of_the_example_is_a_setting():
    # systemd reads quoted values, without comments.
    assignments = shlex.split(EXAMPLE.read_text(encoding="utf-8"), comments=True)
    environment = dict(line.split("=", 1) for line in assignments)

    assert environment.pop("CAMPUS_INI") == INI
    assert environment.pop("PROMETHEUS_MULTIPROC_DIR") == f"/run/{unit()['Service']['RuntimeDirectory']}"
    assert settings.load({}, environment)["mongo.uri"].startswith("mongodb://")


def test_the_unit_starts_pserve_if_the_settings_are_right_and_reloads_only_then(spawn):
    service = unit()["Service"]
    # systemd runs the commands in order, until one fails.
    reload = re.findall(r"^# ExecReload=(.*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    assert service["ExecStart"] == f"{HOME}/.venv/bin/pserve {INI}"
    assert reload == [service["ExecStartPre"], "/bin/kill -HUP $MAINPID"]
    # Another user than that of the unit could not read its credentials.
    documented = re.findall(r"^\$ systemd-run .*? --uid=(\S+) ", OPERATIONS.read_text(encoding="utf-8"), re.MULTILINE)
    assert documented == [UNIT.stem] * 2
    command = service["ExecStartPre"].replace(INI, str(PRODUCTION)).split()

    wrong = spawn(Path(command[0]).name, *command[1:], CAMPUS_MONGO_URI="mongodb://db/campus", CAMPUS_CACHE_MAX_AGE="x")
    # Nothing listens on this port.
    right = spawn(Path(command[0]).name, *command[1:], CAMPUS_MONGO_URI="mongodb://127.0.0.1:1/campus")

    assert (wrong.wait(), right.wait()) == (2, 0)
    assert "cache.max_age: 'x' is not" in wrong.output()


def test_a_unit_that_always_fails_ends():
    for name, longest_start in [(UNIT.name, 20), ("campus-load.service", 2 * HOUR)]:
        sections = unit(name)

        attempts = int(sections["Unit"]["StartLimitBurst"])
        seconds = attempts * (longest_start + timespan(sections["Service"]["RestartSec"]))

        assert seconds < timespan(sections["Unit"]["StartLimitIntervalSec"]), name
        assert sections["Unit"]["OnFailure"] == "campus-alarm@%N.service", name
        # systemd refuses even an operator before the interval is over.
        documented = OPERATIONS.read_text(encoding="utf-8")
        assert f"$ systemctl reset-failed {name.removesuffix('.service')}\n" in documented, name


def test_the_alarm_mails_the_state_and_the_log_of_the_unit(tmp_path):
    scripts = {"systemctl": "echo $0 $*", "journalctl": "echo $0 $*", "mail": f"cat > {tmp_path}/sent"}
    for program, script in scripts.items():
        write_script(tmp_path / program, script)
    command = unit("campus-alarm@.service")["Service"]["ExecStart"].replace("%i", "campus-api")

    subprocess.run(shlex.split(command), env={"PATH": f"{tmp_path}:{os.environ['PATH']}"}, check=True)

    sent = (tmp_path / "sent").read_text()
    # After a start limit, the status has no line of the attempts.
    assert re.search("systemctl status .*campus-api\n.*journalctl .*--unit=campus-api\n", sent)


def test_systemd_accepts_the_units_and_their_exposure_is_low(tmp_path):
    services = [UNIT.name, "campus-load.service", "campus-mcp.service"]
    names = [*services, "campus-load.timer", "campus-alarm@campus-api.service"]

    def analyze(*arguments):
        command = [require("systemd-analyze"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    for name in services:
        checked = analyze("security", "--offline=yes", "--threshold=20", UNIT.parent / name)
        assert checked.returncode == 0, (name, checked.stdout[-200:])

    shutil.copytree(UNIT.parent, tmp_path, dirs_exist_ok=True)
    for path in tmp_path.glob("*.service"):
        path.write_text(path.read_text(encoding="utf-8").replace(f"{HOME}/.venv/bin/", f"{tmp_path}/"))
    for executable in ("pserve", "campus-config", "campus-load", "campus-mcp"):
        write_script(tmp_path / executable, "")

    verified = [analyze("verify", "--man=no", tmp_path / name) for name in names]
    assert [(each.returncode, each.stderr) for each in verified] == [(0, "")] * len(names)


def test_the_nightly_load_has_options_that_exist():
    command = unit("campus-load.service")["Service"]["ExecStart"]
    usage = CliRunner().invoke(main, ["dining", "--help"]).output

    options = [word for word in command.split() if word.startswith("--")]

    assert options
    assert [option for option in options if f"{option} " not in usage] == []
