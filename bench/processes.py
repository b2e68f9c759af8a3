"""Run what is measured: a mongod, commands and servers."""

import fcntl
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from campus_api.db import embedded

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
_START_SECONDS = 60


@dataclass(frozen=True)
class Run:
    """The wall time and the peak memory of a process."""

    seconds: float
    megabytes: float


@contextmanager
def run_mongod(folder: Path) -> Iterator[str]:
    """Run a mongod, yield its URI, and wait for its end, so that its folder can be deleted."""
    uri, release = embedded.lease(folder)
    try:
        yield uri
    finally:
        release()
        # The supervisor holds this lock until mongod has stopped.
        with (folder / "supervisor.lock").open("a", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)


def run(*command: str | Path, uri: str) -> Run:
    """Run a command with the URI of a database; CalledProcessError unless its exit status is 0."""
    environment = _environment({"CAMPUS_MONGO_URI": uri})
    start = time.perf_counter()
    process = subprocess.Popen(list(map(str, command)), cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    try:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    finally:
        # Unless it has ended.
        process.kill()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    # In KiB on Linux; it includes the memory of this process when it forked.
    return Run(time.perf_counter() - start, usage.ru_maxrss * 1024 / 1_000_000)


def campus_load(dataset: str, file: Path, uri: str) -> Run:
    """Load an export."""
    return run(BIN / "campus-load", dataset, file, "--config", ROOT / "production.ini", uri=uri)


@contextmanager
def serving(command: Sequence[str], port: int, settings: Mapping[str, str], log: Path) -> Iterator[str]:
    """Run a server, and yield its URL when it responds."""
    url = f"http://127.0.0.1:{port}"
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=_environment(settings), stdout=output, stderr=output)
    try:
        _wait_for(process, url, log)
        yield url
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def fetch(url: str) -> bytes:
    """Return the body of a response."""
    with urlopen(url, timeout=_START_SECONDS) as response:
        return response.read()


def _environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with these settings of the service and no others."""
    return {name: value for name, value in os.environ.items() if not name.startswith("CAMPUS_")} | settings


def _wait_for(process: subprocess.Popen, url: str, log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            fetch(url)
        except OSError:
            time.sleep(0.1)
        else:
            return
    sys.exit(f"{process.args} did not start:\n{log.read_text(encoding='utf-8')}")
