"""`make run` in a checkout, as on a terminal: what it prints, and that Ctrl-C ends it in silence."""

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.processes.checkout import Checkout
from tests.processes.commands import Process, fetch, wait_for, wait_for_process


@pytest.fixture
def make_run(tmp_path):
    """Start `make run` in a new session, like a terminal."""
    checkout = Checkout(tmp_path)
    log = tmp_path / "make.out"
    with log.open("w") as output:
        process = Process(
            ["make", "run"],
            cwd=tmp_path,
            env=checkout.environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
    process.output, process.port = log.read_text, checkout.port
    yield process
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    process.wait()


def press_ctrl_c(process):
    os.killpg(process.pid, signal.SIGINT)
    process.wait()
    wait_for(lambda: not commands(process))


def commands(process):
    """Return the command lines in the session of a process."""
    lines = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if os.getsid(int(entry.name)) == process.pid:
                lines.append(entry.joinpath("cmdline").read_text())
    return [line for line in lines if line]


def test_the_url_to_open_is_the_last_line_and_ctrl_c_adds_none(make_run):
    wait_for_process(make_run, lambda: "Open " in make_run.output())
    output = make_run.output()
    assert output.splitlines()[-1] == f"Open http://localhost:{make_run.port}"
    assert fetch(f"http://localhost:{make_run.port}/map/buildings").status == 200

    press_ctrl_c(make_run)

    added = make_run.output().removeprefix(output)
    assert [line for line in added.splitlines() if "GET /map/buildings" not in line] == []
