"""How the interpreter works for a server: many short requests in a few threads."""

import gc
import os
import random
import sys
from contextlib import suppress
from pathlib import Path

# With Python's 5 ms, threads that want the interpreter now and then wait for each other most of the time.
_SWITCH_SECONDS = 0.0005
# An answer is a tree of thousands of lists, in which there is no garbage to find.
_OBJECTS_BEFORE_A_LOOK = 50_000
# Those of this process, where the system is Linux; also those that are not of Python.
_THREADS = Path("/proc/self/task")


def serve_well() -> None:
    """Let threads change more often, and look for garbage more seldom, and not in what the start has made."""
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BEFORE_A_LOOK, 20, 20)


def stay_on_one_core() -> None:
    """Let all threads run on one core, any of those that the process may use, where the system can do that.

    Only one at a time runs Python. On several cores each call of the system wakes another one, mostly in vain: it took
    a third of the time of answers from MongoDB.
    """
    if _THREADS.is_dir():
        core = random.choice(sorted(os.sched_getaffinity(0)))  # noqa: S311 - no secret
        for thread in _THREADS.iterdir():
            # It may have ended.
            with suppress(ProcessLookupError):
                os.sched_setaffinity(int(thread.name), {core})
