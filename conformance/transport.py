"""HTTP requests as checks write them: no redirects, no decompression, no normalization of URLs."""

import contextlib
import socket
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Event, Timer
from typing import NamedTuple
from urllib.parse import urlsplit

_TIMEOUT_SECONDS = 10
_STATUSES_WITHOUT_BODY = (204, 304)


class RawResponse(NamedTuple):
    """A response; the names of its headers are lowercase."""

    status: int
    headers: dict[str, str]
    body: bytes


class NoResponse(Exception):
    """The server sent no complete HTTP response."""


class RawUrlMixin:
    """Send the characters of a URL as Latin-1 bytes, so that a check can send any bytes."""

    def _encode_request(self, request: str) -> bytes:
        return request.encode("latin-1")


class _HttpConnection(RawUrlMixin, HTTPConnection):
    pass


class _HttpsConnection(RawUrlMixin, HTTPSConnection):
    pass


class Transport:
    """A persistent connection to the server of a URL, whose path is ignored; `timeout` limits each whole response."""

    def __init__(self, url: str, timeout: float = _TIMEOUT_SECONDS) -> None:
        parts = urlsplit(url)
        connection_class = _HttpsConnection if parts.scheme == "https" else _HttpConnection
        self._connection = connection_class(parts.hostname or "", parts.port, timeout=timeout)
        self._timeout = timeout

    def __call__(self, method: str, target: str, headers: Mapping[str, str]) -> RawResponse:
        """Send a request; NoResponse if no complete response arrives in time."""
        is_new = self._connection.sock is None
        try:
            return self._send(method, target, headers)
        except (HTTPException, OSError) as error:
            self.close()
            if is_new or not isinstance(error, ConnectionError):
                raise NoResponse(str(error) or type(error).__name__) from None
        # Servers may close an idle connection at any time: retry on a new one.
        return self(method, target, headers)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _send(self, method: str, target: str, headers: Mapping[str, str]) -> RawResponse:
        # To see a body that should not be there, read until the server closes the connection.
        read_to_end = method != "GET" or "If-None-Match" in headers
        connection = self._connection
        if connection.sock is None:
            connection.connect()
        with _deadline(connection.sock, self._timeout):
            connection.putrequest(method, target, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name, value)
            if read_to_end:
                connection.putheader("Connection", "close")
            connection.endheaders()
            with connection.getresponse() as response:
                is_bodiless = method == "HEAD" or response.status in _STATUSES_WITHOUT_BODY
                body = response.fp.read() if read_to_end and is_bodiless else response.read()
                return RawResponse(response.status, _joined_headers(response), body)


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
