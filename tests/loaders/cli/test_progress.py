"""How far a load has come is shown on a terminal, and nowhere else."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from loaders.cli.progress import track
from tests.factories import foodpro_row

CAMPUS_LOAD = Path(sys.executable).with_name("campus-load")
ROWS = 30_000


@pytest.fixture
def arguments(save, save_rows, mongod_uri):
    """The arguments of a trial load of a file that takes a while to read."""
    ini = save(f"[app:main]\nuse = egg:campus-api\nmongo.uri = {mongod_uri.replace('%', '%%')}\n", "own.ini")
    path = save_rows(*(foodpro_row(Recipe_Number=number) for number in range(ROWS)))
    return [CAMPUS_LOAD, "dining", path, "--dry-run", "--config", ini]


@pytest.fixture
def environ():
    """An environment with a terminal of a usual kind."""
    names = [name for name in os.environ if not name.startswith("CAMPUS_")]
    return {name: os.environ[name] for name in names} | {"TERM": "xterm", "COLUMNS": "100"}


def read_out(terminal):
    """Return all that is written to a terminal until nobody has it open."""
    said = b""
    while True:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        said += piece
    return said.decode()


def test_a_terminal_shows_how_many_records_were_read_and_how_fast(arguments, environ):
    ours, theirs = pty.openpty()
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=theirs, env=environ) as process:
        os.close(theirs)
        said = read_out(ours)
        results = process.stdout.read().decode()
    os.close(ours)

    assert process.returncode == 0
    assert "Reading: " in said
    assert " records/s" in said
    assert results.startswith("dining: dry run, nothing was written; ")


def test_elsewhere_nothing_of_it_is_shown(arguments, environ):
    ended = subprocess.run(arguments, capture_output=True, text=True, env=environ, check=False)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert "records/s" not in ended.stdout


def test_all_records_go_by_in_their_order():
    assert list(track(iter(range(1000)))) == list(range(1000))


def test_records_of_which_not_all_are_wanted_go_by():
    records = track(range(1000))

    assert [next(records), next(records)] == [0, 1]
    records.close()


def test_on_a_terminal_results_have_colours(arguments, environ):
    ours, theirs = pty.openpty()
    with subprocess.Popen(arguments, stdout=theirs, stderr=subprocess.PIPE, env=environ) as process:
        os.close(theirs)
        said = read_out(ours)
        problems = process.stderr.read()
    os.close(ours)

    assert (process.returncode, problems) == (0, b"")
    assert said.startswith("\x1b[1mdining: dry run, nothing was written; ")
