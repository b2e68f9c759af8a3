"""Progress and colours of `campus-load`: on a terminal only."""

import json
import os
import pty
import subprocess

import pytest

from tests.factories import foodpro_row
from tests.processes.commands import BIN, ROOT

TERMINAL = {"TERM": "xterm", "COLUMNS": "100"}


@pytest.fixture
def run(tmp_path, mongod_uri):
    """Load a file that takes a while to read; return the exit status, and what was written to each of both outputs."""
    path = tmp_path / "foodpro.json"
    path.write_text(json.dumps([foodpro_row(Recipe_Number=number) for number in range(5_000)]))
    command = [BIN / "campus-load", "dining", path, "--config", ROOT / "production.ini"]
    environment = os.environ | TERMINAL | {"CAMPUS_MONGO_URI": mongod_uri}

    def run(*options, terminal=None):
        """Run the command with a terminal as its `stdout` or `stderr`, if any; return the exit status and both."""
        outputs = dict.fromkeys(["stdout", "stderr"], subprocess.PIPE)
        ours, theirs = pty.openpty()
        if terminal:
            outputs[terminal] = theirs
        with subprocess.Popen([*command, *options], **outputs, env=environment) as process:
            os.close(theirs)
            shown = read_out(ours)
            printed = {name: getattr(process, name).read().decode() for name in outputs if name != terminal}
        os.close(ours)
        return process.returncode, printed | ({terminal: shown} if terminal else {})

    return run


def read_out(terminal):
    """Read a terminal until all processes have closed it."""
    message = b""
    while True:
        try:
            message += os.read(terminal, 1 << 16)
        except OSError:
            return message.decode()


def test_a_terminal_shows_the_number_of_records_and_results_in_colours(run):
    for terminal, start in {None: "dining: dry run, not", "stdout": "\x1b[1mdining: dry run, not"}.items():
        status, output = run("--dry-run", terminal=terminal)
        assert (status, output["stderr"], output["stdout"][: len(start)]) == (0, "", start), terminal

    status, output = run(terminal="stderr")

    assert (status, " records, " in output["stderr"]) == (0, True)
    assert output["stderr"].index("Reading: ") < output["stderr"].index("Writing: ")
    assert output["stdout"].startswith("dining: published as revision 1")
