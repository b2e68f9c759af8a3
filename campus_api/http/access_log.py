"""The layer around the service when `log.access` is true: a log line for every request."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import quote

from pyramid.registry import Registry

_LONGEST = 1000
_SAFE_IN_QUERY = "/?%&=+:;,@!$'()*[]|"

log = logging.getLogger(__name__)


class RequestLog:
    """A WSGI application around another one, `app`."""

    def __init__(self, app: Callable) -> None:
        """Take the application to answer with."""
        self.app = app

    @property
    def registry(self) -> Registry:
        """Return the registry of the Pyramid application within."""
        return self.app.registry

    def __call__(self, environ: dict[str, Any], start_response: Callable) -> Iterable[bytes]:
        """Answer a request; the line is written when the answer is over."""
        line = _Line(environ, start_response)
        line.chunks = self.app(environ, line.start)
        return line


class _Line:
    """An answer on its way to the client, and the log line that is written when it is over."""

    def __init__(self, environ: dict[str, Any], start_response: Callable) -> None:
        self._began = time.perf_counter()
        self._environ = environ
        self._start_response = start_response
        self._status = 0
        self._bytes = 0
        self.chunks: Iterable[bytes] = ()

    def start(self, status, headers, exc_info=None):
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
            self._write()

    def _write(self) -> None:
        method = self._environ["REQUEST_METHOD"]
        fields = {
            "method": method,
            "path": _shown(self._environ.get("SCRIPT_NAME", "") + self._environ.get("PATH_INFO", ""), "/"),
            "query": _shown(self._environ.get("QUERY_STRING", ""), _SAFE_IN_QUERY),
            "status": self._status,
            # A server sends no body to HEAD, whatever it was given.
            "bytes": 0 if method == "HEAD" else self._bytes,
            "milliseconds": round((time.perf_counter() - self._began) * 1000, 3),
            "user_agent": self._environ.get("HTTP_USER_AGENT", "")[:_LONGEST],
        }
        url = f"{fields['path']}?{fields['query']}" if fields["query"] else fields["path"]
        text = "%s %s: %s, %s bytes in %s ms"
        log.info(text, method, url, fields["status"], fields["bytes"], fields["milliseconds"], extra=fields)


def _shown(text: str, safe: str) -> str:
    """Return a part of a URL as it came, without what could break a line, and not too long."""
    whole = quote(text[:_LONGEST], safe, "latin-1", "replace")
    return whole if len(text) <= _LONGEST else f"{whole}…"
