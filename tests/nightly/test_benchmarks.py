"""The benchmarks, with little data."""

import os
import sys
from pathlib import Path

import pytest

from tests.processes.commands import ROOT
from tests.programs import require

PYTHON = Path(sys.executable).name
LOADS = ["-m", "bench.loads", "--buildings", 200, "--days", 3, "--rounds", 1]
THROUGHPUT = ["-m", "bench.throughput", "--buildings", 60, "--days", 2, "--rounds", 1, "--seconds", 1]


def rows(process):
    return [line.split(" | ") for line in process.output().splitlines() if line.startswith("| ")][2:]


def test_loads_are_compared_with_insert_many(spawn, folder):
    process = spawn(PYTHON, *LOADS, PYTHONPATH=str(ROOT), TMPDIR=folder)

    # It runs several programs, one after the other.
    assert process.wait(600) == 0, process.output()
    loads = [f"{data}, {load}" for data in ("200 buildings", "3 days of menus") for load in ("first load", "unchanged")]
    assert [row[0].removeprefix("| ") for row in rows(process)] == loads
    assert os.listdir(folder) == []


def test_throughput_is_compared_with_a_peer(spawn, folder):
    require("wrk")
    pytest.importorskip("fastapi", reason="make bench installs it")
    process = spawn(PYTHON, *THROUGHPUT, PYTHONPATH=str(ROOT), TMPDIR=folder)

    assert process.wait(600) == 0, process.output()
    assert [row[1] for row in rows(process)] == ["waitress", "granian", "FastAPI"] * 5
    assert os.listdir(folder) == []
