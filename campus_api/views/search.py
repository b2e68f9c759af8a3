"""The views of the search over buildings, locations and dishes."""

from dataclasses import replace
from typing import Any

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.db.search import SearchRow
from campus_api.http.cache_key import data_request
from campus_api.resources import Root
from campus_api.views.pages import VARY, page

_PATHS = {"building": "/map/buildings", "location": "/dining/locations", "dish": "/dining/recipes"}


@view_config(context=Root, name="search", renderer="json")
def search(context: Root, request: Request) -> list[SearchRow]:
    """Return the buildings, locations and dishes that match the query, the best first."""
    data = data_request(request)
    rows = context.stores.search.find(**request.filters, now=dict(data.defaults)["now"])
    return [replace(row, url=f"{data.key.prefix}{_PATHS[row.type]}/{row.id}") for row in rows]


@view_config(context=Root, name="search", renderer="campus_api:pages/templates/search.jinja2", accept="text/html")
def search_page(context: Root, request: Request) -> dict[str, Any]:
    """Return the results with what their page needs."""
    text = request.filters["text"]
    _, allergens = context.stores.search.denied(text)
    values = {"text": text, "without": sorted(allergens), "results": search(context, request)}
    return page(request, vary=VARY) | values
