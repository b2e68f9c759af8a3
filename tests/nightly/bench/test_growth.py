"""The benchmark of growth, with little data."""

import sys
from pathlib import Path

from tests.processes.commands import ROOT

TINY = ["-m", "bench.growth", "--buildings", 40, "--buildings", 200, "--days", 5, "--days", 12, "--rounds", 3]
ROWS = [
    "search for a word: 200 buildings",
    "search for trigrams that are all common: 200 buildings",
    "search for two characters: 40 buildings",
    "a plain regex scan for a word: 200 buildings",
    "menu of a day, whole: 12 days",
    "menu of a day, one meal at two locations: 12 days",
]


def test_benchmark_prints_and_writes_its_rows_without_checking_thresholds(spawn, tmp_path):
    process = spawn(Path(sys.executable).name, *TINY, "--write", tmp_path / "growth.md", PYTHONPATH=str(ROOT))

    assert process.wait() == 0, process.output()
    markdown = (tmp_path / "growth.md").read_text()
    for row in ROWS:
        assert f"\n{row}  " in process.output()
        assert f"\n| {row} | " in markdown
    assert markdown.count("| not checked |") == 7
