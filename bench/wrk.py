"""Load tests with wrk."""

import re
import subprocess
from dataclasses import dataclass

import click

_MILLISECONDS = {"us": 0.001, "ms": 1, "s": 1000, "m": 60_000}
_ERRORS = ("Socket errors", "Non-2xx")


@dataclass(frozen=True)
class Figure:
    """Requests per second, and the 99th percentile of latency in milliseconds."""

    rate: float
    p99: float


def measure(url: str, connections: int, seconds: int) -> Figure:
    """Run wrk against `url`; a single failed request ends the benchmark."""
    command = ["wrk", "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s"]
    process = subprocess.run([*command, "--timeout", "60s", "--latency", url], capture_output=True, text=True)
    return parse(process.stdout if process.returncode == 0 else f"{process.stdout}{process.stderr}", url)


def parse(output: str, url: str) -> Figure:
    """Parse the output of wrk."""
    rate = re.search(r"Requests/sec: +([0-9.]+)", output)
    p99 = re.search(r" 99% +([0-9.]+)(us|ms|s|m)\s", output)
    if rate is None or p99 is None or any(error in output for error in _ERRORS):
        raise click.ClickException(f"{url}\n{output}")
    return Figure(float(rate[1]), float(p99[1]) * _MILLISECONDS[p99[2]])
