"""Processes that are measured: their time, their greatest memory, what they print; servers, while they are needed."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]

_PYTHON = Path(sys.executable)
# What Linux counts in KiB, macOS counts in bytes.
_MEMORY_UNIT = 1 if sys.platform == "darwin" else 1024
_START_SECONDS = 60
_STOP_SECONDS = 20


class ProcessFailed(Exception):
    """A measured process ended badly; the message is its command and what it said."""


class Unavailable(Exception):
    """A server that could not be started; the message is the last that it said."""


@dataclass(frozen=True)
class Run:
    """What a process cost: seconds from start to end, megabytes of memory at its greatest, and its output."""

    seconds: float
    megabytes: float
    output: str


def campus_load(dataset: str, file: Path, uri: str) -> Run:
    """Run campus-load on one file."""
    command = [_PYTHON.with_name("campus-load"), dataset, file, "--config", ROOT / "production.ini"]
    return run([str(part) for part in command], uri)


def module(name: str, *arguments: str | Path, uri: str) -> Run:
    """Run a module of this package."""
    return run([str(_PYTHON), "-m", f"bench.{name}", *map(str, arguments)], uri)


def run(command: list[str], uri: str) -> Run:
    """Run a command with CAMPUS_MONGO_URI; ProcessFailed for any exit status but 0.

    A process begins with the memory of the one that starts it: callers must stay smaller than what they measure.
    """
    start = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=ROOT, env=_environment(uri), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    finally:
        if process.returncode is None:
            process.kill()
            process.wait()
        process.stdout.close()
    if process.returncode:
        raise ProcessFailed(f"{' '.join(command)}: exit status {process.returncode}\n{output}")
    return Run(time.perf_counter() - start, usage.ru_maxrss * _MEMORY_UNIT / 1_000_000, output)


@contextlib.contextmanager
def serving(
    command: Sequence[str | Path], uri: str, settings: Mapping[str, str], url: str, log: Path
) -> Iterator[None]:
    """Run a server that answers at `url`; Unavailable when it ends before, or is not there."""
    with log.open("w", encoding="utf-8") as said:
        try:
            # A session of its own keeps Ctrl-C from it: it ends when the measurement has ended.
            process = subprocess.Popen(
                [str(part) for part in command],
                cwd=ROOT,
                env=_environment(uri) | settings,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except FileNotFoundError as error:
            raise Unavailable(f"there is no {error.filename}") from None
    try:
        _wait_for(process, url, log)
        yield
    finally:
        _end(process)


def _environment(uri: str) -> dict[str, str]:
    others = {name: value for name, value in os.environ.items() if not name.startswith("CAMPUS_")}
    return {**others, "CAMPUS_MONGO_URI": uri}


def _wait_for(process: subprocess.Popen, url: str, log: Path) -> None:
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError):
            try:
                urlopen(url, timeout=_START_SECONDS).close()
            except HTTPError as error:
                error.close()
            return
        time.sleep(0.1)
    said = log.read_text(encoding="utf-8", errors="replace").split("\n")
    raise Unavailable(next((line for line in reversed(said) if line.strip()), "it said nothing"))


def _end(process: subprocess.Popen) -> None:
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_STOP_SECONDS)
    # Workers stay when what started them was killed.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
