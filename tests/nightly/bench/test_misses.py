"""The benchmark of responses that are not cached, with little data."""

import sys
from pathlib import Path

from tests.processes.commands import ROOT


def test_benchmark_prints_and_writes_the_cost_of_each_request(spawn, tmp_path):
    tiny = ["--buildings", 40, "--days", 5, "--rounds", 1, "--write", tmp_path / "misses.md"]
    process = spawn(Path(sys.executable).name, "-m", "bench.misses", *tiny, PYTHONPATH=str(ROOT))

    assert process.wait() == 0, process.output()
    markdown = (tmp_path / "misses.md").read_text()
    for name in ("all buildings, gzipped", "menus of all days, CSV", "calendar"):
        assert f"\n{name}  " in process.output()
        assert f"\n| {name} | " in markdown
