"""Instrumentation: WSGI middleware for request ids, metrics, the access log and unexpected errors."""

import logging
from collections.abc import Callable
from time import perf_counter
from typing import Any

import orjson
from pyramid.registry import Registry

from campus_api.http.access_log import log_request
from campus_api.http.cache import RESULT, ResponseCache
from campus_api.http.cache_key import DATA_REQUEST
from campus_api.http.request_id import HEADER, bind_request_id
from campus_api.http.response import Body, Environ, Response, respond
from campus_api.monitoring.metrics import Metrics
from campus_api.views.errors import internal_error_body

log = logging.getLogger(__name__)


class Instrumentation:
    """WSGI middleware around `app`; `access_log` is whether every request is logged."""

    def __init__(self, app: ResponseCache, metrics: Metrics, *, access_log: bool) -> None:
        self.app = app
        self._metrics = metrics
        self._access_log = access_log

    @property
    def registry(self) -> Registry:
        """Return the registry of the Pyramid application."""
        return self.app.registry

    def __call__(self, environ: Environ, start_response: Callable) -> list[bytes]:
        """Serve a request."""
        start = perf_counter()
        request_id = bind_request_id(environ)
        started: list[str] = []

        def start_with_id(status: str, headers: list[tuple[str, str]]) -> Any:
            started.append(status)
            return start_response(status, [*headers, (HEADER, request_id)])

        try:
            chunks = self.app(environ, start_with_id)
        except Exception as error:
            log.error("A request failed outside of the views", exc_info=error)
            chunks = respond(environ, start_with_id, _internal_error())
        status = int(started[-1][:3])
        seconds = perf_counter() - start
        result = "not_modified" if status == 304 else environ.get(RESULT, "bypass")
        self._metrics.observe(_endpoint(environ), status, result, seconds)
        if self._access_log:
            log_request(environ, status, sum(map(len, chunks)), seconds)
        return chunks


def _endpoint(environ: Environ) -> str:
    return environ[DATA_REQUEST].key.route if DATA_REQUEST in environ else "other"


def _internal_error() -> Response:
    headers = [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")]
    return Response("500 Internal Server Error", headers, Body(orjson.dumps(internal_error_body())))
