"""HUDS "menu.csv": no header, eight or nine columns; halls and categories are codes, named in the profile."""

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
    """Parser of the rows of one HUDS export."""

    def __init__(self, profile: DiningProfile) -> None:
        self._profile = profile

    def rows(self, export: Export) -> Iterator[tuple[SourceLocation, list[str]]]:
        """Yield each raw row with its location."""
        return csv_rows(export)

    def parse_row(self, row: list[str]) -> tuple[MenuRow, None]:
        """Parse a row; InvalidValue if it is unusable. There are no warnings in this format."""
        if len(row) not in _WIDTHS:
            raise InvalidValue("row", ",".join(row), f"has {len(row)} columns instead of 8 or 9")
        date, recipe, name, meal_code, hall, category = row[:6]
        menu_row = MenuRow(
            parse_date("date", date),
            _parse_meal(meal_code),
            _look_up("hall", hall, self._profile.locations),
            _look_up("category", category, self._profile.categories),
            named_entity(parse_id("recipe number", recipe), "recipe name", clean_name("recipe name", name)),
        )
        return menu_row, None


def _parse_meal(value: str) -> int:
    code = parse_text("meal", value)
    if code not in _MEALS:
        raise InvalidValue("meal", code, f"is not one of {', '.join(_MEALS)}")
    return _MEALS[code]


def _look_up(field: str, value: str, entities: Mapping[str, Named]) -> Named:
    text = parse_text(field, value)
    code = normalize_code(text)
    if code not in entities:
        raise InvalidValue(field, text, "is not a code in the profile")
    return entities[code]
