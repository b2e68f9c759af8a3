"""Start and stop real processes."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
# Seconds to wait for an event, even on a busy machine.
DEADLINE = 180
# Database timeouts: for a busy machine, and for tests of outages.
PATIENT, IMPATIENT = {"CAMPUS_MONGO_TIMEOUT_MS": "10000"}, {"CAMPUS_MONGO_TIMEOUT_MS": "1000"}


def wait_for(condition, seconds=DEADLINE, pause=0.05):
    """Call `condition` until it is true, and return its value; fail after `seconds`."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        value = condition()
        if value:
            return value
        time.sleep(pause)
    raise AssertionError(f"{condition} was not true within {seconds} seconds")


def fetch(url):
    """Return status, headers and body, or None if the server cannot be reached."""
    try:
        with urlopen(url, timeout=30) as response:
            return SimpleNamespace(status=response.status, headers=response.headers, body=response.read())
    except HTTPError as error:
        with error:
            return SimpleNamespace(status=error.code, headers=error.headers, body=error.read())
    except OSError:
        return None


def is_running(pid):
    with contextlib.suppress(OSError):
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return False


def processes_using(folder):
    """Return the processes whose command line contains `folder`, by PID: mongod or other."""
    processes = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            arguments = entry.joinpath("cmdline").read_bytes().split(b"\0")
            if any(os.fsencode(folder) in argument for argument in arguments) and is_running(int(entry.name)):
                processes[int(entry.name)] = "mongod" if b"--dbpath" in arguments else "other"
    return processes


def mongod_of(folder):
    return [pid for pid, kind in processes_using(folder / "data").items() if kind == "mongod"]


def free_port():
    """Return a port that the system gives to no other process for a minute, because it is in TIME_WAIT."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        # The side that closes first waits.
        server.accept()[0].close()
        return server.getsockname()[1]


def free_ports(number):
    return [free_port() for _ in range(number)]


def write_ini(folder, **replacements):
    """Write development.ini with its database below a folder, and return its path."""
    text = (ROOT / "development.ini").read_text()
    for old, new in {"%(here)s/var/mongo": f"{folder}/mongo", **replacements}.items():
        assert old in text
        text = text.replace(old, new)
    path = folder / "development.ini"
    path.write_text(text)
    return path


class Process(subprocess.Popen):
    """A subprocess with a default timeout."""

    def wait(self, timeout=DEADLINE):
        return super().wait(timeout)


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
    """Start `pserve` on a free port and wait for its first response."""
    port = free_port()
    process = spawn("pserve", ini, f"http_port={port}", *options, **{**PATIENT, **environment})
    process.url = f"http://127.0.0.1:{port}"
    wait_for(lambda: process.poll() is not None or fetch(process.url))
    assert process.poll() is None, process.output()
    return process


def load_samples(spawn, ini, **environment):
    """Load the samples into the database of an ini file."""
    load = spawn("campus-load", "samples", "--config", ini, **environment)
    assert load.wait() == 0, load.output()


def serve_samples(spawn, ini, *options, **environment):
    """Load the samples into the database of an ini file, and start `pserve` on it."""
    load_samples(spawn, ini, **environment)
    return start_server(spawn, ini, *options, **environment)
