"""What operators ask the service about itself."""

from importlib.metadata import version
from platform import python_version

from pyramid.view import view_config

from campus_api.resources import Heartbeat, Measurements, Ping, Version


@view_config(context=Ping, renderer="json")
def ping(context, request):
    """Answer that this process answers, whatever else is down."""
    return {"status": "ok"}


@view_config(context=Heartbeat, renderer="json")
def heartbeat(context, request):
    """Answer how the service is; 503 only when it can answer nothing."""
    report = context.health.report()
    request.response.status_int = 503 if report["status"] == "error" else 200
    return report


@view_config(context=Version, renderer="json")
def service_version(context, request):
    """Answer which version of the service runs."""
    return {"name": "campus-api", "version": version("campus-api"), "python": python_version()}


@view_config(context=Measurements, renderer="prometheus")
def measurements(context, request):
    """Answer the numbers for Prometheus."""
    return context.metrics.text()
