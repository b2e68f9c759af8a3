"""What `pserve` starts: the application, and waitress, with URLs as people type them and a graceful stop."""

import gc
import logging
import re
import signal
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import quote

import orjson
import waitress
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import BaseWSGIServer, MultiSocketServer
from waitress.task import WSGITask
from waitress.utilities import Error
from waitress.wasyncore import dispatcher

from campus_api.http.request_id import HEADER, bind_request_id
from campus_api.http.response import COMMON_HEADERS
from campus_api.settings import parse_integer
from campus_api.views.errors import PROBLEM_HEADERS, problem_body

_ASCII = bytes(range(128))
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
# RFC 9112, section 3, without the authority form that only proxies need.
_REQUEST_LINE = re.compile(rb"[^ ]+ (?:/|\*|(?i:https?)://)[^ ]*(?: HTTP/([0-9]\.[0-9]))?")
# RFC 3986, section 3.2.2, with an optional port; empty if the target has no host.
_HOST = re.compile(rb"(?:\[[0-9A-Za-z:.]+\]|[0-9A-Za-z._~!$&'()*+,;=%-]*)(?::[0-9]*)?")
_MAX_BLANKS = 64
_MAX_HEADERS = 100
_MAX_HEADER_LINE = 16384
_PORT = "6543"
_STOP_SECONDS = 20


class ServerError(Exception):
    """A wrong option of the server, or an address that cannot be used."""


def serve(app: Callable, global_conf: Mapping[str, str], **options: Any) -> None:
    """Serve `app` until SIGTERM or Ctrl-C, then finish the requests in flight."""
    # It warns of every request that waits for a thread, which slows all of them down.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    sockets: dict[int, dispatcher] = {}
    try:
        resolved = resolve_options(global_conf, options)
        # Rejects names of other arguments of create_server(), such as map.
        Adjustments(**resolved)
        server = waitress.create_server(app, map=sockets, **resolved)
    except (OSError, ValueError) as error:
        # One line instead of a traceback; on SystemExit pserve would end with status 0.
        sys.tracebacklimit = 0
        port = global_conf.get("http_port", options.get("port", _PORT))
        address = options.get("unix_socket") or options.get("listen") or f"{options.get('host', '*')}:{port}"
        raise ServerError(f"The server cannot start on {address}: {error}") from None
    tune_interpreter()
    _run(server, sockets)


def tune_interpreter() -> None:
    """Set the switch interval, and exempt what exists from garbage collection; for this server and others."""
    # With the default of 5 ms, the threads of a server wait for each other most of the time.
    sys.setswitchinterval(0.0001)
    gc.freeze()
    # A list of buildings is a tree of thousands of lists without garbage, which else takes up to three times as long.
    gc.set_threshold(50_000)


def _run(server: BaseWSGIServer | MultiSocketServer, sockets: dict[int, dispatcher]) -> None:
    """Run the loop of waitress until a signal, then close the listening sockets and finish what has been received."""
    listeners = [each for each in sockets.values() if isinstance(each, BaseWSGIServer)]
    for listener in listeners:
        listener.channel_class = _Channel
    is_stopped = False

    def handle_signal(number: int, _: object) -> None:
        nonlocal is_stopped
        # A second one ends the process at once.
        signal.signal(number, signal.SIG_DFL)
        is_stopped = True
        # wake the loop
        listeners[0].pull_trigger()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, handle_signal)
    server.print_listen("Serving on http://{}:{}")
    loop = partial(wasyncore.loop, server.adj.asyncore_loop_timeout, server.adj.asyncore_use_poll, sockets, count=1)
    while not is_stopped:
        loop()
    # A response that comes after the listening sockets are closed says that the connection is, too.
    _close_after_responses(sockets)
    for listener in listeners:
        # The close() of BaseWSGIServer would also close the trigger with which threads wake the loop.
        dispatcher.close(listener)
    deadline = time.monotonic() + _STOP_SECONDS
    while _close_after_responses(sockets) and time.monotonic() < deadline:
        loop()


def _close_after_responses(sockets: Mapping[int, dispatcher]) -> bool:
    """Let the connections close after the responses to requests; return whether there are any."""
    channels = [each for each in sockets.values() if isinstance(each, HTTPChannel)]
    busy = [channel for channel in channels if channel.requests or channel.total_outbufs_len]
    for channel in busy:
        for request in list(channel.requests):
            request.headers["CONNECTION"] = "close"
    return bool(busy)


