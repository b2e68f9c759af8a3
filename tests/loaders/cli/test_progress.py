"""Progress is shown on a terminal only."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from loaders.cli.terminal import track
from tests.factories import foodpro_row

pytestmark = pytest.mark.slow

CAMPUS_LOAD = Path(sys.executable).with_name("campus-load")
ROWS = 5_000


@pytest.fixture
def arguments(save, save_rows, mongod_uri):
    """The arguments of a dry run with a file that takes a while to read."""
    ini = save(f"[app:main]\nuse = egg:campus-api\nmongo.uri = {mongod_uri.replace('%', '%%')}\n", "own.ini")
    path = save_rows(*(foodpro_row(Recipe_Number=number) for number in range(ROWS)))
    return [CAMPUS_LOAD, "dining", path, "--dry-run", "--config", ini]


@pytest.fixture
def environ():
    """An environment with a common terminal type."""
    names = [name for name in os.environ if not name.startswith("CAMPUS_")]
    return {name: os.environ[name] for name in names} | {"TERM": "xterm", "COLUMNS": "100"}


def read_out(terminal):
    """Read a terminal until all processes have closed it."""
    message = b""
    while True:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        message += piece
    return message.decode()


def test_a_terminal_shows_the_number_and_rate_of_records(arguments, environ):
    ours, theirs = pty.openpty()
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=theirs, env=environ) as process:
        os.close(theirs)
        message = read_out(ours)
        results = process.stdout.read().decode()
    os.close(ours)

    assert process.returncode == 0
    assert "Reading: " in message
    assert " records/s" in message
    assert results.startswith("dining: dry run, nothing was written; ")


def test_no_progress_is_shown_without_a_terminal(arguments, environ):
    result = subprocess.run(arguments, capture_output=True, text=True, env=environ, check=False)

    assert (result.returncode, result.stderr) == (0, "")
    assert "records/s" not in result.stdout


def test_all_records_are_yielded_in_order():
    assert list(track(iter(range(1000)))) == list(range(1000))


def test_iteration_may_stop_early():
    records = track(range(1000))

    assert [next(records), next(records)] == [0, 1]
    records.close()


def test_on_a_terminal_results_have_colours(arguments, environ):
    ours, theirs = pty.openpty()
    with subprocess.Popen(arguments, stdout=theirs, stderr=subprocess.PIPE, env=environ) as process:
        os.close(theirs)
        message = read_out(ours)
        errors = process.stderr.read()
    os.close(ours)

    assert (process.returncode, errors) == (0, b"")
    assert message.startswith("\x1b[1mdining: dry run, nothing was written; ")


def test_writing_shows_its_progress_too(arguments, environ):
    ours, theirs = pty.openpty()
    command = [argument for argument in arguments if argument != "--dry-run"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=environ) as process:
        os.close(theirs)
        message = read_out(ours)
        process.stdout.read()
    os.close(ours)

    assert process.returncode == 0
    assert message.index("Reading: ") < message.index("Writing: ")
