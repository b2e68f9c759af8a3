"""View of the OpenAPI document."""

from typing import Any
from urllib.parse import quote

from pyramid.request import Request
from pyramid.view import view_config

from campus_api import openapi
from campus_api.resources import OpenAPIDocument
from campus_api.views.page_headers import add_document_headers


@view_config(context=OpenAPIDocument, renderer="json")
def openapi_document(context: OpenAPIDocument, request: Request) -> dict[str, Any]:
    """Return the OpenAPI document, with examples for today."""
    add_document_headers(request)
    return openapi.document(quote(request.environ["SCRIPT_NAME"], encoding="latin-1") or "/", context.clock.today())
