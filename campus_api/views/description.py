"""Views of the documents for programs: OpenAPI, the guide for language models, and the rules for crawlers."""

from typing import Any

from pyramid.request import Request
from pyramid.view import view_config

from campus_api import catalog, openapi
from campus_api.domain.models import MEALS
from campus_api.http.cache_key import mount_path
from campus_api.resources import Root
from campus_api.views.page_headers import add_document_headers, add_text_headers


@view_config(context=Root, name="openapi.json", renderer="json")
def openapi_document(context: Root, request: Request) -> dict[str, Any]:
    """Return the OpenAPI document, with examples for today."""
    add_document_headers(request)
    about = (request.registry.settings[f"data.{name}"] for name in ("license", "attribution", "contact"))
    return openapi.document(mount_path(request.environ) or "/", request.registry["clock"].today(), *about)


@view_config(context=Root, name="llms.txt", renderer="campus_api:pages/templates/llms.txt.jinja2")
def guide(context: Root, request: Request) -> dict[str, Any]:
    """Return what the guide says about the endpoints (https://llmstxt.org)."""
    add_text_headers(request)
    return {"base": mount_path(request.environ), "endpoints": catalog.DATA.values(), "meals": MEALS}


@view_config(context=Root, name="robots.txt", renderer="campus_api:pages/templates/robots.txt.jinja2")
def robots(context: Root, request: Request) -> dict[str, str]:
    """Return what crawlers may read (RFC 9309)."""
    add_text_headers(request)
    return {"base": mount_path(request.environ)}
