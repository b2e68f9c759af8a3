"""HUDS "menu.csv": no header, eight or nine columns; halls and categories are codes of the profile's tables."""

from collections.abc import Iterator, Mapping

from campus_api.models import Named
from loaders.documents.serving import Serving, date_of, name_of, named, number_of
from loaders.profiles import DiningProfile, table_key
from loaders.readers.files import Export, csv_rows
from loaders.readers.result import BadValue, Place, text_of

_MEALS = {"BRK": 0, "LUN": 1, "DIN": 2}
_WIDTHS = (8, 9)


class Huds:
    """The rows of one HUDS export, understood with a profile."""

    def __init__(self, profile: DiningProfile) -> None:
        """Take the profile with the tables of halls and categories."""
        self._profile = profile

    def rows(self, export: Export) -> Iterator[tuple[Place, list[str]]]:
        """Yield each row with its place."""
        return csv_rows(export)

    def serving(self, row: list[str]) -> tuple[Serving, None]:
        """Return what a row says, which is never odd; BadValue when it cannot be used."""
        if len(row) not in _WIDTHS:
            raise BadValue("row", ",".join(row), f"has {len(row)} columns instead of 8 or 9")
        date, recipe, name, code, hall, category = row[:6]
        meal = text_of("meal", code)
        if meal not in _MEALS:
            raise BadValue("meal", meal, "is none of BRK, LUN and DIN")
        serving = Serving(
            date_of("date", date),
            _MEALS[meal],
            _code("hall", hall, self._profile.locations),
            _code("category", category, self._profile.categories),
            named(number_of("recipe number", recipe), "recipe name", name_of("recipe name", name)),
        )
        return serving, None


def _code(field: str, code: str, codes: Mapping[str, Named]) -> Named:
    text = text_of(field, code)
    key = table_key(text)
    if key not in codes:
        raise BadValue(field, text, "is not in the tables of the profile")
    return codes[key]
