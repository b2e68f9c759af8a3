"""HUDS "menu.csv": no header, eight or nine columns; halls and categories are codes, named in the profile."""

from collections.abc import Iterator

from loaders.errors import InvalidValue
from loaders.menu_formats.base import DiningFormat, ParsedRow
from loaders.menu_formats.dates import parse_date
from loaders.menu_formats.values import clean_name, named_entity, parse_code, parse_id
from loaders.profiles.dining_settings import fold_meal
from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.syntax.csv_rows import csv_rows, detect_delimiter
from loaders.text import parse_text

_MEALS = {"BRK": 0, "LUN": 1, "DIN": 2}
_WIDTHS = (8, 9)
_UNREAD = ("portion", "unit", "web codes")


class Huds(DiningFormat):
    """Parser of the rows of one HUDS export."""

    name = "huds"
    title = "HUDS"
    files = "HUDS CSV"
    location_field = "hall"

    @staticmethod
    def sniff(head: str) -> bool:
        return detect_delimiter(head, _is_row) is not None

    def rows(self, export: Export) -> Iterator[tuple[SourceLocation, list[str]]]:
        self._delimiter = self._profile.delimiter or detect_delimiter(export.head, _is_row) or ","
        return csv_rows(export, self._delimiter)

    def parse_row(self, row: list[str]) -> ParsedRow:
        if len(row) not in _WIDTHS:
            raise InvalidValue("row", ",".join(row), f"has {len(row)} columns instead of 8 or 9")
        date, recipe, name, meal, hall, category = row[:6]
        self.dates.add(date)
        self.unread.update(name for name, value in zip(_UNREAD, row[6:], strict=False) if value.strip())
        return ParsedRow(
            parse_date("date", date, self._profile.date_format),
            self._parse_meal(meal),
            parse_code("hall", hall),
            parse_code("category", category),
            named_entity(parse_id("recipe number", recipe), "recipe name", clean_name("recipe name", name)),
        )

    def _parse_meal(self, value: str) -> int:
        code = parse_text("meal", value)
        meal = self._profile.meals.get(fold_meal(code), _MEALS.get(code))
        if meal is None:
            raise InvalidValue("meal", code, f"is not one of {', '.join(_MEALS)}")
        return meal


def _is_row(row: list[str]) -> bool:
    return len(row) in _WIDTHS and row[3].strip() in _MEALS
