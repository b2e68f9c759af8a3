"""The outermost layer of the service: every request gets an id, and a log line when `log.access` is true."""

import logging
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import quote

import orjson
from pyramid.registry import Registry

from campus_api import request_ids
from campus_api.views.errors import failure

_LONGEST = 1000
_SAFE_IN_QUERY = "/?%&=+:;,@!$'()*[]|"

log = logging.getLogger(__name__)


class RequestLog:
    """A WSGI application around another one, `app`; `registry` is that of the Pyramid application within."""

    def __init__(self, app: Callable, registry: Registry) -> None:
        """Take the application to answer with; its registry has the settings."""
        self.registry = registry
        self.app = app
        self._answer = self._logged if registry.settings["log.access"] else self._answered
        logging.setLogRecordFactory(request_ids.Record)

    def __call__(self, environ: dict[str, Any], start_response: Callable) -> Iterable[bytes]:
        """Answer a request; its id stands in the environment, in the log and on the answer."""
        header = (request_ids.HEADER, request_ids.begin(environ))

        def start(status, headers, exc_info=None):
            return start_response(status, [*headers, header], exc_info)

        return self._answer(environ, start)

    def _answered(self, environ: dict[str, Any], start: Callable) -> Iterable[bytes]:
        try:
            return self.app(environ, start)
        except Exception as error:
            # The views answer what fails in Pyramid; this is for what fails around it.
            log.error("A request failed outside of the views", exc_info=error)
            body = orjson.dumps(failure(environ))
            headers = [("Content-Type", "application/problem+json"), ("Content-Length", str(len(body)))]
            start("500 Internal Server Error", [*headers, ("Access-Control-Allow-Origin", "*")], sys.exc_info())
            return [body]

    def _logged(self, environ: dict[str, Any], start: Callable) -> Iterable[bytes]:
        line = _Line(environ, start)
        line.chunks = self._answered(environ, line.start)
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
