"""The calendar of a query: the menu items of the days ahead, with the hours and the points of their halls."""

from collections.abc import Mapping
from typing import Any

from campus_api.db.stores import Stores
from campus_api.domain import calendars
from campus_api.domain.allergens.vocabulary import NO_DIET
from campus_api.domain.clock import dates
from campus_api.domain.models import are_samples
from campus_api.http.cache_key import DataRequest

_SAMPLES_NOTE = "These are samples, not real data."
_DIET_NOTE = "Allergens and labels are as listed by the dining service; nobody has checked them. Ask in the hall."
_NOT_STATED_NOTE = "The dining service does not state all of these allergens: no dish is known to match."


def calendar(stores: Stores, filters: Mapping[str, Any], request: DataRequest, url: str) -> bytes:
    """Return the calendar of the menu items of the days ahead that match the values of the parameters.

    `url` is that of the service, "" if unknown.
    """
    names = stores.names()
    vocabulary = stores.recipes.vocabulary()
    newest = stores.snapshot.newest("dining")
    recipes = [stores.recipes.names().get(id_, "") for id_ in filters["recipe"] or ()]
    recipe = recipes[0] if len(recipes) == 1 else ""
    labels = sorted({vocabulary.label.name(text) for name, text in request.pairs if name == "label"})
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
    about = calendars.About(
        names, stores.zone, loaded_at, points, title, note, recipe, url, stores.snapshot.database_id
    )
    days = dates(request.today, calendars.DAYS)
    hours = stores.hours.find(days, filters["meal"], filters["location"])
    return calendars.calendar(stores.menus.find(days, **filters), hours, about)
