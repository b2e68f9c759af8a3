"""The view of the search over buildings, locations and dishes."""

from dataclasses import replace

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.db.search import SearchRow
from campus_api.http.cache_key import data_request
from campus_api.resources import Root

_PATHS = {"building": "/map/buildings", "location": "/dining/locations", "dish": "/dining/recipes"}


@view_config(context=Root, name="search", renderer="json")
def search(context: Root, request: Request) -> list[SearchRow]:
    """Return the buildings, locations and dishes that match the query, the best first."""
    data = data_request(request)
    zone = request.registry.settings["clock.time_zone"]
    rows = context.stores.search.find(**request.filters, now=dict(data.defaults)["now"], zone=zone)
    return [replace(row, url=f"{data.key.prefix}{_PATHS[row.type]}/{row.id}") for row in rows]
