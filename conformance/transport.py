"""Requests over HTTP, however odd: nothing is followed, unpacked, corrected or left out on the way."""

import contextlib
import socket
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Event, Timer
from urllib.parse import urlsplit

_SECONDS = 10
_WITHOUT_BODY = (204, 304)

Received = tuple[int, dict[str, str], bytes]


class Unanswered(Exception):
    """No whole answer came."""


class _AsTyped:
    """Send a URL whose characters, of latin-1, are the bytes of whatever it was."""

    def _encode_request(self, request: str) -> bytes:
        return request.encode("latin-1")


class _Plain(_AsTyped, HTTPConnection):
    pass


class _Encrypted(_AsTyped, HTTPSConnection):
    pass


class Transport:
    """A connection to one server, kept open between requests."""

    def __init__(self, url: str, seconds: float = _SECONDS) -> None:
        """Take an http or https URL, of which the path does not count, and how long an answer may take."""
        parts = urlsplit(url)
        kind = _Encrypted if parts.scheme == "https" else _Plain
        self._connection = kind(parts.hostname, parts.port, timeout=seconds)
        self._seconds = seconds

    def __call__(self, method: str, target: str, headers: Mapping[str, str]) -> Received:
        """Return status, headers by their names in lower case, and body; Unanswered when there is no whole answer."""
        is_fresh = self._connection.sock is None
        try:
            return self._ask(method, target, headers)
        except (HTTPException, OSError) as error:
            self.close()
            if is_fresh or not isinstance(error, ConnectionError):
                raise Unanswered(str(error) or type(error).__name__) from None
        # The server has closed a connection that was idle, which is its right.
        return self(method, target, headers)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _ask(self, method: str, target: str, headers: Mapping[str, str]) -> Received:
        # Where no body may come, whatever comes up to the end of the connection is one.
        is_last = method != "GET" or "If-None-Match" in headers
        connection = self._connection
        if connection.sock is None:
            connection.connect()
        with _limit(connection.sock, self._seconds):
            connection.putrequest(method, target, skip_accept_encoding=True)
            for name, value in {**headers, **({"Connection": "close"} if is_last else {})}.items():
                connection.putheader(name, value)
            connection.endheaders()
            with connection.getresponse() as response:
                is_bare = method == "HEAD" or response.status in _WITHOUT_BODY
                body = response.fp.read() if is_last and is_bare else response.read()
                return response.status, _by_name(response), body


@contextlib.contextmanager
def _limit(sock: socket.socket, seconds: float) -> Iterator[None]:
    """Shut a socket down after so many seconds, however slowly the other side goes on, and say so."""
    late = Event()

    def shut() -> None:
        late.set()
        with contextlib.suppress(OSError):
            socket.socket.shutdown(sock, socket.SHUT_RDWR)

    timer = Timer(seconds, shut)
    timer.start()
    try:
        yield
    except (HTTPException, OSError):
        if not late.is_set():
            raise
    finally:
        timer.cancel()
    if late.is_set():
        raise Unanswered(f"no whole answer within {seconds:g} seconds")


def _by_name(response: HTTPResponse) -> dict[str, str]:
    names = {name.lower() for name in response.headers}
    return {name: ", ".join(response.headers.get_all(name)) for name in names}
