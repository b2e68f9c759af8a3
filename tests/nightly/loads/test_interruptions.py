"""SIGINT and SIGTERM end `campus-load` with status 130 and one line."""

import json
import os
import signal
from functools import partial

from tests.processes.commands import BIN, PRODUCTION, Process
from tests.processes.synthetic_data import Buildings

MESSAGE = "campus-load: interrupted: run the load again\n"


def test_a_load_that_reads_a_pipe_is_interrupted_and_one_in_the_background_of_a_shell_ignores_ctrl_c(
    spawn, tmp_path, mongod_uri
):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    arguments = ["check", pipe, "--config", PRODUCTION]
    for number in (signal.SIGINT, signal.SIGTERM):
        process = spawn("campus-load", *arguments, CAMPUS_MONGO_URI=mongod_uri)
        # Waits for the reader.
        with pipe.open("wb"):
            process.send_signal(number)
            assert (process.wait(), process.output()) == (130, MESSAGE), number

    environment = {**os.environ, "CAMPUS_MONGO_URI": mongod_uri}
    ignore = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    background = Process([BIN / "campus-load", *arguments], env=environment, preexec_fn=ignore)
    with pipe.open("w") as file:
        background.send_signal(signal.SIGINT)
        json.dump(Buildings(1).export("new"), file)
    assert background.wait() == 0
