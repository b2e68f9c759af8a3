"""The views: plain functions `(context, request)` that return data."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    """Register every view, and the templates of the pages."""
    config.add_settings({"jinja2.undefined": "strict"})
    config.include("pyramid_jinja2")
    # JSON wins ties, e.g. `Accept: */*`.
    config.add_accept_view_order("application/json", weighs_more_than="text/html")
    config.scan("campus_api.views")
