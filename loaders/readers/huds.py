"""HUDS "menu.csv": no header, eight or nine columns; halls and categories are codes, named in the profile."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from campus_api.domain.models import NamedEntity
from loaders.documents.serving import MenuRow
from loaders.errors import InvalidValue
from loaders.profiles import DiningProfile, normalize_code
from loaders.readers.files import Export, csv_rows
from loaders.readers.result import SourceLocation
from loaders.readers.values import clean_name, named_entity, parse_date, parse_id
from loaders.text import parse_text

_MEALS = {"BRK": 0, "LUN": 1, "DIN": 2}
_WIDTHS = (8, 9)


class HudsColumns(NamedTuple):
    """The columns of a row that are used; hall and category are codes."""

    date: str
    meal: int
    hall: str
    category: str
    recipe: NamedEntity


class Huds:
    """Parser of the rows of one HUDS export."""

    def __init__(self, profile: DiningProfile) -> None:
        self._profile = profile

    def rows(self, export: Export) -> Iterator[tuple[SourceLocation, list[str]]]:
        """Yield each raw row with its location."""
        return csv_rows(export)

    def parse_row(self, row: list[str]) -> tuple[MenuRow, None]:
        """Parse a row; InvalidValue if it is unusable. There are no warnings in this format."""
        columns = self.parse_columns(row)
        menu_row = MenuRow(
            columns.date,
            columns.meal,
            _look_up("hall", columns.hall, self._profile.locations),
            _look_up("category", columns.category, self._profile.categories),
            columns.recipe,
        )
        return menu_row, None

    def parse_columns(self, row: list[str]) -> HudsColumns:
        """Parse a row without looking up its codes; InvalidValue if it is unusable."""
        if len(row) not in _WIDTHS:
            raise InvalidValue("row", ",".join(row), f"has {len(row)} columns instead of 8 or 9")
        date, recipe, name, meal, hall, category = row[:6]
        return HudsColumns(
            parse_date("date", date),
            _parse_meal(meal),
            _parse_code("hall", hall),
            _parse_code("category", category),
            named_entity(parse_id("recipe number", recipe), "recipe name", clean_name("recipe name", name)),
        )


def _parse_meal(value: str) -> int:
    code = parse_text("meal", value)
    if code not in _MEALS:
        raise InvalidValue("meal", code, f"is not one of {', '.join(_MEALS)}")
    return _MEALS[code]


def _parse_code(field: str, value: str) -> str:
    code = parse_text(field, value)
    if not code:
        raise InvalidValue(field, None, "is missing")
    return code


def _look_up(field: str, code: str, entities: Mapping[str, NamedEntity]) -> NamedEntity:
    key = normalize_code(code)
    if key not in entities:
        raise InvalidValue(field, code, "is not a code in the profile")
    return entities[key]
