"""Views of the menus and of the serving hours."""

from typing import cast

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.domain import calendars, tables
from campus_api.domain.allergens.vocabulary import NO_DIET
from campus_api.domain.models import SAMPLES_NOTE, HoursRow, MenuItemRow
from campus_api.http.cache_key import data_request
from campus_api.resources import Dining
from campus_api.validation import schemas
from campus_api.views import menu_headers

_DIET_NOTE = "Allergens and labels are as listed by the dining service; nobody has checked them. Ask in the hall."
_NOT_STATED_NOTE = "The dining service does not state all of these allergens: no dish is known to match."


@view_config(context=Dining, name="menus", renderer="json")
def menus(context: Dining, request: Request) -> list[MenuItemRow]:
    """Return the menu items that match the query, of today by default."""
    _, pairs, defaults, _ = data_request(request)
    filters = schemas.parse_menu_query(pairs, defaults=defaults)
    rows = context.stores.menus.find(**filters)
    request.response.headers.update(menu_headers.link_headers(context.stores.menus, pairs, filters["date"], rows))
    return rows


@view_config(context=Dining, name="menus.csv", renderer="csv")
def menu_table(context: Dining, request: Request) -> list[tables.Row]:
    """Return the cells of the menu items that match the query, of today by default."""
    rows, names = menus(context, request), context.stores.names()
    return [tables.MENU_HEADER, *tables.menu_cells(rows, names)]


@view_config(context=Dining, name="menus.ics", renderer="calendar")
def menu_calendar(context: Dining, request: Request) -> bytes:
    """Return the calendar of the menu items of the days ahead that match the query."""
    _, pairs, _, today = data_request(request)
    stores, zone = context.stores, request.registry.settings["clock.time_zone"]
    vocabulary = stores.recipes.vocabulary()
    filters = schemas.parse_dish_query(pairs, vocabulary, schemas.CALENDAR)
    # Defined, because a calendar has no parameter for the date.
    dates = calendars.dates(cast("str", today))
    meals, locations, recipes = (filters[name] for name in ("meal", "location", "recipe"))
    dish = stores.recipes.get(recipes[0]) if recipes and len(recipes) == 1 else None
    notes = {
        SAMPLES_NOTE: stores.menus.has_samples,
        _DIET_NOTE: filters["diet"] != NO_DIET,
        _NOT_STATED_NOTE: not vocabulary.states(filters["diet"]),
    }
    about = calendars.about(stores.names(), meals, locations, dish["name"] if dish else "", notes)
    points = {place["id"]: place["point"] for place in stores.locations.places()}
    hours = stores.hours.find(zone, dates, meals, locations)
    return calendars.calendar(stores.dishes.items(dates, **filters), about, stores.menus.loaded_at, hours, zone, points)


@view_config(context=Dining, name="hours", renderer="json")
def hours(context: Dining, request: Request) -> list[HoursRow]:
    """Return when the meals that match the query are served, today by default."""
    _, pairs, defaults, _ = data_request(request)
    filters = schemas.parse_menu_query(pairs, schemas.HOURS, defaults=defaults)
    return context.stores.hours.find(request.registry.settings["clock.time_zone"], **filters)