def resolve_options(global_conf: Mapping[str, str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options for waitress, with the port unless `listen` or `unix_socket` say where to listen.

    The port is that of `http_port=8000` on the command line, else that of the ini file. ValueError for a wrong option.
    """
    if "threads" in options:
        # With 0, waitress would accept connections and never respond.
        parse_integer(1, 1000, "number of threads", options["threads"])
    if "listen" not in options and "unix_socket" not in options:
        port = global_conf.get("http_port", options.get("port", _PORT))
        return {**options, "port": parse_integer(0, 65535, "port number", port)}
    if "http_port" in global_conf:
        raise ValueError("http_port may not be set if listen or unix_socket is set.")
    return dict(options)


class RequestParser(HTTPRequestParser):
    """A parser that takes URLs as people type them (`?name=café`), and no header that takes quadratic time to parse."""

    error: "Error | _ProblemResponse | None"

    def received(self, data: bytes) -> int:
        """Parse a part of a request; return how many bytes were consumed."""
        consumed = super().received(data)
        if not self.completed or self.empty:
            return consumed
        # waitress would send a 100 and wait for more, although the request is complete.
        self.expect_continue = False
        if self.error:
            self.error = _ProblemResponse(self.error, self.headers)
        if consumed < len(data):
            # Pipelined requests are dropped: all their responses would wait in memory for a client that may not read.
            self.headers["CONNECTION"] = "close"
        return len(data)

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the request line and the headers; ParsingError for what is no HTTP or not accepted."""
        check_header(header_plus)
        line, end, rest = header_plus.partition(b"\r\n")
        try:
            super().parse_header(quote(line, safe=_ASCII).encode("ascii") + end + rest)
        except ValueError:
            # Of int() for over 4,300 digits, of urlsplit() for "http://[::1/".
            raise ParsingError("The Content-Length or the request target is not valid.") from None


def check_header(header_plus: bytes) -> None:
    """Raise ParsingError for a header that is not valid (RFC 9112), or takes waitress quadratic time to parse.

    https://github.com/Pylons/waitress/blob/v3.0.2/src/waitress/rfc7230.py
    """
    request_line, *lines = header_plus.removesuffix(b"\r\n\r\n").split(b"\r\n")
    if len(lines) > _MAX_HEADERS or any(len(line) > _MAX_HEADER_LINE for line in lines):
        raise ParsingError(f"There are more than {_MAX_HEADERS} headers, or one has over {_MAX_HEADER_LINE} bytes.")
    has_blanks = b" " * (_MAX_BLANKS + 1) in header_plus.replace(b"\t", b" ")
    is_continued = any(line.startswith((b" ", b"\t")) for line in lines)
    if has_blanks or is_continued or _CONTROL.search(header_plus.replace(b"\r\n", b"")):
        raise ParsingError(f"A line has a control character, over {_MAX_BLANKS} blanks, or one at its beginning.")
    match = _REQUEST_LINE.fullmatch(request_line.rstrip(b" \t"))
    hosts = [line[5:].strip(b" \t") for line in lines if line[:5].lower() == b"host:"]
    # Section 3.2: one Host header, or none before HTTP/1.1.
    has_host = len(hosts) == 1 or (match and not hosts and (match[1] or b"") < b"1.1")
    if not (match and has_host and all(map(_HOST.fullmatch, hosts))):
        raise ParsingError("The request line or the Host header is not valid.")


class _ProblemResponse(NamedTuple):
    """An error of waitress as a problem document, in place of its text."""

    error: Error
    headers: Mapping[str, str]

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Return status, headers and body; waitress calls this."""
        request_id = bind_request_id({"HTTP_X_REQUEST_ID": self.headers.get("X_REQUEST_ID")})
        headers = [*PROBLEM_HEADERS, (HEADER, request_id), *COMMON_HEADERS]
        body = orjson.dumps(problem_body(self.error.code, self.error.body))
        return f"{self.error.code} {self.error.reason}", headers, body


class _Task(WSGITask):
    def set_close_on_finish(self) -> None:
        """Close the connection after the response, but not because a 204 or a 304 has no length (RFC 9112, 6.3)."""
        if self.has_body or self.version == "1.0" or self.request.headers.get("CONNECTION", "").lower() == "close":
            super().set_close_on_finish()


class _Channel(HTTPChannel):
    parser_class = RequestParser
    task_class = _Task

    def writable(self) -> bool:
        """Close the connection when its channel_timeout is over, even if its client does not read.

        waitress would wait for the socket to become writable, for such a client for ever.
        """
        if self.will_close:
            self.handle_close()
            return False
        return super().writable()
