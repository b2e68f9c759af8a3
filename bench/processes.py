"""Processes that are measured: their time, their greatest memory, what they print."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]

_PYTHON = Path(sys.executable)
# What Linux counts in KiB, macOS counts in bytes.
_MEMORY_UNIT = 1 if sys.platform == "darwin" else 1024


class ProcessFailed(Exception):
    """A measured process ended badly; the message is its command and what it said."""


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
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CAMPUS_")}
    environment["CAMPUS_MONGO_URI"] = uri
    start = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
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
