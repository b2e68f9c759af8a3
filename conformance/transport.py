"""GET requests without redirects and decompression."""

import contextlib
import socket
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Event, Timer
from typing import NamedTuple
from urllib.parse import urlsplit

_TIMEOUT_SECONDS = 10


class RawResponse(NamedTuple):
    """A response; the names of its headers are lowercase."""

    status: int
    headers: dict[str, str]
    body: bytes


class NoResponse(Exception):
    """The server sent no complete HTTP response."""


class Transport:
    """A persistent connection to the server of a URL, whose path is ignored; `timeout` limits each whole response."""

    def __init__(self, url: str, timeout: float = _TIMEOUT_SECONDS) -> None:
        parts = urlsplit(url)
        connection_class = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connection = connection_class(parts.hostname or "", parts.port, timeout=timeout)
        self._timeout = timeout

    def __call__(self, target: str, headers: Mapping[str, str]) -> RawResponse:
        """Send a request; NoResponse if no complete response arrives in time."""
        is_new = self._connection.sock is None
        try:
            return self._send(target, headers)
        except (HTTPException, OSError) as error:
            self.close()
            if is_new or not isinstance(error, ConnectionError):
                raise NoResponse(str(error) or type(error).__name__) from None
        # Servers may close an idle connection at any time: retry on a new one.
        return self(target, headers)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _send(self, target: str, headers: Mapping[str, str]) -> RawResponse:
        connection = self._connection
        if connection.sock is None:
            connection.connect()
        with _deadline(connection.sock, self._timeout):
            connection.request("GET", target, headers=dict(headers))
            with connection.getresponse() as response:
                return RawResponse(response.status, _joined_headers(response), response.read())


@contextlib.contextmanager
def _deadline(sock: socket.socket, seconds: float) -> Iterator[None]:
    """Shut a socket down after `seconds`, even if data keeps arriving, and raise NoResponse."""
    expired = Event()

    def shut_down() -> None:
        expired.set()
        with contextlib.suppress(OSError):
            socket.socket.shutdown(sock, socket.SHUT_RDWR)

    timer = Timer(seconds, shut_down)
    timer.start()
    try:
        yield
    except (HTTPException, OSError):
        if not expired.is_set():
            raise
    finally:
        timer.cancel()
    if expired.is_set():
        raise NoResponse(f"no complete response within {seconds:g} seconds")


def _joined_headers(response: HTTPResponse) -> dict[str, str]:
    names = {name.lower() for name in response.headers}
    return {name: ", ".join(response.headers.get_all(name, ())) for name in names}
