"""What `pserve` starts: the application, and waitress, with URLs as people type them and a graceful stop."""

import logging
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain
from typing import Any

import waitress
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import BaseWSGIServer
from waitress.wasyncore import dispatcher

import campus_api
from campus_api.settings import SettingError

_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
_PORT, _MAX_PORT = "6543", 65535
_STOP_SECONDS = 20


class ServerError(Exception):
    """A wrong option of the server, or an address that cannot be used."""


def make_app(global_conf: Mapping[str, str], **settings: str) -> Callable:
    """Return the WSGI application; a wrong setting ends the process with one line."""
    try:
        return campus_api.main(global_conf, **settings)
    except SettingError as error:
        raise SystemExit(str(error)) from None


def serve(app: Callable, global_conf: Mapping[str, str], **options: Any) -> None:
    """Serve `app` until SIGTERM or Ctrl-C, then finish the requests in flight."""
    # It warns of every request that waits for a thread, which slows all of them down.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    sockets: dict[int, dispatcher] = {}
    try:
        server = waitress.create_server(app, map=sockets, **resolve_options(global_conf, options))
    except (OSError, ValueError) as error:
        # One line instead of a traceback; on SystemExit pserve would end with status 0.
        sys.tracebacklimit = 0
        raise ServerError(f"The server cannot start on {_address(global_conf, options)}: {error}") from None
    listeners = [each for each in sockets.values() if isinstance(each, BaseWSGIServer)]
    for listener in listeners:
        listener.channel_class = _Channel
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    loop = partial(wasyncore.loop, server.adj.asyncore_loop_timeout, server.adj.asyncore_use_poll, sockets, count=1)
    server.print_listen("Serving on http://{}:{}")
    while not stop.is_set():
        loop()
    for listener in listeners:
        # The close() of BaseWSGIServer would also close the trigger with which threads wake the loop.
        dispatcher.close(listener)
    _finish_requests(sockets, loop)


def _finish_requests(sockets: Mapping[int, dispatcher], loop: Callable[[], None]) -> None:
    """Run the loop until every request is answered and every response is sent, for 20 seconds at most."""
    deadline = time.monotonic() + _STOP_SECONDS
    while time.monotonic() < deadline:
        channels = [each for each in sockets.values() if isinstance(each, HTTPChannel)]
        busy = [channel for channel in channels if channel.requests or channel.total_outbufs_len]
        if not busy:
            return
        for request in chain.from_iterable(list(channel.requests) for channel in busy):
            request.headers["CONNECTION"] = "close"
        loop()


def resolve_options(global_conf: Mapping[str, str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options for waitress, with the port unless `listen` or `unix_socket` say where to listen."""
    if "listen" not in options and "unix_socket" not in options:
        return {**options, "port": resolve_port(global_conf, options.get("port", _PORT))}
    if "http_port" in global_conf:
        raise ValueError("http_port may not be set if listen or unix_socket is set.")
    return dict(options)


def _address(global_conf: Mapping[str, str], options: Mapping[str, Any]) -> str:
    port = global_conf.get("http_port", options.get("port", _PORT))
    return options.get("unix_socket") or options.get("listen") or f"{options.get('host', '*')}:{port}"


def resolve_port(global_conf: Mapping[str, str], port: str) -> int:
    """Return the port number: that of `http_port=8000` on the command line, else that of the ini file."""
    name, text = ("http_port", global_conf["http_port"]) if "http_port" in global_conf else ("port", port)
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= _MAX_PORT):
        raise ValueError(f"{name} {text!r} is not a port number from 0 to {_MAX_PORT}.")
    return int(text)


class _Parser(HTTPRequestParser):
    """A parser that takes URLs as people type them: `?name=café` as it stands, not percent-encoded."""

    def parse_header(self, header_plus: bytes) -> None:
        line, end, rest = header_plus.partition(b"\r\n")
        encoded = _BEYOND_ASCII.sub(lambda byte: b"%%%02X" % ord(byte[0]), line)
        super().parse_header(encoded + end + rest)


class _Channel(HTTPChannel):
    """A connection of a client."""

    parser_class = _Parser
