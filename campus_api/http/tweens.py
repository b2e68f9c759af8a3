"""The tween: methods, OPTIONS and preflight, valid paths."""

from collections.abc import Callable

from pyramid.httpexceptions import HTTPMethodNotAllowed, HTTPNoContent, HTTPNotFound
from pyramid.interfaces import VH_ROOT_KEY
from pyramid.registry import Registry
from pyramid.request import Request
from pyramid.response import Response

from campus_api import catalog
from campus_api.http.cache_key import resource_path

Handler = Callable[[Request], Response]

METHODS = "GET, HEAD, OPTIONS"


def method_guard_tween_factory(handler: Handler, registry: Registry) -> Handler:
    """Handle OPTIONS; reject other methods than GET and HEAD, and paths that are not in the catalog."""

    def method_guard_tween(request: Request) -> Response:
        if request.method == "OPTIONS":
            return _preflight(request)
        if request.method not in ("GET", "HEAD"):
            raise HTTPMethodNotAllowed(f"The API is read-only: use {METHODS}.", headers={"Allow": METHODS})
        path = resource_path(request.environ["PATH_INFO"])
        # @@ begins the name of a view; another view would ignore what follows its name.
        if "/@@" in path or catalog.route(path) not in catalog.PATHS:
            raise HTTPNotFound
        # Any client could name in X-Vhm-Root where traversal begins; the response would be cached under this path.
        request.environ.pop(VH_ROOT_KEY, None)
        return handler(request)

    return method_guard_tween


def _preflight(request: Request) -> Response:
    requested = request.headers.get("Access-Control-Request-Headers", "*")
    return HTTPNoContent(
        headers={
            "Allow": METHODS,
            "Access-Control-Allow-Methods": METHODS,
            "Access-Control-Allow-Headers": requested,
            "Access-Control-Max-Age": "86400",
        }
    )
