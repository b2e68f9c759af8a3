"""The loop of waitress, which a signal ends as soon as the requests in flight are answered."""

import logging
import select
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, MultiSocketServer

_ANSWER_SECONDS = 20
_ARRIVAL_SECONDS = 1
_PAUSE = 0.1
_REST = 0.001

log = logging.getLogger(__name__)

Sockets = dict[int, wasyncore.dispatcher]


def run(sockets: Sockets, server: BaseWSGIServer | MultiSocketServer) -> None:
    """Serve on `sockets` until SIGTERM or Ctrl-C, then finish what has begun; a second signal ends it at once."""
    turn = partial(wasyncore.loop, use_poll=server.adj.asyncore_use_poll, map=sockets, count=1)
    with _noting_signals(partial(_wake, sockets)) as noted:
        while sockets and not noted:
            turn(server.adj.asyncore_loop_timeout)
            # Each turn looks at all connections: with so much to do, threads should do it before more is looked for.
            if len(server.task_dispatcher.queue) > server.adj.threads:
                time.sleep(_REST)
        _stop_listening(sockets)
        turn(0)
        _finish(sockets, turn)
        wasyncore.close_all(sockets)


@contextmanager
def _noting_signals(wake: Callable[[], None]) -> Iterator[list[int]]:
    """Yield a list that gets the number of the first signal to end; the next one acts as it did before."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    noted: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        restore()
        noted.append(number)
        wake()

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    for number in before:
        # A shell that starts a service in the background lets it ignore Ctrl-C.
        if before[number] is not signal.SIG_IGN:
            signal.signal(number, note)
    try:
        yield noted
    finally:
        restore()


def _wake(sockets: Sockets) -> None:
    for server in _of(BaseWSGIServer, sockets):
        server.pull_trigger()


def _stop_listening(sockets: Sockets) -> None:
    """Take the connections that wait in the kernel, which would be reset, and no more."""
    for server in _of(BaseWSGIServer, sockets):
        for _ in range(server.adj.backlog):
            if not select.select([server.socket], [], [], 0)[0]:
                break
            server.handle_accept()
        # The close of a server would also close the trigger with which threads wake the loop.
        wasyncore.dispatcher.close(server)


def _finish(sockets: Sockets, turn: Callable[[float], None]) -> None:
    """Answer the requests that have come, or are just coming, and end each connection behind its last one."""
    begun = time.monotonic()
    while busy := [channel for channel in _of(HTTPChannel, sockets) if _is_busy(channel, time.monotonic() - begun)]:
        if time.monotonic() - begun > _ANSWER_SECONDS:
            log.warning("%d requests were not answered within %d seconds", len(busy), _ANSWER_SECONDS)
            return
        for channel in busy:
            for last in channel.requests[-1:]:
                last.headers["CONNECTION"] = "close"
        turn(_PAUSE)


def _is_busy(channel: HTTPChannel, seconds: float) -> bool:
    arriving = channel.request is not None and seconds < _ARRIVAL_SECONDS
    return bool(channel.requests or channel.total_outbufs_len or arriving)


def _of(kind: type, sockets: Sockets) -> list:
    return [each for each in sockets.values() if isinstance(each, kind)]
