"""The benchmark of HTTP throughput, for a short time."""

import contextlib
import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.processes.commands import ROOT, wait_for
from tests.programs import require

TINY = ["-m", "bench.throughput", "--buildings", 60, "--days", 4, "--rounds", 1, "--request", "building by id"]
SERVERS = ["campus-waitress", "campus-nginx-cache", "nginx-files"]
INSTALLED = [name for name, package in (("fastapi", "fastapi"), ("eve", "eve")) if find_spec(package)]
THRESHOLDS = ["campus-nginx-cache, building by id", "campus-waitress, building by id, 64 connections"]


@pytest.fixture
def bench(spawn, folder):
    """Start the benchmark of some servers with its temporary files below `folder`."""
    require("wrk")
    require("nginx")

    def bench(servers, *options):
        only = [option for name in servers for option in ("--only", name)]
        return spawn(Path(sys.executable).name, *TINY, *only, *options, PYTHONPATH=str(ROOT), TMPDIR=folder)

    return bench


def started_by(folder):
    """Return the command of each process that writes its output below `folder`, including orphans."""
    commands = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.readlink(entry / "fd/1").startswith(f"{folder}/") and entry.joinpath("cmdline").read_bytes():
                commands[int(entry.name)] = entry.joinpath("cmdline").read_bytes().replace(b"\0", b" ").decode()
    return commands


def test_benchmark_prints_and_writes_its_tables_and_cleans_up(bench, tmp_path, folder):
    process = bench(SERVERS + INSTALLED, "--write", tmp_path / "throughput.md")

    assert process.wait() == 0, process.output()
    markdown = (tmp_path / "throughput.md").read_text()
    for first in THRESHOLDS + SERVERS + INSTALLED:
        assert f"\n{first}  " in process.output()
        assert f"\n| {first} | " in markdown
    wait_for(lambda: not started_by(folder))
    assert os.listdir(folder) == []


@pytest.mark.parametrize(
    ("number", "progress"),
    [(signal.SIGINT, "starting nginx-files"), (signal.SIGTERM, "round 1")],
    ids=["Ctrl-C", "SIGTERM"],
)
def test_signal_ends_the_benchmark_and_cleans_up(bench, folder, number, progress):
    process = bench(["campus-waitress", "nginx-files"])
    wait_for(lambda: progress in process.output(), pause=0.01)
    assert any("pserve" in command for command in started_by(folder).values())

    process.send_signal(number)

    assert process.wait() == 1
    wait_for(lambda: not started_by(folder))
    assert os.listdir(folder) == []


def test_killed_server_ends_the_benchmark_and_cleans_up(bench, folder):
    process = bench(["nginx-files"])
    wait_for(lambda: "round 1" in process.output())

    killed = [number for number, command in started_by(folder).items() if command.startswith("nginx: ")]
    for number in killed:
        os.kill(number, signal.SIGKILL)

    assert len(killed) == 2

    assert process.wait() == 1
    assert "Socket errors" in process.output() or "unable to connect" in process.output()
    wait_for(lambda: not started_by(folder))
    assert os.listdir(folder) == []
