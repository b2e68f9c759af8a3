"""Every error body: RFC 9457 application/problem+json, in one shape."""

import logging
from http import HTTPStatus
from itertools import accumulate
from urllib.parse import quote

import orjson
from pyramid.httpexceptions import HTTPError, HTTPNotFound
from pyramid.view import exception_view_config

from campus_api.db.connection import DatabaseUnavailable
from campus_api.http import request_id
from campus_api.validation.schemas import BadQuery

_LONGEST = 1000
# With a detail and a corrected URL as long as they may be, the body of a bad query has less than 64 KiB.
_LONGEST_URL = 8000
_MOST_BYTES_OF_ERRORS = 48_000
_RETRY_SECONDS = "5"

log = logging.getLogger(__name__)


@exception_view_config(context=HTTPError, renderer="json")
def refused(error, request):
    """Answer what a part of the service refused, with its own sentence."""
    if "Allow" in error.headers:
        request.response.headers["Allow"] = error.headers["Allow"]
    return _problem(request, error.status_int, error.detail)


@exception_view_config(context=HTTPNotFound, renderer="json")
def not_found(error, request):
    """Answer a path that leads nowhere."""
    return _problem(request, 404, f"There is nothing at {_path(request)}.")


@exception_view_config(context=BadQuery, renderer="json")
def bad_query(error, request):
    """Answer an improper query with all its problems that fit and, where they can be told, the corrected URLs."""
    errors = [
        {
            "parameter": _shown(problem["parameter"]),
            "value": _shown(problem["value"]),
            "reason": problem["reason"],
            "corrected": _url(request, problem["corrected"]),
        }
        for problem in error.problems
    ]
    listed = _first(errors)
    more = f" errors lists the first {len(listed)} only." if len(listed) < len(errors) else ""
    return _problem(request, 400, error.detail + more, listed, _url(request, error.corrected))


def _first(errors):
    """Return as many errors as fit into the response."""
    sizes = accumulate(len(orjson.dumps(error)) + 1 for error in errors)
    return [error for error, size in zip(errors, sizes, strict=True) if size <= _MOST_BYTES_OF_ERRORS]


@exception_view_config(context=DatabaseUnavailable, renderer="json")
def unavailable(error, request):
    """Answer while MongoDB is away."""
    log.error("MongoDB is not available: %s", error)
    request.response.headers["Retry-After"] = _RETRY_SECONDS
    return _problem(request, 503, "The database does not answer now. Try again in a few seconds.")


@exception_view_config(context=Exception, renderer="json")
def failed(error, request):
    """Answer a defect of ours; what happened is in the log only, under the id of the request."""
    log.error("A request failed", exc_info=error)
    return _answered(request, failure())


def failure():
    """Return the body that answers a defect of ours."""
    logged_as = request_id.request_id_var.get()
    return problem_body(500, f"The service failed to answer; the failure was logged as {logged_as}.")


def _problem(request, status, detail, errors=(), corrected=None):
    return _answered(request, problem_body(status, detail, errors, corrected))


def _answered(request, body):
    request.response.status_int = body["status"]
    request.response.content_type = "application/problem+json"
    return body


def problem_body(status, detail, errors=(), corrected=None):
    """Return the body of an error response: https://www.rfc-editor.org/rfc/rfc9457."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": _shown(detail),
        "errors": list(errors),
        "corrected": corrected,
    }


def _url(request, query):
    """Return the address of this request with another query, from the root of this host; None if it is too long."""
    if query is None:
        return None
    url = f"{_path(request)}?{query}" if query else _path(request)
    return url if len(url) <= _LONGEST_URL else None


def _path(request):
    """Return the path as it came, percent-encoded; `request.path` fails on bytes that are not UTF-8."""
    return quote(request.environ["SCRIPT_NAME"] + request.environ["PATH_INFO"], encoding="latin-1")


def _shown(text):
    """Return text that any JSON can carry: bytes that were not UTF-8 replaced, and not too long."""
    whole = text.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")
    return whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST]}…"
