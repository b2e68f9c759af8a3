"""Servers as operators start them: waitress with pserve, granian with the command in deploy/."""

import json
import re

from tests.factories import NOON
from tests.processes.commands import IMPATIENT, PRODUCTION, ROOT, fetch, reserve_port, start_server, wait_for_process

SERVERS = ["waitress", "granian"]
UNIT = ROOT / "deploy" / "campus-api.service"
# The entries of the warm-up: four lists, and the menus, dishes and hours of today and tomorrow.
WARM_ENTRIES = 10


def start_granian(spawn, **environment):
    """Start granian as the unit does."""
    port = reserve_port()
    line = re.search(r"^# ExecStart=\S*/(granian .*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    command = line[1].replace("6543", str(port)).split()
    process = spawn(*command, CAMPUS_INI=str(PRODUCTION), **environment)
    process.url = f"http://127.0.0.1:{port}"
    wait_for_workers(process, 2)
    return process


def wait_for_workers(granian, number):
    """Wait until this number of workers have started.

    A worker that is stopped while it starts is killed only after --workers-kill-timeout.
    """
    wait_for_process(granian, lambda: granian.output().count("Started worker-") >= number)


def start(spawn, server, **environment):
    """Start production.ini on one of SERVERS."""
    return (
        start_granian(spawn, **environment) if server == "granian" else start_server(spawn, PRODUCTION, **environment)
    )


def get_json(server, path):
    return json.loads(fetch(server.url + path).body)


def health(server):
    return get_json(server, "/__heartbeat__")


def metric(server, name):
    lines = fetch(f"{server.url}/__metrics__").body.decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))


def start_warm_server(spawn, mongod):
    """Start a service with a warm cache that also contains one building."""
    server = start_server(spawn, PRODUCTION, CAMPUS_MONGO_URI=mongod.uri(), CAMPUS_CLOCK_FROZEN_AT=NOON, **IMPATIENT)
    wait_for_process(server, lambda: fetch(f"{server.url}/map/buildings/1").status == 200)
    wait_for_process(server, lambda: health(server)["cache"]["entries"] == WARM_ENTRIES + 1)
    return server
