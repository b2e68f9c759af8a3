"""Error responses as application/problem+json, those for mistyped URLs also as HTML.

https://www.rfc-editor.org/rfc/rfc9457
"""

import logging
from collections.abc import Callable, Sequence
from http import HTTPStatus
from itertools import accumulate
from threading import Lock
from typing import Any
from urllib.parse import quote

import orjson
from cachetools import TTLCache, cached
from pyramid.config import Configurator
from pyramid.httpexceptions import HTTPError, HTTPNotFound
from pyramid.request import Request
from pyramid.view import exception_view_config

from campus_api.db.changes import ForgottenChanges
from campus_api.db.errors import DatabaseUnavailable, QueryFailed, QueryTimeout
from campus_api.db.snapshot import StaleRevision
from campus_api.db.stores import TooManyRows
from campus_api.domain.text import printable
from campus_api.http.cache_key import data_request, mount_path
from campus_api.http.request_id import request_id_var
from campus_api.validation.schemas import BadQuery, InvalidParameter
from campus_api.views.pages import page

# Together with the longest detail and URL, these limits keep the body of a bad query below 64 KiB.
_MAX_URL_LENGTH = 8000
_MAX_ERRORS_BYTES = 48_000
_PAGE = "campus_api:pages/templates/error.jinja2"

PROBLEM_HEADERS = [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")]
Problem = dict[str, Any]
View = Callable[[Any, Request], Problem]

log = logging.getLogger(__name__)


def includeme(config: Configurator) -> None:
    """Register the errors that have a page, and log the errors of a collection of MongoDB once a minute."""
    for error, view in _VIEWS.items():
        config.add_exception_view(view, context=error, renderer="json")
        config.add_exception_view(view, context=error, renderer="json", accept="application/json")
        config.add_exception_view(_page_view(view), context=error, renderer=_PAGE, accept="text/html")
    cache: TTLCache = TTLCache(maxsize=100, ttl=60)
    once = cached(cache, lambda level, message, error: (message, str(error).partition(":")[0]), lock=Lock())
    config.registry["log_outage"] = once(log.log)


@exception_view_config(context=HTTPError, renderer="json")
def http_error(error: HTTPError, request: Request) -> Problem:
    """Return the status and the detail of an HTTP exception."""
    if "Allow" in error.headers:
        request.response.headers["Allow"] = error.headers["Allow"]
    return _respond(request, problem_body(error.status_int, error.detail))


def not_found(error: HTTPNotFound, request: Request) -> Problem:
    """Return a 404 that names the path."""
    # `request.path` fails on bytes that are not UTF-8.
    path = quote(request.environ["SCRIPT_NAME"] + request.environ["PATH_INFO"], encoding="latin-1")
    return _negotiated(request, problem_body(404, f"There is nothing at {path}."))


def bad_query(error: BadQuery, request: Request) -> Problem:
    """Return a 400 with as many problems as fit and, if known, the corrected URLs."""
    errors = [_error(request, problem) for problem in error.problems]
    sizes = accumulate(len(orjson.dumps(each)) + 1 for each in errors)
    shown = [each for each, size in zip(errors, sizes, strict=True) if size <= _MAX_ERRORS_BYTES]
    more = f" errors lists the first {len(shown)} only." if len(shown) < len(errors) else ""
    body = problem_body(400, error.detail + more, shown, _url(request, error.corrected))
    return _negotiated(request, body)


def _error(request: Request, problem: InvalidParameter) -> Problem:
    named = {"parameter": printable(problem.parameter), "value": printable(problem.value)}
    return {**named, "reason": problem.reason, "corrected": _url(request, problem.corrected)}


def _rejection(status: int, parameter: str) -> View:
    """Return the view of an error that names a parameter, unless the query does not have it, as of a calendar."""

    def rejected(error: Exception, request: Request) -> Problem:
        value = ",".join(value for name, value in data_request(request).pairs if name == parameter)
        problems = [_error(request, InvalidParameter(parameter, value, str(error)))] if value else []
        return _negotiated(request, problem_body(status, f"{error}.", problems))

    return rejected


def _outage(detail: str, message: str = "", level: int = logging.ERROR) -> View:
    """Return the view of a 503, which logs a message about the error."""

    def service_unavailable(error: DatabaseUnavailable, request: Request) -> Problem:
        if message:
            request.registry["log_outage"](level, message, error)
        request.response.headers["Retry-After"] = "5"
        return _negotiated(request, problem_body(503, detail))

    return service_unavailable


_VIEWS: dict[type[Exception], View] = {
    HTTPNotFound: not_found,
    BadQuery: bad_query,
    TooManyRows: _rejection(400, "date"),
    ForgottenChanges: _rejection(410, "since"),
    # Logged by the poll, once for all requests.
    DatabaseUnavailable: _outage("The database is unavailable. Try again in a few seconds."),
    QueryFailed: _outage("The database is unavailable. Try again in a few seconds.", "A query failed: %s"),
    QueryTimeout: _outage(
        "The query took too long. Try again in a few seconds, or narrow it down.",
        "A query exceeded its time limit: %s",
    ),
    StaleRevision: _outage(
        "The data is being replaced. Try again in a few seconds.",
        "The live revision changed during a request: %s",
        logging.WARNING,
    ),
}


def _page_view(view: View) -> View:
    """Return the view of an error for a person."""

    def error_page(error: Exception, request: Request) -> Problem:
        values = view(error, request) | page(request, vary="Accept")
        request.response.cache_control = "no-store"
        return values

    return error_page


@exception_view_config(context=Exception, renderer="json")
def internal_error(error: Exception, request: Request) -> Problem:
    """Return a generic 500; details go to the log with the request id."""
    log.error("A request failed", exc_info=error)
    return _respond(request, internal_error_body())


def internal_error_body() -> Problem:
    """Return the body of a 500."""
    return problem_body(500, f"The request failed. The error was logged as {request_id_var.get()}.")


def _negotiated(request: Request, body: Problem) -> Problem:
    """Return the body of an error that has a page, too."""
    request.response.vary = ["Accept"]
    return _respond(request, body)


def _respond(request: Request, body: Problem) -> Problem:
    request.response.status_int = body["status"]
    request.response.content_type = "application/problem+json"
    return body


def problem_body(status: int, detail: str, errors: Sequence[Problem] = (), corrected: str | None = None) -> Problem:
    """Return the body of an error response: https://www.rfc-editor.org/rfc/rfc9457."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": printable(detail),
        "errors": list(errors),
        "corrected": corrected,
    }


def _url(request: Request, query: str | None) -> str | None:
    """Return the canonical path of this request for data with another query; None without one or if it is too long.

    The path as requested may begin with two slashes, which a browser takes for a host.
    """
    if query is None:
        return None
    path = mount_path(request.environ) + data_request(request).key.path
    url = f"{path}?{query}" if query else path
    return url if len(url) <= _MAX_URL_LENGTH else None
