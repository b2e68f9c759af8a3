"""Tables of menus: CSV with a header or JSON objects, a dish in each row with its date, meal, hall and category."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from campus_api.domain.models import NamedEntity, meal_name
from campus_api.domain.text import normalize
from loaders.errors import DataWarning, InvalidValue, UnreadableFileError, require_valid
from loaders.menu_formats.base import ParsedRow, TableFormat
from loaders.menu_formats.dates import DateFormats, parse_date
from loaders.menu_formats.facts import FactsCollector
from loaders.menu_formats.values import clean_name, meals_named, named_entity, require_scalar
from loaders.profiles import DiningProfile, normalize_code
from loaders.profiles.dining_settings import MAX_MEAL, MENU_COLUMNS, fold_meal
from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.syntax.columns import Columns, find_columns
from loaders.syntax.csv_rows import csv_table, detect_delimiter, row_members
from loaders.syntax.json_stream import is_json, read_array
from loaders.text import is_blank

# Common names of columns, the best first: those of names before those that may have numbers.
_NAMES = {
    "date": "date|serve date|service date|menu date|day|datum|tag|fecha|jour",
    "meal": "meal name|meal|meal period|period|daypart|meal type|mahlzeit|repas|comida",
    "location": "location name|location|hall|dining hall|canteen|cafeteria|restaurant|mensa|venue|unit|outlet|lieu",
    "category": (
        "category name|category|menu category|station|course|section|counter|line|concept|kategorie|linie|theke"
    ),
    "dish": "dish name|dish|menu item|item name|item|recipe name|recipe|food|entree|gericht|speise|plat|plato|name",
}
_FACT_NAMES = {
    "calories": "calories|kcal|energy kcal|kalorien",
    "ingredients": "ingredients|ingredient list|zutaten",
    "allergens": (
        "allergens|allergen|contains|contains allergens|allergen info|allergen information|allergy information"
        "|allergene|allergènes|alérgenos|allergeni"
    ),
    "serving_size": "serving size|portion size|portion",
}
_MEAL_WORDS = (
    *(
        ("frühst", 0),
        ("desayuno", 0),
        ("petit", 0),
        ("mittag", 1),
        ("(?<!petit.)déjeuner", 1),
        ("almuerzo", 1),
        ("brunch", 1),
    ),
    *(("abend", 2), ("dîner", 2), ("cena", 2)),
)
_KNOWN_MEALS = "0 is breakfast, 1 lunch, 2 dinner"
_FIRST_OTHER_MEAL = 3
_DEFAULTS = {"meal": "lunch", "category": "Menu"}
_KEY = re.compile(r'"([^"\\]{1,80})"\s*:')


class MenuTable(TableFormat):
    """Parser of the rows of one table. Halls, categories and dishes have no ids: the database assigns them."""

    name = "menu-table"
    title = "table of menus"
    files = "a table of dates and dishes (CSV or JSON)"
    tables = ("locations", "categories", "facts", "labels", "columns", "defaults")
    assigns_ids = True

    def __init__(self, profile: DiningProfile) -> None:
        super().__init__(profile)
        self._columns: Mapping[str, str] = profile.columns
        self._fact_columns: Mapping[str, str] = profile.facts
        self._read = Columns([*profile.columns.values(), *profile.facts.values()])
        self._proposed_meals: dict[str, int] = {}
        self._date_formats = DateFormats()

    @staticmethod
    def sniff(head: str) -> bool:
        if is_json(head):
            return _is_header(list(dict.fromkeys(_KEY.findall(head))))
        return detect_delimiter(head, _is_header) is not None

    @property
    def proposed(self) -> dict[str, Any]:
        defaults = {"location": "Dining Hall", **_DEFAULTS}
        settings = {
            "date_format": self._date_formats.proposed,
            "columns": self._columns,
            "defaults": {name: value for name, value in defaults.items() if name not in self._columns},
            "meals": self._proposed_meals,
            "facts": self._fact_columns,
        }
        return {name: value for name, value in settings.items() if value}

    @property
    def doubts(self) -> list[str]:
        several = ", ".join(name for name in self._proposed_meals if len(_meals_named(name)) > 1)
        unknown = ", ".join(name for name in self._proposed_meals if not _meals_named(name))
        return [
            *self._date_formats.doubts,
            *([f"{several} name several meals: check [meals]."] if several else []),
            *([f"{unknown} are no known names of meals. {_KNOWN_MEALS}: check [meals]."] if unknown else []),
        ]

    def rows(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        if not self._profile.columns:
            with export.reopen() as again:
                self._choose_columns(again)
        return super().rows(export)

    def parse_row(self, row: Any) -> ParsedRow:
        members = self._read.values(row_members(row, self._header))
        values = {name: self._value(members, name) for name in MENU_COLUMNS}
        others = (name for name, value in members.items() if name not in self._read.names and not is_blank(value))
        self.unread.update(others)
        meal, warning = self._parse_meal(values["meal"])
        return ParsedRow(
            self._parse_date(values["date"]),
            meal,
            self._entity("location", values["location"], self._profile.locations),
            self._entity("category", values["category"], self._profile.categories),
            self._entity("dish", values["dish"], {}),
            warning=warning,
        )

    def fact_values(self, row: Any) -> tuple[Any, ...]:
        members = self._read.values(row_members(row, self._header))
        return tuple(_join(members.get(column)) for column in self._fact_columns.values())

    def read_rows(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        if is_json(export.head):
            yield from read_array(export, "rows")
            return
        self._delimiter = self._profile.delimiter or detect_delimiter(export.head, self._is_expected) or ","
        self._header, rows = csv_table(export, self._delimiter)
        if self._profile.columns and (missing := self._read.missing(self._header)):
            reason = f"has no column {', '.join(missing)}, which the profile names"
            raise UnreadableFileError(export.path, reason)
        yield from rows

    def _is_expected(self, row: list[str]) -> bool:
        columns = self._profile.columns
        return not Columns(columns.values()).missing(row) if columns else _is_header(row)

    def _choose_columns(self, export: Export) -> None:
        """Find the columns by the names in all rows; those with a value come before those without."""
        has_value: dict[str, bool] = {}
        for _, row in self.read_rows(export):
            with suppress(InvalidValue):
                for name, value in row_members(require_valid(row), self._header).items():
                    if not has_value.get(name):
                        has_value[name] = not is_blank(value)
        filled = [name for name in has_value if has_value[name]]
        empty = [name for name in has_value if not has_value[name]]
        self._columns = find_columns(_NAMES, empty) | find_columns(_NAMES, filled)
        if self.is_proposing:
            self._fact_columns = find_columns(_FACT_NAMES, filled)
            self.facts = FactsCollector(replace(self._profile, facts=self._fact_columns))
        self._read = Columns([*self._columns.values(), *self._fact_columns.values()])

    def _value(self, members: Mapping[str, Any], name: str) -> str:
        """Return the text of a column, or else its default; InvalidValue if there is none."""
        column = self._columns.get(name)
        value = require_scalar(column or name, members.get(column) if column else None)
        text = clean_name(column or name, value) or ({**_DEFAULTS, **self._profile.defaults}).get(name, "")
        if not text and self.is_proposing and name == "location":
            return "Dining Hall"
        if not text:
            raise InvalidValue(column or name, None, "is missing")
        return text

    def _parse_date(self, text: str) -> str:
        self.dates.add(text)
        date_format = self._profile.date_format
        if self.is_proposing:
            self._date_formats.add(text)
            date_format = self._date_formats.needed
        return parse_date(self._columns.get("date", "date"), text, date_format)

    def _parse_meal(self, text: str) -> tuple[int, DataWarning | None]:
        column, key = self._columns.get("meal", "meal"), fold_meal(text)
        if key in self._profile.meals:
            return self._profile.meals[key], None
        named = _meals_named(key)
        number = min(named) if named and not self._profile.meals else None
        if self.is_proposing:
            others = max([_FIRST_OTHER_MEAL - 1, *self._proposed_meals.values()]) + 1
            number = self._proposed_meals.setdefault(key, others if number is None else number)
        if number is None or number > MAX_MEAL:
            raise InvalidValue(column, text, "is not in [meals] of the profile")
        reason = f"names several meals; {meal_name(number)} is used"
        return number, DataWarning(column, text, reason) if len(named) > 1 else None

    def _entity(self, kind: str, text: str, entities: Mapping[str, NamedEntity]) -> NamedEntity:
        """Return the entity of the profile, or one with an assigned id, whatever the letter case of the text."""
        entity = entities.get(normalize_code(text))
        if entity:
            return entity
        first = max((each.id for each in entities.values()), default=0) + 1
        key = f"{kind}/{normalize('NFC', text).casefold()}"
        return named_entity(self.assigner.assign(key, first), kind, text)


def _is_header(row: list[str]) -> bool:
    columns = find_columns(_NAMES, row)
    return {"date", "dish"} <= columns.keys() and len(columns) > 2  # noqa: PLR2004


def _meals_named(key: str) -> frozenset[int]:
    return meals_named(key) | meals_named(key, _MEAL_WORDS)


def _join(value: Any) -> Any:
    """Return a list of texts as one, with commas."""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return value
