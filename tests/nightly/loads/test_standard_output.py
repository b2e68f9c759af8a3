"""Standard output that is full or whose reader is gone, and files on a full disk."""

import json
import os
import subprocess

import pytest

from tests.factories import feature
from tests.processes.commands import BIN, ROOT

BUILDINGS = ROOT / "loaders" / "samples" / "buildings.geojson"
FULL, NO_SPACE = ">/dev/full", "cannot be read or written: No space left on device"
OUTPUT = f"campus-load: standard output or a temporary file {NO_SPACE}"
# Without coverage, whose files would be limited, too.
SMALL_FILES = "unset COVERAGE_PROCESS_CONFIG; ulimit -f 8;"


@pytest.fixture
def run(mongod_uri, tmp_path):
    """Run a command after a limit and a redirection of the shell; return its exit status and standard error."""

    def run(program, *arguments, redirection="", stdout=None, limit=""):
        result = subprocess.run(
            ["sh", "-c", f'{limit} exec "$@" {redirection}', "sh", BIN / program, *arguments],
            env=os.environ | {"CAMPUS_MONGO_URI": mongod_uri},
            cwd=tmp_path,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
        )
        return result.returncode, result.stderr

    return run


def test_output_without_a_reader_ends_a_command_in_silence(run):
    for command in (["campus-load", "profile", BUILDINGS], ["campus-config", "settings"]):
        to_read, to_write = os.pipe()
        os.close(to_read)
        assert run(*command, stdout=to_write) == (1, ""), command
        os.close(to_write)


def test_samples_an_undo_a_dump_and_problems_to_a_full_disk_are_errors(run, tmp_path):
    export = tmp_path / "one.geojson"
    export.write_text(json.dumps({"type": "FeatureCollection", "features": [feature(1)]}))
    samples = run("campus-load", "samples", redirection=FULL)
    run("campus-load", "buildings", export, "--override", "all")
    undo = run("campus-load", "undo", "buildings", redirection=FULL)
    dump = run("campus-load", "dump", "dining", redirection=FULL)

    assert samples == (4, f"{OUTPUT} (buildings: published as revision 1, dining: published as revision 1)\n")
    assert undo == (4, f"{OUTPUT} (buildings: revision 2 is undone, published as revision 3)\n")
    assert dump == (4, f"{OUTPUT}\n")

    export.write_text(json.dumps({"type": "FeatureCollection", "features": [feature("x")]}))
    status, message = run("campus-load", "buildings", export, "--problems", "/dev/full")
    assert status == 4
    assert message.splitlines()[-1] == f"campus-load: /dev/full {NO_SPACE} (buildings: invalid, nothing was changed)"


def test_a_dump_that_does_not_fit_on_the_disk_leaves_the_one_before(run, tmp_path):
    run("campus-load", "samples")
    path = tmp_path / "dump.json"
    path.write_text("the dump of yesterday")

    status, message = run("campus-load", "dump", "dining", path, limit=SMALL_FILES)

    assert (status, message) == (2, f"campus-load: {path}: cannot be written: File too large\n")
    assert (path.read_text(), sorted(tmp_path.iterdir())) == ("the dump of yesterday", [path])
