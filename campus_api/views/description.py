"""The description of the service."""

from urllib.parse import quote

from pyramid.view import view_config

from campus_api import openapi
from campus_api.resources import Description


@view_config(context=Description, renderer="file")
def description(context, request):
    """Answer the OpenAPI document; its examples are those of today."""
    return openapi.file(quote(request.environ["SCRIPT_NAME"], encoding="latin-1") or "/", context.clock.today())
