"""Views of the lists of buildings, categories, locations and recipes, of their items, and of the facts of recipes."""

from collections.abc import Sequence
from typing import Any

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.db.stores import NamedEntityStore
from campus_api.domain import geojson, tables
from campus_api.domain.building_fields import BuildingRow
from campus_api.domain.models import FactsRow, NamedRow
from campus_api.http.renderers import building_encoder
from campus_api.resources import Buildings, Collection, Dining, Item, Map


@view_config(context=Buildings, renderer="buildings")
@view_config(context=Map, name="buildings.geojson", renderer="buildings")
def buildings(context: Buildings | Map, request: Request) -> list[Any]:
    """Return the buildings that match the query."""
    return request.root.stores.buildings.search(**request.filters, encode=building_encoder(request))


@view_config(context=Map, name="buildings.csv", renderer="csv")
def building_table(context: Map, request: Request) -> list[tables.Row]:
    """Return the cells of the buildings that match the query."""
    rows = context.stores.buildings.search(**request.filters, encode=tables.building_cells)
    return [tables.BUILDING_HEADER, *rows]


@view_config(context=Collection, renderer="json")
def named_entities(context: Collection[NamedEntityStore], request: Request) -> Sequence[NamedRow]:
    """Return every item: its id and name, and where a location is."""
    return context.store.find()


@view_config(context=Dining, name="locations.geojson", renderer="buildings")
def location_features(context: Dining, request: Request) -> list[dict[str, Any]]:
    """Return every location as a feature."""
    return list(map(geojson.location_feature, context.stores.locations.find()))


@view_config(context=Item, renderer="buildings")
def item(context: Item, request: Request) -> BuildingRow | NamedRow:
    """Return a building, a category, a location or a recipe."""
    return context.data


@view_config(context=Item, name="facts", renderer="json")
def recipe_facts(context: Item, request: Request) -> FactsRow:
    """Return the facts of a recipe: the catalog has no facts of other items."""
    return request.root.stores.recipes.facts(context.data["id"])


@view_config(context=Dining, name="facts", renderer="json")
def facts(context: Dining, request: Request) -> list[Any]:
    """Return the facts of all recipes that have any, or of those in the query."""
    recipes, filtered = context.stores.recipes, request.filters["recipe"]
    ids = recipes.names() if filtered is None else sorted(filtered)
    return [each.json for each in recipes.encoded_facts(ids).values()]


@view_config(context=Dining, name="recipes.csv", renderer="csv")
def recipe_table(context: Dining, request: Request) -> list[tables.Row]:
    """Return the cells of all recipes with their facts."""
    return [tables.RECIPE_HEADER, *context.stores.recipes.all_facts(tables.recipe_cells)]
