"""Views for operators: liveness, health, version and metrics."""

from functools import cache
from importlib.resources import files
from platform import python_version
from typing import Any

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.http.conditional import SERVICE_VERSION
from campus_api.resources import Root


@view_config(context=Root, name="__lbheartbeat__", renderer="json")
def liveness(context: Root, request: Request) -> dict[str, str]:
    """Report that this process responds, even if the database is down."""
    return {"status": "ok"}


@view_config(context=Root, name="__heartbeat__", renderer="json")
def heartbeat(context: Root, request: Request) -> dict[str, Any]:
    """Return the health report; 503 only if no request can be served."""
    report = request.registry["index"].health()
    request.response.status_int = 503 if report["status"] == "error" else 200
    return report


@view_config(context=Root, name="__version__", renderer="json")
def service_version(context: Root, request: Request) -> dict[str, str | None]:
    """Return the version of the service, and the commit that it was built from."""
    return {"name": "campus-api", "version": SERVICE_VERSION, "commit": _commit(), "python": python_version()}


@cache
def _commit() -> str | None:
    """Return what setup.py has written; None in a checkout."""
    file = files("campus_api") / "commit.txt"
    return file.read_text(encoding="ascii") or None if file.is_file() else None


@view_config(context=Root, name="__metrics__", renderer="prometheus")
def metrics(context: Root, request: Request) -> bytes:
    """Return the metrics for Prometheus."""
    return request.registry["metrics"].text()
