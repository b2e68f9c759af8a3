"""Instrumentation: the WSGI application, with request ids, metrics, the access log and unexpected errors."""

import logging
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any
from urllib.parse import quote

import orjson

from campus_api.http.cache import ResponseCache
from campus_api.http.cache_key import DATA_REQUEST
from campus_api.http.request_id import HEADER, bind_request_id
from campus_api.http.response import CachedResponse, CompressedBody, Environ, respond
from campus_api.monitoring import Metrics
from campus_api.views.errors import PROBLEM_HEADERS, internal_error_body

log = logging.getLogger(__name__)
_MAX_LENGTH = 1000
_SAFE_IN_QUERY = "/?%&=+:;,@!$'()*[]|"

access = logging.getLogger("campus_api.access")


class Instrumentation:
    """The WSGI application that sends what a cache returns; `access_log` is whether every request is logged."""

    def __init__(self, cache: ResponseCache, metrics: Metrics, *, access_log: bool) -> None:
        self.cache = cache
        self._metrics = metrics
        self._access_log = access_log

    def __call__(self, environ: Environ, start_response: Callable) -> list[bytes]:
        """Serve a request."""
        start = perf_counter()
        request_id = bind_request_id(environ)
        try:
            response, result = self.cache.get(environ)
            line, headers, chunks = respond(environ, response)
        except Exception as error:
            log.error("A request failed outside of the views", exc_info=error)
            result = "bypass"
            body = CompressedBody(orjson.dumps(internal_error_body()))
            response = CachedResponse("500 Internal Server Error", PROBLEM_HEADERS, body)
            line, headers, chunks = respond(environ, response)
        start_response(line, [*headers, (HEADER, request_id)])
        status = int(line[:3])
        seconds = perf_counter() - start
        endpoint = environ[DATA_REQUEST].route if DATA_REQUEST in environ else "other"
        self._metrics.observe(endpoint, status, "not_modified" if status == 304 else result, seconds)
        if self._access_log:
            log_request(environ, status, sum(map(len, chunks)), seconds)
        return chunks


def log_request(environ: Mapping[str, Any], status: int, size: int, seconds: float) -> None:
    """Log a request, and the status, the size in bytes and the duration of its response."""
    fields = {
        "method": environ["REQUEST_METHOD"],
        "path": _printable(environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", ""), "/"),
        "query": _printable(environ.get("QUERY_STRING", ""), _SAFE_IN_QUERY),
        "status": status,
        "bytes": size,
        "duration_ms": round(seconds * 1000, 3),
        "user_agent": environ.get("HTTP_USER_AGENT", "")[:_MAX_LENGTH],
    }
    url = f"{fields['path']}?{fields['query']}" if fields["query"] else fields["path"]
    values = (fields["method"], url, status, size, fields["duration_ms"])
    access.info("%s %s: %s, %s bytes in %s ms", *values, extra=fields)


def _printable(text: str, safe: str) -> str:
    """Return a part of a URL, percent-encoded so that it cannot break the line, and truncated."""
    encoded = quote(text[:_MAX_LENGTH], safe, "latin-1", "replace")
    return encoded if len(text) <= _MAX_LENGTH else f"{encoded}…"
