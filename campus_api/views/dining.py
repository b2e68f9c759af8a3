"""Views of the lists of categories, locations and recipes, and of items, buildings among them."""

from typing import Any

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.domain import geojson
from campus_api.domain.building_fields import BuildingRow
from campus_api.domain.models import FactsRow, NamedRow
from campus_api.resources import Buildings, Item, LocationFeatures, NamedEntities


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
