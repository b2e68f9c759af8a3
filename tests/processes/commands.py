"""Start and stop commands of the project, and wait for what they do."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
PRODUCTION = ROOT / "production.ini"
# Seconds to wait for an event, even on a busy machine.
DEADLINE = 20
# For the start of a server, or for a whole command: each imports the service, and may start a database.
PROCESS_DEADLINE = 60
# Database timeouts: for a busy machine, and for tests of outages.
PATIENT, IMPATIENT = {"CAMPUS_MONGO_TIMEOUT_MS": "10000"}, {"CAMPUS_MONGO_TIMEOUT_MS": "1000"}

_reserved = []


def wait_for(condition, seconds=DEADLINE, pause=0.05):
    """Call `condition` until it is true, and return its value; fail after `seconds`.

    It is not true while it raises an OSError, as `fetch` does if the server cannot be reached.
    """
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            if value := condition():
                return value
        time.sleep(pause)
    raise AssertionError(f"{condition} was not true within {seconds} seconds")


def wait_for_process(process, condition, pause=0.05):
    """Wait until a process has made a condition true, and return its value; fail at once if it has ended without."""

    def is_true():
        has_ended = process.poll() is not None
        value = condition()
        assert value or not has_ended, process.output()
        return value

    return wait_for(is_true, PROCESS_DEADLINE, pause)


def fetch(url, headers=None):
    """Return status, headers and body."""
    try:
        with urlopen(Request(url, headers=headers or {}), timeout=DEADLINE) as response:
            return SimpleNamespace(status=response.status, headers=response.headers, body=response.read())
    except HTTPError as error:
        with error:
            return SimpleNamespace(status=error.code, headers=error.headers, body=error.read())


def reserve_port():
    """Return a port on which only a program that gets its number can listen, again and again, until this process ends.

    A socket stays bound to it that does not listen: the system assigns the port to nobody else. For programs that
    cannot choose a port and report it.
    """
    reservation = socket.socket()
    reservation.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reservation.bind(("127.0.0.1", 0))
    _reserved.append(reservation)
    return reservation.getsockname()[1]


def write_ini(folder):
    """Write development.ini with its database below a folder and without tiles, and return its path."""
    text = re.sub(r"^map\..*\n", "", (ROOT / "development.ini").read_text(), flags=re.MULTILINE)
    assert "%(here)s/var/mongo" in text
    path = folder / "development.ini"
    path.write_text(text.replace("%(here)s/var/mongo", f"{folder}/mongo"))
    return path


def write_script(path, text):
    """Write a shell script that can be run."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


class Process(subprocess.Popen):
    """A subprocess with a default timeout."""

    def wait(self, timeout=PROCESS_DEADLINE):
        return super().wait(timeout)

    def pause(self):
        """Stop it until resume(); on a busy machine, its threads go on for some milliseconds after the signal."""
        self.send_signal(signal.SIGSTOP)
        os.waitpid(self.pid, os.WUNTRACED)

    def resume(self):
        self.send_signal(signal.SIGCONT)


@contextlib.contextmanager
def spawning(folder):
    """Yield a function that starts a command of the project; stop what still runs at the end."""
    numbers = count()

    def spawn(*arguments, **environment):
        log = folder / f"{Path(arguments[0]).name}-{next(numbers)}.log"
        with log.open("w") as output:
            process = Process(
                [BIN / arguments[0], *map(str, arguments[1:])],
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env={**os.environ, **environment},
                # Background jobs of a shell, and their children, ignore SIGINT.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )
        process.output = log.read_text
        stack.callback(stop, process)
        return process

    with contextlib.ExitStack() as stack:
        yield spawn


def stop(process):
    """Send SIGTERM; kill a process that does not end, and fail."""
    process.terminate()
    try:
        process.wait()
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        pytest.fail(f"{process.args} had to be killed: it did not end after SIGTERM")


def start_server(spawn, ini, *options, **environment):
    """Start `pserve` on a port of its choice, and wait until it listens there."""
    process = spawn("pserve", ini, "http_port=0", *options, **{**PATIENT, **environment})
    process.url = wait_for_process(process, lambda: url_of(process))
    return process


def url_of(server):
    """Return the URL in the log of `pserve`, or None before it listens."""
    logged = re.search(r"Serving on (http://127\.0\.0\.1:[0-9]+)", server.output())
    return logged and logged[1]


def load_samples(spawn, ini, **environment):
    """Load the samples into the database of an ini file."""
    load = spawn("campus-load", "samples", "--config", ini, **environment)
    assert load.wait() == 0, load.output()


def serve_samples(spawn, ini, **environment):
    """Load the samples into the database of an ini file, and start `pserve` on it."""
    load_samples(spawn, ini, **environment)
    return start_server(spawn, ini, **environment)
