"""Views of the menus, by item and by dish, their calendar, and the serving hours."""

from operator import attrgetter
from typing import Any
from urllib.parse import urlencode

from pyramid.request import Request
from pyramid.view import view_config

from campus_api.db.stores import Stores
from campus_api.domain import calendars, tables
from campus_api.domain.allergens.vocabulary import NO_DIET, Diet
from campus_api.domain.clock import dates
from campus_api.domain.models import DishRow, HoursRow, MenuItemRow, are_samples
from campus_api.http.cache_key import Pairs, data_request
from campus_api.resources import Dining

# Links repeat the query, and proxies limit the size of headers.
_MAX_LINKED_QUERY = 2000
_SAMPLES_NOTE = "These are samples, not real data."
_DIET_NOTE = "Allergens and labels are as listed by the dining service; nobody has checked them. Ask in the hall."
_NOT_STATED_NOTE = "The dining service does not state all of these allergens: no dish is known to match."


@view_config(context=Dining, name="menus", renderer="json")
def menus(context: Dining, request: Request) -> list[MenuItemRow]:
    """Return the menu items that match the query, of today by default."""
    return _with_headers(request, context.stores.menus.find(**request.filters))


@view_config(context=Dining, name="menus.csv", renderer="csv")
def menu_table(context: Dining, request: Request) -> list[tables.Row]:
    """Return the cells of the menu items that match the query, of today by default."""
    return [tables.MENU_HEADER, *tables.menu_cells(menus(context, request), context.stores.names())]


@view_config(context=Dining, name="menus.ics", renderer="calendar")
def menu_calendar(context: Dining, request: Request) -> bytes:
    """Return the calendar of the menu items of the days ahead that match the query."""
    return _calendar(context.stores, request)


@view_config(context=Dining, name="dishes", renderer="json")
def dishes(context: Dining, request: Request, **options: Any) -> list[DishRow]:
    """Return the dishes that match the query, of today by default."""
    return _with_headers(request, context.stores.menus.dishes(**request.filters, **options))


@view_config(context=Dining, name="dishes.csv", renderer="csv")
def dish_table(context: Dining, request: Request) -> list[tables.Row]:
    """Return the cells of the dishes that match the query, of today by default."""
    rows = dishes(context, request, encode=attrgetter("cells"))
    return [tables.DISH_HEADER, *tables.dish_cells(rows, context.stores.names())]


@view_config(context=Dining, name="hours", renderer="json")
def hours(context: Dining, request: Request) -> list[HoursRow]:
    """Return when the meals that match the query are served, today by default."""
    return context.stores.hours.find(**request.filters)


def _with_headers(request: Request, rows: list[Any]) -> list[Any]:
    """Return rows, of which the response has Link if they are of one date, and X-Campus-Empty if there are none."""
    stores, headers = request.root.stores, request.response.headers
    filtered = request.filters["date"]
    date = filtered[0] if len(filtered) == 1 else ""
    diet = request.filters.get("diet", NO_DIET)
    if date and (links := _links(data_request(request).undated, stores, date, diet)):
        headers["Link"] = links
    if not rows and (reason := _empty_reason(stores, date, diet)):
        headers["X-Campus-Empty"] = reason
    return rows


def _empty_reason(stores: Stores, date: str, diet: Diet) -> str:
    """Return why nothing matches; of several dates, only if an allergen is not stated."""
    if date and (reason := stores.menus.empty_reason(date)):
        return reason
    if diet.without and not stores.recipes.vocabulary().states(diet):
        return "not-stated"
    return "no-match" if date else ""


def _links(others: Pairs, stores: Stores, date: str, diet: Diet) -> str:
    """Return links to the adjacent dates and, if the query spells allergens otherwise, to their words (RFC 6596).

    They are relative to the path, so that they are valid behind any proxy.
    """
    if len(urlencode(others)) > _MAX_LINKED_QUERY:
        return ""
    words = tuple(pair for pair in others if pair[0] != "without")
    words += tuple(("without", word) for word in diet.without or ())
    before, after = stores.menus.adjacent_dates(date)
    targets = [("prev", others, before), ("next", others, after)]
    if sorted(words) != sorted(others):
        targets.append(("canonical", words, date))
    links = []
    for rel, query, day in targets:
        if day:
            parameters = urlencode(sorted([*query, ("date", day)]))
            links.append(f'<?{parameters}>; rel="{rel}"')
    return ", ".join(links)


def _calendar(stores: Stores, request: Request) -> bytes:
    """Return the calendar of the menu items of the days ahead that match the query."""
    filters, parameters = request.filters, data_request(request)
    names = stores.names()
    vocabulary = stores.recipes.vocabulary()
    newest = stores.snapshot.newest("dining")
    recipes = [stores.recipes.names().get(id_, "") for id_ in filters["recipe"] or ()]
    recipe = recipes[0] if len(recipes) == 1 else ""
    texts = [text for name, text in parameters.pairs if name == "label"]
    labels = sorted({*map(vocabulary.label.name, texts)})
    title = calendars.title(names, filters, recipe, labels)
    notes = []
    if are_samples(newest):
        title += " (samples)"
        notes.append(_SAMPLES_NOTE)
    if filters["diet"] != NO_DIET:
        notes.append(_DIET_NOTE)
    if not vocabulary.states(filters["diet"]):
        notes.append(_NOT_STATED_NOTE)
    points = {place["id"]: place["point"] for place in stores.locations.find()}
    loaded_at = newest and newest["loaded_at"]
    note = " ".join(notes)
    url = request.registry.settings["pages.url"]
    about = calendars.About(
        names, stores.zone, loaded_at, points, title, note, recipe, url, stores.snapshot.database_id
    )
    days = dates(parameters.today, calendars.DAYS)
    hours = stores.hours.find(days, filters["meal"], filters["location"])
    return calendars.calendar(stores.menus.find(days, **filters), hours, about)
