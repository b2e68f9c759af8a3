"""Load by wrk, and what it says of it."""

import re
import subprocess
from dataclasses import dataclass

import click

_MILLISECONDS = {"us": 0.001, "ms": 1, "s": 1000, "m": 60_000}
_FAULTS = ("Socket errors", "Non-2xx")


@dataclass(frozen=True)
class Figure:
    """Answers a second, and the milliseconds in which 99 % of them came."""

    rate: float
    p99: float


def measure(url: str, connections: int, seconds: int) -> Figure:
    """Ask for `url` as often as the connections can; a fault of one answer ends the measurement."""
    command = ["wrk", "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s"]
    run = subprocess.run([*command, "--timeout", "60s", "--latency", url], capture_output=True, text=True)
    return figure(run.stdout if run.returncode == 0 else f"{run.stdout}{run.stderr}", url)


def figure(said: str, url: str) -> Figure:
    """Return what stands in the words of wrk about `url`."""
    rate = re.search(r"Requests/sec: +([0-9.]+)", said)
    p99 = re.search(r" 99% +([0-9.]+)(us|ms|s|m)\s", said)
    if rate is None or p99 is None or any(fault in said for fault in _FAULTS):
        raise click.ClickException(f"{url}\n{said}")
    return Figure(float(rate[1]), float(p99[1]) * _MILLISECONDS[p99[2]])
