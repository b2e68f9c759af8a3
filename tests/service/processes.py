"""Real processes: started here, ended here, by their own numbers."""

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
# Seconds after which something will never happen, however busy the machine is.
DEADLINE = 180
# How long a server of the tests waits for a MongoDB that runs on a busy machine, or for one that may be away.
PATIENT, IMPATIENT = {"CAMPUS_MONGO_TIMEOUT_MS": "10000"}, {"CAMPUS_MONGO_TIMEOUT_MS": "1000"}


def wait_for(ask, seconds=DEADLINE, pause=0.05):
    """Return the first true answer of `ask`; fail when there is none in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        answer = ask()
        if answer:
            return answer
        time.sleep(pause)
    raise AssertionError(f"{ask} was not true within {seconds} seconds")


def fetch(url):
    """Return status, headers and body; None while nobody answers."""
    try:
        with urlopen(url, timeout=30) as answer:
            return SimpleNamespace(status=answer.status, headers=answer.headers, body=answer.read())
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
    """Return the numbers of the processes whose command line names `folder`, mongod and its supervisor among them."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            arguments = entry.joinpath("cmdline").read_bytes().split(b"\0")
            if any(os.fsencode(folder) in argument for argument in arguments) and is_running(int(entry.name)):
                found[int(entry.name)] = "mongod" if b"--dbpath" in arguments else "other"
    return found


def mongod_of(folder):
    return [pid for pid, what in processes_using(folder / "data").items() if what == "mongod"]


def free_ports(number):
    with contextlib.ExitStack() as opened:
        sockets = [opened.enter_context(socket.socket()) for _ in range(number)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def free_port():
    return free_ports(1)[0]


def write_ini(folder, **replacements):
    """Write development.ini with its MongoDB in a folder, and return its path."""
    text = (ROOT / "development.ini").read_text()
    for old, new in {"%(here)s/var/mongo": f"{folder}/mongo", **replacements}.items():
        assert old in text
        text = text.replace(old, new)
    path = folder / "development.ini"
    path.write_text(text)
    return path


class Process(subprocess.Popen):
    """A command that a test has started."""

    def wait(self, timeout=DEADLINE):
        return super().wait(timeout)


@contextlib.contextmanager
def spawning(folder):
    """Yield what starts a command of this project; whatever still runs at the end is stopped."""
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
                # A shell that runs the tests in the background has Ctrl-C ignored, by their children too.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )
        process.said = log.read_text
        stack.callback(stop, process)
        return process

    with contextlib.ExitStack() as stack:
        yield spawn


def stop(process):
    """End a process with SIGTERM; one that outlives it is killed, and fails the test."""
    process.terminate()
    try:
        process.wait()
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        pytest.fail(f"{process.args} had to be killed: it did not end after SIGTERM")


def start_server(spawn, ini, *options, **environment):
    """Start `pserve` on an ini file and a port of its own, and wait for its first answer."""
    port = free_port()
    process = spawn("pserve", ini, f"http_port={port}", *options, **{**PATIENT, **environment})
    process.url = f"http://127.0.0.1:{port}"
    wait_for(lambda: process.poll() is not None or fetch(process.url))
    assert process.poll() is None, process.said()
    return process


def serve_samples(spawn, ini, *options, **environment):
    """Load the samples into the database of an ini file, and start `pserve` on it."""
    load = spawn("campus-load", "samples", "--config", ini, **environment)
    assert load.wait() == 0, load.said()
    return start_server(spawn, ini, *options, **environment)
