"""Requests that no view should see, and the header that lets browsers read every answer."""

from pyramid.httpexceptions import HTTPMethodNotAllowed, HTTPNoContent, HTTPNotFound
from pyramid.tweens import EXCVIEW

_METHODS = "GET, HEAD, OPTIONS"
_FOR_SCRIPTS = "Age, Content-Location, ETag, Link, Retry-After, X-Campus-Empty, X-Campus-Stale, X-Request-Id"
_OPEN = [("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", _FOR_SCRIPTS)]


def includeme(config):
    """Put the gate in front of the resource tree."""
    config.add_tween("campus_api.http.tweens.gate", under=EXCVIEW)
    # As a subscriber it would let Pyramid look for others at each of five steps of a request.
    config.add_tween("campus_api.http.tweens.open_to_browsers", over=EXCVIEW)


def gate(handler, registry):
    """Return a tween that answers OPTIONS and refuses other methods and paths that name nothing."""

    def guarded(request):
        if request.method == "OPTIONS":
            return _preflight(request)
        if request.method not in ("GET", "HEAD"):
            raise HTTPMethodNotAllowed(f"The API is read-only: use {_METHODS}.", headers={"Allow": _METHODS})
        if not _names_a_resource(request):
            raise HTTPNotFound
        return handler(request)

    return guarded


def open_to_browsers(handler, registry):
    """Return a tween that lets pages of every origin read each answer."""

    def opened(request):
        response = handler(request)
        response.headerlist += _OPEN
        return response

    return opened


def _preflight(request):
    requested = request.headers.get("Access-Control-Request-Headers", "*")
    return HTTPNoContent(
        headers={
            "Allow": _METHODS,
            "Access-Control-Allow-Methods": _METHODS,
            "Access-Control-Allow-Headers": requested,
            "Access-Control-Max-Age": "86400",
        }
    )


def _names_a_resource(request):
    """Tell whether the path is UTF-8 and has none of the view names, `@@...`, that traversal would understand."""
    try:
        return "/@@" not in request.path_info
    except UnicodeDecodeError:
        return False
