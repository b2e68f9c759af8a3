"""Both servers as operators start them: waitress with pserve, granian with the command in deploy/."""

import re

import pytest

from tests.service.processes import ROOT, free_port, start_server, wait_for

PRODUCTION = ROOT / "production.ini"
# make test-slow tests the optional server.
SERVERS = ["waitress", pytest.param("granian", marks=pytest.mark.slow)]
UNIT = ROOT / "deploy" / "campus-api.service"


def exec_start(program):
    """Return the arguments of the ExecStart line of the unit for this program."""
    line = re.search(rf"^(?:# )?ExecStart=\S*/({program} .*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    return line[1].split()


def start_granian(spawn, **environment):
    port = free_port()
    command = [str(port) if word == "6543" else word for word in exec_start("granian")]
    process = spawn(*command, CAMPUS_INI=str(PRODUCTION), **environment)
    process.url = f"http://127.0.0.1:{port}"
    # A worker that is stopped while it starts is killed only after --workers-kill-timeout.
    wait_for(lambda: process.poll() is not None or process.output().count("Started worker-") == 2, 60)
    assert process.poll() is None, process.output()
    return process


def start(spawn, server, **environment):
    """Start production.ini on one of SERVERS."""
    return (
        start_granian(spawn, **environment) if server == "granian" else start_server(spawn, PRODUCTION, **environment)
    )
