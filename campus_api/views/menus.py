"""Views of the menus, by item and by dish, and of the serving hours."""

from operator import attrgetter
from typing import Any

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.domain import tables
from campus_api.domain.models import DishRow, HoursRow, MenuItemRow
from campus_api.http.cache_key import data_request
from campus_api.resources import Dining
from campus_api.views.calendar import calendar
from campus_api.views.menu_headers import add_menu_headers


@view_config(context=Dining, name="menus", renderer="json")
def menus(context: Dining, request: Request) -> list[MenuItemRow]:
    """Return the menu items that match the query, of today by default."""
    rows = context.stores.menus.find(**request.filters)
    add_menu_headers(request, context.stores, rows)
    return rows


@view_config(context=Dining, name="menus.csv", renderer="csv")
def menu_table(context: Dining, request: Request) -> list[tables.Row]:
    """Return the cells of the menu items that match the query, of today by default."""
    return [tables.MENU_HEADER, *tables.menu_cells(menus(context, request), context.stores.names())]


@view_config(context=Dining, name="menus.ics", renderer="calendar")
def menu_calendar(context: Dining, request: Request) -> bytes:
    """Return the calendar of the menu items of the days ahead that match the query."""
    url = request.registry.settings["pages.url"]
    return calendar(context.stores, request.filters, data_request(request), url)


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


@view_config(context=Dining, name="hours", renderer="json")
def hours(context: Dining, request: Request) -> list[HoursRow]:
    """Return when the meals that match the query are served, today by default."""
    return context.stores.hours.find(**request.filters)
