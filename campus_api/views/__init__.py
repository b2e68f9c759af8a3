"""The views: plain functions `(context, request)` that return data."""

from pyramid.config import Configurator
from pyramid_jinja2 import add_jinja2_renderer


def includeme(config: Configurator) -> None:
    """Register every view, and the templates of the pages."""
    config.add_settings({"jinja2.undefined": "strict"})
    # To include pyramid_jinja2 would take longer than all else: it inspects the call stack for a default package.
    config.add_directive("add_jinja2_renderer", add_jinja2_renderer)
    config.add_jinja2_renderer(".jinja2")
    # JSON wins ties, e.g. `Accept: */*`.
    config.add_accept_view_order("application/json", weighs_more_than="text/html")
    config.include("campus_api.views.errors")
    config.scan("campus_api.views")
