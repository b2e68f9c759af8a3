"""View of the OpenAPI document."""

from urllib.parse import quote

from pyramid.request import Request
from pyramid.view import view_config

from campus_api import openapi
from campus_api.assets import File
from campus_api.resources import OpenAPIDocument


@view_config(context=OpenAPIDocument, renderer="file")
def openapi_document(context: OpenAPIDocument, request: Request) -> File:
    """Return the OpenAPI document, with examples for today."""
    return openapi.file(quote(request.environ["SCRIPT_NAME"], encoding="latin-1") or "/", context.clock.today())
