"""Views of the dishes, and of what all recipes are made of."""

from operator import attrgetter
from typing import Any

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.domain import tables
from campus_api.domain.models import DishRow, FactsRow
from campus_api.resources import Dining, Item
from campus_api.views.menu_headers import add_menu_headers


@view_config(context=Dining, name="dishes", renderer="json")
def dishes(context: Dining, request: Request, **options: Any) -> list[DishRow]:
    """Return the dishes that match the query, of today by default."""
    rows = context.stores.menus.dishes(**request.filters, **options)
    add_menu_headers(request, context.stores, rows)
    return rows


@view_config(context=Dining, name="dishes.csv", renderer="csv")
def dish_table(context: Dining, request: Request) -> list[tables.Row]:
    """Return the cells of the dishes that match the query, of today by default."""
    rows = dishes(context, request, encode=attrgetter("cells"))
    return [tables.DISH_HEADER, *tables.dish_cells(rows, context.stores.names())]


@view_config(context=Item, name="facts", renderer="json")
def recipe_facts(context: Item, request: Request) -> FactsRow:
    """Return the facts of a recipe: the catalog has no facts of other items."""
    return request.root.stores.recipes.facts(context.data["id"])


@view_config(context=Dining, name="facts", renderer="json")
def facts(context: Dining, request: Request) -> list[Any]:
    """Return the facts of all recipes that have any, or of those in the query."""
    recipes, ids = context.stores.recipes, request.filters["recipe"]
    return [each.json for each in recipes.encoded_facts(recipes.names() if ids is None else sorted(ids)).values()]


@view_config(context=Dining, name="recipes.csv", renderer="csv")
def recipe_table(context: Dining, request: Request) -> list[tables.Row]:
    """Return the cells of all recipes with their facts."""
    return [tables.RECIPE_HEADER, *context.stores.recipes.all_facts(tables.recipe_cells)]
