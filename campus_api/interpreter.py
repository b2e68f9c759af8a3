"""How the interpreter and the system run a server: many short requests in a few threads."""

import gc
import os
import random
import socket
import sys
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

# With Python's 5 ms, threads that want the interpreter now and then wait for each other most of the time.
_SWITCH_SECONDS = 0.0005
# An answer is a tree of thousands of lists, in which there is no garbage to find.
_OBJECTS_BEFORE_A_LOOK = 50_000
# Those of this process, where the system is Linux; also those that are not of Python.
_THREADS = Path("/proc/self/task")

_claims: list[socket.socket] = []


def serve_well() -> None:
    """Let threads change more often, on a core of their own, and look for garbage more seldom, and only in what is new.

    Threads that are there already have the same core; those that come later inherit it, and wait for their turn when
    they wake, as this one does.
    """
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BEFORE_A_LOOK, 20, 20)
    if _THREADS.is_dir():
        _stay_on(claimed(os.sched_getaffinity(0)))
    be_patient()


def claimed(cores: Collection[int]) -> int:
    """Return the one of `cores` that this process has from now on: one that no other has, while there are such."""
    shuffled = random.sample(sorted(cores), len(cores))
    for core in shuffled:
        claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            # A name without a file, which is free again when the process ends, however it does.
            claim.bind(f"\0campus-api core {core}")
        except OSError:
            claim.close()
            continue
        _claims.append(claim)
        return core
    return shuffled[0]


def be_patient() -> None:
    """Let this thread, and those that it starts, wait for their turn when they wake, not interrupt another one."""
    # The system may not have this, or a container forbid it, which only makes the service slower.
    with suppress(AttributeError, OSError):
        # What else an operator has chosen stays.
        if os.sched_getscheduler(0) == os.SCHED_OTHER:
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def _stay_on(core: int) -> None:
    """Let all threads run on `core`.

    Only one at a time runs Python. On several cores each call of the system wakes another one, mostly in vain: it took
    a third of the time of answers from MongoDB.
    """
    for thread in map(int, os.listdir(_THREADS)):
        # It may have ended, or a container forbid this.
        with suppress(OSError):
            os.sched_setaffinity(thread, {core})
