"""Views of the lists of buildings, categories, locations and recipes, and of their items."""

from typing import Any

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.domain import geojson, tables
from campus_api.domain.building_fields import BuildingRow
from campus_api.domain.models import FactsRow, NamedRow
from campus_api.http.cache_key import data_request
from campus_api.http.renderers import building_encoder
from campus_api.resources import BuildingFeatures, Buildings, BuildingTable, Item, LocationFeatures, NamedEntities
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


@view_config(context=NamedEntities, renderer="json")
def named_entities(context: NamedEntities, request: Request) -> list[NamedRow]:
    """Return the id and name of every item."""
    return context.store.find()


@view_config(context=LocationFeatures, renderer="buildings")
def location_features(context: LocationFeatures, request: Request) -> list[dict[str, Any]]:
    """Return every location as a feature."""
    return list(map(geojson.place, context.store.places()))


@view_config(context=Item, renderer="json")
@view_config(context=Item, containment=Buildings, renderer="buildings")
def item(context: Item, request: Request) -> BuildingRow | NamedRow | FactsRow:
    """Return a building, a category, a location, a recipe or its facts."""
    return context.data
