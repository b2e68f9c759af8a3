"""Views of the dishes, and of what all recipes are made of."""

from typing import Any

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.domain import tables
from campus_api.domain.models import DishRow, FactsRow
from campus_api.http.cache_key import data_request
from campus_api.resources import Dishes, DishTable, FactsList, RecipeTable
from campus_api.validation import schemas
from campus_api.views import menu_headers


@view_config(context=Dishes, renderer="json")
def dishes(context: Dishes, request: Request, **options: Any) -> list[DishRow]:
    """Return the dishes that match the query, of today by default."""
    _, pairs, defaults, _ = data_request(request)
    filters = schemas.parse_dish_query(pairs, context.dishes.vocabulary(), defaults)
    rows, is_stated = context.dishes.find(**filters, **options), context.dishes.vocabulary().states(filters["diet"])
    headers = menu_headers.link_headers(
        context.store, pairs, filters["date"], rows, filters["diet"], is_stated=is_stated
    )
    request.response.headers.update(headers)
    return rows


@view_config(context=DishTable, renderer="csv")
def dish_table(context: DishTable, request: Request) -> list[tables.Row]:
    """Return the cells of the dishes that match the query, of today by default."""
    rows = dishes(
        context, request, encode=lambda facts: tables.diet_cells(facts.allergens, facts.contains, facts.labels)
    )
    return [tables.DISH_HEADER, *tables.dish_cells(rows, context.names())]


@view_config(context=FactsList, renderer="json")
def facts(context: FactsList, request: Request) -> list[FactsRow]:
    """Return the facts of all recipes that have any, or of those in the query."""
    return context.store.find_facts(schemas.parse_menu_query(data_request(request).pairs, schemas.FACTS)["recipe"])


@view_config(context=RecipeTable, renderer="csv")
def recipe_table(context: RecipeTable, request: Request) -> list[tables.Row]:
    """Return the cells of all recipes with their facts."""
    return [tables.RECIPE_HEADER, *map(tables.recipe_cells, context.store.all_facts())]
