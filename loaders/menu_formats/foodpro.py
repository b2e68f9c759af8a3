"""FoodPro rows, as a JSON array or as CSV with a header."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from campus_api.domain.models import MEALS, NamedEntity
from loaders.errors import DataWarning, InvalidValue, UnreadableFileError
from loaders.menu_formats.base import ParsedRow, TableFormat
from loaders.menu_formats.dates import parse_date
from loaders.menu_formats.values import clean_name, meals_named, named_entity, parse_id, require_scalar
from loaders.profiles import DiningProfile
from loaders.profiles.dining_settings import fold_meal
from loaders.result import MEAL_NAME, SourceLocation
from loaders.sources.files import Export
from loaders.syntax.columns import fold_name
from loaders.syntax.csv_rows import csv_rows, detect_delimiter, duplicate_column, row_members
from loaders.syntax.json_stream import is_json, read_array
from loaders.text import is_blank, parse_text

_COLUMNS = (
    "Serve_Date",
    "Meal_Number",
    "Meal_Name",
    "Location_Number",
    "Location_Name",
    "Menu_Category_Number",
    "Menu_Category_Name",
    "Recipe_Number",
    "Recipe_Name",
    "Recipe_Print_As_Name",
)
_DATE = fold_name(_COLUMNS[0])
_MEALS = {meal + 1: name for meal, name in MEALS.items()}
_JSON_KEY = re.compile(r'"\s*serve[\s_-]+date\s*"', re.IGNORECASE)


class _Keys(NamedTuple):
    """The key of each column of menu items and of facts in a row, whatever its letter case, and the other keys."""

    menu_item: list[str | None]
    facts: list[str | None]
    others: list[str]


class FoodPro(TableFormat):
    """Parser of the rows of one FoodPro export."""

    name = "foodpro"
    title = "FoodPro"
    files = "FoodPro rows"
    tables = ("locations", "categories", "facts", "labels")

    def __init__(self, profile: DiningProfile) -> None:
        super().__init__(profile)
        self._locations = _with_target_ids(profile.locations)
        self._categories = _with_target_ids(profile.categories)
        self._columns = (*_COLUMNS, *profile.facts.values())
        self._keys: dict[tuple[str | None, ...], _Keys] = {}

    @staticmethod
    def sniff(head: str) -> bool:
        if is_json(head):
            return bool(_JSON_KEY.search(head))
        return detect_delimiter(head, _is_header) is not None

    def read_rows(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        return read_array(export, "rows") if is_json(export.head) else self._csv_rows(export)

    def parse_row(self, row: Any) -> ParsedRow:
        day, meal, meal_name, location, location_name, category, category_name, *recipe = self._values(row)
        self.dates.add(str(day))
        meal_index, warning = self._parse_meal(meal, meal_name)
        return ParsedRow(
            parse_date("Serve_Date", day, self._profile.date_format),
            meal_index,
            _parse_entity("Location", location, location_name, self._locations),
            _parse_entity("Menu_Category", category, category_name, self._categories),
            _parse_recipe(*recipe),
            clean_name("Meal_Name", meal_name),
            warning,
        )

    def fact_values(self, row: Any) -> tuple[Any, ...]:
        members: Mapping[Any, Any] = row_members(row, self._header)
        return tuple(map(members.get, self._keys_of(tuple(members)).facts))

    def _parse_meal(self, number: Any, name: Any) -> tuple[int, DataWarning | None]:
        """Return the meal of the profile's table, by its number or else by its name, or that of FoodPro."""
        table = self._profile.meals
        key = fold_meal(clean_name("Meal_Name", name)) if table else ""
        if key in table and not parse_text("Meal_Number", number):
            return table[key], None
        meal_number = parse_id("Meal_Number", number)
        for each in (str(meal_number), key):
            if each in table:
                return table[each], None
        self.meals.add((meal_number, str(name)))
        if meal_number not in _MEALS:
            raise InvalidValue("Meal_Number", meal_number, "is not one of 1 (breakfast), 2 (lunch), 3 (dinner)")
        return meal_number - 1, _check_meal_name(meal_number, name)

    def _csv_rows(self, export: Export) -> Iterator[tuple[SourceLocation, list[str]]]:
        self._delimiter = self._profile.delimiter or detect_delimiter(export.head, _is_header) or ","
        rows = csv_rows(export, self._delimiter)
        self._header = next(rows, (None, []))[1]
        if _DATE not in _fold(self._header):
            reason = "has no header with Serve_Date: is it in another format (--profile)?"
            raise UnreadableFileError(export.path, reason)
        if duplicate := self._duplicate_column(self._header):
            raise duplicate_column(export, duplicate)
        yield from rows

    def _values(self, row: Any) -> list[Any]:
        """Return the values of the menu item in the order of the columns, None if absent."""
        members: Mapping[Any, Any] = row_members(row, self._header)
        keys = self._keys_of(tuple(members))
        values = list(map(require_scalar, _COLUMNS, map(members.get, keys.menu_item)))
        self.unread.update(key for key in keys.others if not is_blank(members[key]))
        return values

    def _keys_of(self, keys: tuple[str | None, ...]) -> _Keys:
        """Return the keys of a row with these by what they are read for."""
        if keys not in self._keys:
            names = [str(key) for key in keys]
            if duplicate := self._duplicate_column(names):
                raise InvalidValue(duplicate, None, "is a duplicate key")
            by_folded = dict(zip(_fold(names), names, strict=True))
            in_row = [by_folded.get(column) for column in _fold(self._columns)]
            others = [name for name in names if name.strip() and name not in in_row]
            self._keys[keys] = _Keys(in_row[: len(_COLUMNS)], in_row[len(_COLUMNS) :], others)
        return self._keys[keys]

    def _duplicate_column(self, names: Iterable[str]) -> str | None:
        counts = Counter(_fold(names))
        columns = zip(self._columns, _fold(self._columns), strict=True)
        return next((column for column, folded in columns if counts[folded] > 1), None)


def _fold(names: Iterable[str]) -> list[str]:
    return [fold_name(name) for name in names]


def _is_header(row: Iterable[str]) -> bool:
    return _DATE in _fold(row)


def _with_target_ids(entities: Mapping[str, NamedEntity]) -> dict[str, NamedEntity]:
    """Return the entities also by their own id, so that rows with that number get the same name."""
    return {str(entity.id): entity for entity in entities.values()} | dict(entities)


def _parse_entity(prefix: str, number: Any, name: Any, overrides: Mapping[str, NamedEntity]) -> NamedEntity:
    id_ = parse_id(f"{prefix}_Number", number)
    name_field = f"{prefix}_Name"
    return overrides.get(str(id_)) or named_entity(id_, name_field, clean_name(name_field, name))


def _parse_recipe(number: Any, name: Any, print_as: Any) -> NamedEntity:
    text = clean_name("Recipe_Print_As_Name", print_as) or clean_name("Recipe_Name", name)
    return named_entity(parse_id("Recipe_Number", number), "Recipe_Name", text)


@lru_cache(maxsize=1024)
def _check_meal_name(number: int, name: Any) -> DataWarning | None:
    """Return a warning if the name is that of another meal; unknown names are ignored."""
    text = clean_name("Meal_Name", name)
    named = meals_named(text)
    if not named or number - 1 in named:
        return None
    reason = f"contradicts Meal_Number {number} ({_MEALS[number]}); the number is used"
    return DataWarning(MEAL_NAME, text, reason)
