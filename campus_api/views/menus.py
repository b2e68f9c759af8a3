"""View of the menus."""

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.domain import tables
from campus_api.domain.models import MenuItemRow
from campus_api.http.cache_key import data_request
from campus_api.resources import Menus, MenuTable
from campus_api.validation import schemas
from campus_api.views import menu_headers


@view_config(context=Menus, renderer="json")
def menus(context: Menus, request: Request) -> list[MenuItemRow]:
    """Return the menu items that match the query, of today by default."""
    _, pairs, today = data_request(request)
    filters = schemas.parse_menu_query(pairs)
    filters["date"] = filters["date"] or [today]
    snapshot = context.store.snapshot()
    rows = snapshot.find(**filters)
    request.response.headers.update(menu_headers.link_headers(snapshot, pairs, filters["date"], rows))
    return rows


@view_config(context=MenuTable, renderer="csv")
def menu_table(context: MenuTable, request: Request) -> list[str]:
    """Return the lines of the menu items that match the query, of today by default."""
    rows, locations, categories = menus(context, request), context.locations.names(), context.categories.names()
    return [tables.line(tables.MENU_COLUMNS), *(tables.menu_line(row, locations, categories) for row in rows)]
