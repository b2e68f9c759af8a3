"""The server that `pserve` starts: waitress, on a port that the command line may choose."""

import logging
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import waitress
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import BaseWSGIServer
from waitress.task import WSGITask

from campus_api import draining, interpreter, port

_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")


def serve(app: Callable, global_conf: Mapping[str, str], **options: Any) -> None:
    """Serve `app` until a signal ends the process; `http_port=8000` on the command line beats the ini file's `port`."""
    number = port.chosen(global_conf, options.pop("port", "6543"))
    BaseWSGIServer.channel_class = _Channel
    # Requests that wait for a thread are no trouble, and a line about each of them slows all of them down.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    interpreter.serve_well()
    sockets: dict[int, Any] = {}
    server = waitress.create_server(app, map=sockets, port=number, **options)
    server.print_listen("Serving on http://{}:{}")
    draining.run(sockets, server)


class _LenientParser(HTTPRequestParser):
    """A parser that takes URLs as people type them: `?name=café` as it stands, not percent-encoded."""

    def parse_header(self, header_plus: bytes) -> None:
        line, end, rest = header_plus.partition(b"\r\n")
        encoded = _BEYOND_ASCII.sub(lambda byte: b"%%%02X" % ord(byte[0]), line)
        super().parse_header(encoded + end + rest)


class _Task(WSGITask):
    """A request whose answer leaves in one piece: in two it takes a seventh more work from memory."""

    def build_response_header(self) -> bytes:
        self.channel.head = super().build_response_header()
        return b""

    def finish(self) -> None:
        super().finish()
        # Nobody has written a body.
        self.channel.write_soon(self.channel.take_head())


class _Channel(HTTPChannel):
    """A connection that keeps the head of an answer until its body comes, and copies nothing that it can send."""

    parser_class = _LenientParser
    task_class = _Task
    head = b""

    def take_head(self) -> bytes:
        head, self.head = self.head, b""
        return head

    def write_soon(self, data: bytes) -> int:
        """Send at once what the client takes at once; only the rest is copied, and waits for the loop."""
        if not data:
            return 0
        head = self.take_head()
        with self.outbuf_lock:
            # Behind what waits already it has to wait too.
            sent = 0 if self.total_outbufs_len else self._sent(head, data)
            if sent < len(head) + len(data):
                super().write_soon((head + data)[sent:])
        return len(data)

    def _sent(self, head: bytes, data: bytes) -> int:
        # What is wrong with the connection, the usual way meets too, and knows what to do.
        with suppress(OSError):
            # Another thread may have closed its socket, whose number another connection may have by now.
            return self.socket.sendmsg([head, data]) if self.connected else 0
        return 0
