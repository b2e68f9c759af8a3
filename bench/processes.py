"""Run measured processes and servers."""

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
# ru_maxrss is in KiB on Linux, in bytes on macOS.
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
_START_SECONDS = 60
_STOP_SECONDS = 20


class ProcessFailed(Exception):
    """A measured process failed; the message is its command and its output."""


class ServerUnavailable(Exception):
    """A server could not be started; the message is the last line of its output."""


@dataclass(frozen=True)
class Run:
    """The wall time, peak memory and output of a process."""

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
    """Run a command with CAMPUS_MONGO_URI; ProcessFailed unless its exit status is 0.

    ru_maxrss includes the memory of the parent at fork, so the caller must be smaller than the measured process.
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
    return Run(time.perf_counter() - start, usage.ru_maxrss * _MAXRSS_UNIT / 1_000_000, output)


@contextlib.contextmanager
def serving(
    command: Sequence[str | Path], uri: str, settings: Mapping[str, str], url: str, log: Path
) -> Iterator[subprocess.Popen]:
    """Run a server and yield it when it responds at `url`; ServerUnavailable if it does not start."""
    with log.open("w", encoding="utf-8") as output, contextlib.ExitStack() as stack:
        # An exception between the start of the process and the registration of its end would leave it running.
        with _signals_deferred():
            try:
                # In a new session, Ctrl-C does not reach the server before the benchmark has ended.
                process = subprocess.Popen(
                    [str(part) for part in command],
                    cwd=ROOT,
                    env=_environment(uri) | settings,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            except FileNotFoundError as error:
                raise ServerUnavailable(f"{error.filename} is not installed") from None
            stack.callback(_stop, process)
        _wait_for(process, url, log)
        yield process


@contextlib.contextmanager
def _signals_deferred() -> Iterator[None]:
    """Handle SIGINT and SIGTERM only at the end of the block."""
    received: list[int] = []
    handlers = {
        number: signal.signal(number, lambda number, frame: received.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in received:
            signal.raise_signal(number)


def _environment(uri: str) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CAMPUS_")}
    return {**environment, "CAMPUS_MONGO_URI": uri}


def _wait_for(process: subprocess.Popen, url: str, log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError):
            try:
                urlopen(url, timeout=_START_SECONDS).close()
            except HTTPError as error:
                error.close()
            return
        time.sleep(0.1)
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    raise ServerUnavailable(next((line for line in reversed(lines) if line.strip()), "no output"))


def _stop(process: subprocess.Popen) -> None:
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_STOP_SECONDS)
    # Workers survive when their parent was killed.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
