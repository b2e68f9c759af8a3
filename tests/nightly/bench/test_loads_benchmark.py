"""The benchmark of loads, with little data."""

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.processes.commands import ROOT, wait_for
from tests.processes.mongod import processes_using

TINY = ["-m", "bench.loads", "--buildings", 200, "--days", 3, "--rounds", 1]
ROWS = [
    "database part, buildings: first load",
    "database part, dining: reload",
    "database part, both: first load",
    "database part, both: reload",
    "campus-load buildings: first load",
    "campus-load dining: reload",
    "memory of campus-load buildings: first load",
    "memory of campus-load buildings: reload",
]
LARGE_ROWS = [
    "memory of campus-load buildings, 1 MB of GeoJSON: first load",
    "memory of campus-load dining, 1 MB of FoodPro JSON: first load",
]


@pytest.fixture
def bench(spawn, folder):
    """Start the benchmark with its temporary files below `folder`."""

    def bench(*options):
        return spawn(Path(sys.executable).name, *TINY, *options, PYTHONPATH=str(ROOT), TMPDIR=folder)

    return bench


def test_benchmark_prints_and_writes_its_rows_and_cleans_up(bench, tmp_path, folder):
    process = bench("--large-mb", 1, "--write", tmp_path / "loads.md")

    # It runs for minutes.
    assert process.wait(600) == 0, process.output()
    markdown = (tmp_path / "loads.md").read_text()
    for row in ROWS + LARGE_ROWS:
        assert f"\n{row}  " in process.output()
        assert f"\n| {row} | " in markdown
    wait_for(lambda: not processes_using(folder))
    assert os.listdir(folder) == []


def test_thresholds_are_not_checked_for_other_sizes(bench):
    process = bench("--large-mb", 0)

    assert process.wait() == 0, process.output()
    verdicts = [line.split("  ")[-1].strip() for line in process.output().splitlines() if "<" in line]
    assert verdicts == ["not checked"] * 6


def test_ctrl_c_ends_the_benchmark_and_cleans_up(bench, folder):
    process = bench("--large-mb", 0)
    wait_for(lambda: "round 1" in process.output())

    process.send_signal(signal.SIGINT)

    assert process.wait() == 1
    wait_for(lambda: not processes_using(folder))
    assert os.listdir(folder) == []
