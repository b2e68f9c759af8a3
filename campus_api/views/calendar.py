"""The calendar of a query: the menu items of the days ahead, with the hours and the points of their halls."""

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from campus_api.db.stores import Stores
from campus_api.domain import calendars
from campus_api.domain.allergens.vocabulary import NO_DIET
from campus_api.domain.clock import dates
from campus_api.domain.models import SAMPLES_NOTE, are_samples
from campus_api.http.cache_key import DataRequest

_DIET_NOTE = "Allergens and labels are as listed by the dining service; nobody has checked them. Ask in the hall."
_NOT_STATED_NOTE = "The dining service does not state all of these allergens: no dish is known to match."


def calendar(stores: Stores, filters: Mapping[str, Any], request: DataRequest, zone: ZoneInfo, url: str) -> bytes:
    """Return the calendar of the menu items of the days ahead that match the values of the parameters.

    `url` is that of the service, "" if unknown.
    """
    days, diet, vocabulary = dates(request.today, calendars.DAYS), filters["diet"], stores.recipes.vocabulary()
    names, recipe, newest = stores.names(), _only_recipe(stores, filters["recipe"]), stores.snapshot.newest("dining")
    has_samples = are_samples(newest)
    notes = {SAMPLES_NOTE: has_samples, _DIET_NOTE: diet != NO_DIET, _NOT_STATED_NOTE: not vocabulary.states(diet)}
    note = " ".join(text for text, holds in notes.items() if holds)
    labels = sorted({vocabulary.label.name(text) for parameter, text in request.pairs if parameter == "label"})
    title = calendars.title(names, filters, recipe, labels) + (" (samples)" if has_samples else "")
    loaded_at = newest and newest["loaded_at"]
    points = {place["id"]: place["point"] for place in stores.locations.find()}
    about = calendars.About(names, zone, loaded_at, points, title, note, recipe, url, stores.snapshot.database_id)
    hours = stores.hours.find(zone, days, filters["meal"], filters["location"])
    return calendars.calendar(stores.dishes.items(days, **filters), hours, about)


def _only_recipe(stores: Stores, recipes: list[int] | None) -> str:
    """Return the name of the recipe if a query has one, "" otherwise."""
    return stores.recipes.names().get(recipes[0], "") if recipes and len(recipes) == 1 else ""
