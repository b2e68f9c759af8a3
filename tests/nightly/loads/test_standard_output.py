"""Standard output that is closed or full, or whose reader is gone; files on a full disk."""

import json
import os
import subprocess

import pytest

from campus_api.db.connection import read_record
from tests.factories import feature
from tests.processes.commands import BIN, ROOT

BUILDINGS = ROOT / "loaders" / "samples" / "buildings.geojson"
CLOSED, FULL = ">&-", ">/dev/full"
REASONS = {CLOSED: "Bad file descriptor", FULL: "No space left on device"}
COMMANDS = [
    ["campus-load", "--help"],
    ["campus-load", "--version"],
    ["campus-load", "dining", "--help"],
    ["campus-load", "profile", BUILDINGS],
    ["campus-load", "history", "--json"],
    ["campus-config", "--help"],
    ["campus-config", "settings"],
]
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


def test_standard_output_that_is_closed_or_full_is_an_error_but_output_without_a_reader_is_dropped(run):
    for command in COMMANDS:
        for redirection, reason in REASONS.items():
            message = f"{command[0]}: standard output cannot be written: {reason}\n"
            assert run(*command, redirection=redirection) == (5, message), command

        to_read, to_write = os.pipe()
        os.close(to_read)
        assert run(*command, stdout=to_write) == (0, ""), command
        os.close(to_write)


def test_samples_an_undo_a_dump_and_problems_to_a_full_disk_are_errors(run, tmp_path):
    export = tmp_path / "one.geojson"
    export.write_text(json.dumps({"type": "FeatureCollection", "features": [feature(1)]}))
    full = f"campus-load: standard output cannot be written: {REASONS[FULL]}"

    samples = run("campus-load", "samples", redirection=FULL)
    run("campus-load", "buildings", export, "--override", "all")
    undo = run("campus-load", "undo", "buildings", redirection=FULL)
    dump = run("campus-load", "dump", "dining", redirection=FULL)

    assert samples == (5, f"{full} (buildings: published as revision 1, dining: published as revision 1)\n")
    assert undo == (5, f"{full} (buildings: revision 2 is undone, published as revision 3)\n")
    assert dump == (5, f"{full}\n")

    export.write_text(json.dumps({"type": "FeatureCollection", "features": [feature("x")]}))
    status, message = run("campus-load", "buildings", export, "--problems", "/dev/full")
    reason = f"/dev/full cannot be written: {REASONS[FULL]} (buildings: invalid, nothing was changed)"
    assert (status, message.splitlines()[-1]) == (5, f"campus-load: {reason}")


def test_a_full_disk_for_temporary_files_is_an_error(run, mongod_database, tmp_path):
    # Buildings are written in chunks of 500: of these, before the export is read.
    features = [feature(id_, name=f"Hall {id_}") for id_ in range(600)]
    large = tmp_path / "large.geojson"
    large.write_text(json.dumps({"type": "FeatureCollection", "features": features}))

    for arguments in ([BUILDINGS], [BUILDINGS, "--json"], [large]):
        status, message = run("campus-load", "buildings", *arguments, limit=SMALL_FILES)

        assert (status, message) == (4, "campus-load: a temporary file cannot be read or written: File too large\n")
    assert read_record(mongod_database, "buildings") is None


def test_a_dump_that_does_not_fit_on_the_disk_leaves_the_one_before(run, tmp_path):
    run("campus-load", "samples")
    path = tmp_path / "dump.json"
    path.write_text("the dump of yesterday")

    status, message = run("campus-load", "dump", "dining", path, limit=SMALL_FILES)

    assert (status, message) == (2, f"campus-load: {path}: cannot be written: File too large\n")
    assert (path.read_text(), sorted(tmp_path.iterdir())) == ("the dump of yesterday", [path])


def test_what_prints_nothing_needs_no_standard_output(run):
    for redirection in REASONS:
        assert run("campus-load", "buildings", BUILDINGS, "--quiet", redirection=redirection) == (0, "")
        message = "campus-load: nowhere.json: cannot be read: No such file or directory\n"
        assert run("campus-load", "dining", "nowhere.json", "--json", redirection=redirection) == (2, message)
