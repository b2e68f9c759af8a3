"""One row of a dining export, and how its dates, numbers and names are understood in every format."""

import html
import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from campus_api import ids
from campus_api.models import MenuItem, Named
from loaders.readers.result import BadValue, text_of

_DATE_FORMATS = ("%m/%d/%Y", "%Y-%m-%d")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
# Only with its semicolon: what stands before a word may be an ampersand.
_ENTITY = re.compile(r"&(#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);")
# Some providers escape twice.
_ESCAPES = 3


@dataclass(frozen=True, slots=True)
class Serving:
    """One row of an export: a recipe, served in a category, for a meal, at a location, on a date (YYYY-MM-DD)."""

    date: str
    meal: int
    location: Named
    category: Named
    recipe: Named

    @property
    def item(self) -> MenuItem:
        """Return the menu item that this row is."""
        recipe = self.recipe
        return MenuItem(self.date, self.meal, self.location.id, self.category.id, recipe.id, recipe.name)


@lru_cache(maxsize=4096)
def date_of(field: str, value: str | int | float | None) -> str:
    """Return a date as YYYY-MM-DD; BadValue when it is none."""
    text = text_of(field, value)
    for form in _DATE_FORMATS:
        try:
            return datetime.strptime(text, form).date().isoformat()
        except ValueError:
            continue
    raise BadValue(field, text or None, "is missing" if not text else "is not a date written MM/DD/YYYY")


@lru_cache(maxsize=65536, typed=True)
def number_of(field: str, value: str | int | float | None) -> int:
    """Return a provider's number; BadValue when it is none."""
    if value is None or (isinstance(value, str) and not value.strip()):
        raise BadValue(field, None, "is missing")
    try:
        return ids.from_export(value)
    except ValueError as error:
        raise BadValue(field, value, str(error)) from None


@lru_cache(maxsize=65536, typed=True)
def name_of(field: str, value: str | int | float | None) -> str:
    """Return a name without HTML and with single spaces, "" for none; BadValue for what nobody can read."""
    text = text_of(field, value)
    for _ in range(_ESCAPES):
        text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    return text_of(field, _TAG.sub(" ", text))


@lru_cache(maxsize=65536)
def named(id_: int, field: str, name: str) -> Named:
    """Return an id with its name, one object for all rows; BadValue when there is no name."""
    if not name:
        raise BadValue(field, None, "is missing")
    return Named(id_, name)
