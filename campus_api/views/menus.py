"""Views of the menus and of the serving hours."""

from typing import cast

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.domain import calendars, tables
from campus_api.domain.models import HoursRow, MenuItemRow
from campus_api.http.cache_key import data_request
from campus_api.resources import Hours, MenuCalendar, Menus, MenuTable
from campus_api.validation import schemas
from campus_api.views import menu_headers


@view_config(context=Menus, renderer="json")
def menus(context: Menus, request: Request) -> list[MenuItemRow]:
    """Return the menu items that match the query, of today by default."""
    _, pairs, defaults, _ = data_request(request)
    filters = schemas.parse_menu_query(pairs, defaults=defaults)
    rows = context.store.find(**filters)
    request.response.headers.update(menu_headers.link_headers(context.store, pairs, filters["date"], rows))
    return rows


@view_config(context=MenuTable, renderer="csv")
def menu_table(context: MenuTable, request: Request) -> list[tables.Row]:
    """Return the cells of the menu items that match the query, of today by default."""
    rows, names = menus(context, request), context.names()
    return [tables.MENU_HEADER, *tables.menu_cells(rows, names)]


@view_config(context=MenuCalendar, renderer="calendar")
def menu_calendar(context: MenuCalendar, request: Request) -> bytes:
    """Return the calendar of the menu items of the days ahead that match the query."""
    _, pairs, _, today = data_request(request)
    filters = schemas.parse_menu_query(pairs, schemas.CALENDAR)
    # Defined, because a calendar has no parameter for the date.
    dates = calendars.dates(cast("str", today))
    meals, locations, names = filters["meal"], filters["location"], context.names()
    zone, title = request.registry.settings["clock.time_zone"], calendars.title(meals, locations, names)
    store, hours = context.store, context.hours.find(zone, dates, meals, locations)
    rows, samples = store.find(dates, **filters), store.has_samples
    return calendars.calendar(rows, names, store.loaded_at, hours, zone, title=title, samples=samples)


@view_config(context=Hours, renderer="json")
def hours(context: Hours, request: Request) -> list[HoursRow]:
    """Return when the meals that match the query are served, today by default."""
    _, pairs, defaults, _ = data_request(request)
    filters = schemas.parse_menu_query(pairs, schemas.HOURS, defaults=defaults)
    return context.store.find(request.registry.settings["clock.time_zone"], **filters)
