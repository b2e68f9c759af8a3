"""HUDS "menu.csv": no header, eight or nine columns; halls and categories are codes of the profile's tables."""

from collections.abc import Iterator, Mapping

from campus_api.models import Named
from loaders.documents.serving import MenuRow
from loaders.errors import InvalidValue
from loaders.profiles import DiningProfile, normalize_code
from loaders.readers.files import Export, csv_rows
from loaders.readers.result import SourceLocation
from loaders.readers.values import clean_name, named_entity, parse_date, parse_id
from loaders.text import parse_text

_MEALS = {"BRK": 0, "LUN": 1, "DIN": 2}
_WIDTHS = (8, 9)


class Huds:
    """The rows of one HUDS export, understood with a profile."""

    def __init__(self, profile: DiningProfile) -> None:
        """Take the profile with the tables of halls and categories."""
        self._profile = profile

    def rows(self, export: Export) -> Iterator[tuple[SourceLocation, list[str]]]:
        """Yield each row with its place."""
        return csv_rows(export)

    def serving(self, row: list[str]) -> tuple[MenuRow, None]:
        """Return what a row says, which is never odd; InvalidValue when it cannot be used."""
        if len(row) not in _WIDTHS:
            raise InvalidValue("row", ",".join(row), f"has {len(row)} columns instead of 8 or 9")
        date, recipe, name, code, hall, category = row[:6]
        meal = parse_text("meal", code)
        if meal not in _MEALS:
            raise InvalidValue("meal", meal, "is none of BRK, LUN and DIN")
        serving = MenuRow(
            parse_date("date", date),
            _MEALS[meal],
            _code("hall", hall, self._profile.locations),
            _code("category", category, self._profile.categories),
            named_entity(parse_id("recipe number", recipe), "recipe name", clean_name("recipe name", name)),
        )
        return serving, None


def _code(field: str, code: str, codes: Mapping[str, Named]) -> Named:
    text = parse_text(field, code)
    key = normalize_code(text)
    if key not in codes:
        raise InvalidValue(field, text, "is not in the tables of the profile")
    return codes[key]
