"""How the interpreter works for a server: many short requests in a few threads."""

import gc
import sys

# With Python's 5 ms, threads that want the interpreter now and then wait for each other most of the time.
_SWITCH_SECONDS = 0.0005
# An answer is a tree of thousands of lists, in which there is no garbage to find.
_OBJECTS_BEFORE_A_LOOK = 50_000


def serve_well() -> None:
    """Let threads change more often, and look for garbage more seldom, and not in what the start has made."""
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BEFORE_A_LOOK, 20, 20)
