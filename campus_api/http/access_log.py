"""Access log: WSGI middleware that logs a line for every request."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import quote

from pyramid.registry import Registry

_MAX_LENGTH = 1000
_SAFE_IN_QUERY = "/?%&=+:;,@!$'()*[]|"

log = logging.getLogger("campus_api.access")


class AccessLogMiddleware:
    """WSGI middleware around `app`."""

    def __init__(self, app: Callable) -> None:
        self.app = app

    @property
    def registry(self) -> Registry:
        """Return the registry of the Pyramid application."""
        return self.app.registry

    def __call__(self, environ: dict[str, Any], start_response: Callable) -> Iterable[bytes]:
        """Serve a request; the line is logged when the server closes the response."""
        response = _LoggedResponse(environ, start_response)
        response.chunks = self.app(environ, response.start)
        return response


class _LoggedResponse:
    """The body of a response, which logs its line when it is closed."""

    def __init__(self, environ: dict[str, Any], start_response: Callable) -> None:
        self._start = time.perf_counter()
        self._environ = environ
        self._start_response = start_response
        self._status = 0
        self._bytes = 0
        self.chunks: Iterable[bytes] = ()

    def start(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        self._status = int(status[:3])
        return self._start_response(status, headers, exc_info)

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self.chunks:
            self._bytes += len(chunk)
            yield chunk

    def close(self) -> None:
        try:
            if hasattr(self.chunks, "close"):
                self.chunks.close()
        finally:
            self._log()

    def _log(self) -> None:
        method = self._environ["REQUEST_METHOD"]
        fields = {
            "method": method,
            "path": _printable(self._environ.get("SCRIPT_NAME", "") + self._environ.get("PATH_INFO", ""), "/"),
            "query": _printable(self._environ.get("QUERY_STRING", ""), _SAFE_IN_QUERY),
            "status": self._status,
            # A server sends no body for HEAD, whatever the application returned.
            "bytes": 0 if method == "HEAD" else self._bytes,
            "duration_ms": round((time.perf_counter() - self._start) * 1000, 3),
            "user_agent": self._environ.get("HTTP_USER_AGENT", "")[:_MAX_LENGTH],
        }
        url = f"{fields['path']}?{fields['query']}" if fields["query"] else fields["path"]
        text = "%s %s: %s, %s bytes in %s ms"
        log.info(text, method, url, fields["status"], fields["bytes"], fields["duration_ms"], extra=fields)


def _printable(text: str, safe: str) -> str:
    """Return a part of a URL, percent-encoded so that it cannot break the line, and truncated."""
    encoded = quote(text[:_MAX_LENGTH], safe, "latin-1", "replace")
    return encoded if len(text) <= _MAX_LENGTH else f"{encoded}…"
