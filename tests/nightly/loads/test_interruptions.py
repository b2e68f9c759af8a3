"""SIGINT and SIGTERM end `campus-load` with status 130 and one line, whatever it is doing."""

import json
import os
import signal
from functools import partial
from importlib.metadata import version

import pytest

from tests.processes.commands import BIN, PRODUCTION, Process, wait_for
from tests.processes.synthetic_data import Buildings

MESSAGE = "campus-load: interrupted: run the load again\n"
# In modules that the process imports instead of others: it says where it is, and stays there.
STAY = """
import atexit, ctypes, signal, socket

def stay(*_, **__):
    open("reached", "w").close()
    while True:
        signal.pause()

class Finalizer:
    __del__ = stay

def lock_twice(*_, **__):
    library, mutex = ctypes.CDLL(None), ctypes.create_string_buffer(64)
    library.pthread_mutex_lock(mutex)
    open("reached", "w").close()
    library.pthread_mutex_lock(mutex)
"""
DOWNLOAD = ["check", "http://localhost/menus.csv"]
IGNORE = "socket.getaddrinfo = lambda *_: [][Finalizer()]"
VERSION = f"campus-load, version {version('campus-api')}\n"
STAGES = {
    "it imports modules": (signal.SIGINT, "click", "stay()", DOWNLOAD, MESSAGE),
    "it has ended": (signal.SIGINT, "sitecustomize", "atexit.register(stay)", ["--version"], VERSION),
    "it ignores exceptions": (signal.SIGTERM, "sitecustomize", IGNORE, DOWNLOAD, MESSAGE),
    "it runs C code": (signal.SIGTERM, "sitecustomize", "socket.getaddrinfo = lock_twice", DOWNLOAD, MESSAGE),
}


@pytest.mark.parametrize("stage", STAGES)
def test_campus_load_is_interrupted_at_any_stage(spawn, tmp_path, stage):
    number, module, code, arguments, output = STAGES[stage]
    (tmp_path / f"{module}.py").write_text(STAY + code)
    process = spawn("campus-load", *arguments, PYTHONPATH=str(tmp_path))
    wait_for((tmp_path / "reached").exists)

    process.send_signal(number)

    assert (process.wait(), process.output()) == (130, output)


def test_a_load_that_reads_a_pipe_is_interrupted_and_one_in_the_background_of_a_shell_ignores_ctrl_c(
    spawn, tmp_path, mongod_uri
):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    arguments = ["check", pipe, "--config", PRODUCTION]
    process = spawn("campus-load", *arguments, CAMPUS_MONGO_URI=mongod_uri)
    # Waits for the reader.
    with pipe.open("wb"):
        process.send_signal(signal.SIGTERM)
        assert (process.wait(), process.output()) == (130, MESSAGE)

    environment = {**os.environ, "CAMPUS_MONGO_URI": mongod_uri}
    ignore = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    background = Process([BIN / "campus-load", *arguments], env=environment, preexec_fn=ignore)
    with pipe.open("w") as file:
        background.send_signal(signal.SIGINT)
        json.dump(Buildings(1).export("new"), file)
    assert background.wait() == 0
