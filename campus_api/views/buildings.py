"""Views of the lists of buildings."""

from typing import Any

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.domain import tables
from campus_api.http.cache_key import data_request
from campus_api.http.renderers import building_encoder
from campus_api.resources import BuildingFeatures, Buildings, BuildingTable
from campus_api.validation import schemas


@view_config(context=Buildings, renderer="buildings")
@view_config(context=BuildingFeatures, renderer="buildings")
def buildings(context: Buildings | BuildingFeatures, request: Request) -> list[Any]:
    """Return the buildings that match the query."""
    query = schemas.parse_building_query(data_request(request).pairs)
    return context.store.search(**query, encode=building_encoder(request))


@view_config(context=BuildingTable, renderer="csv")
def building_table(context: BuildingTable, request: Request) -> list[tables.Row]:
    """Return the cells of the buildings that match the query."""
    query = schemas.parse_building_query(data_request(request).pairs)
    return [tables.BUILDING_HEADER, *context.store.search(**query, encode=tables.building_cells)]
