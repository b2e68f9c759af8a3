"""FoodPro rows, as a JSON array or as CSV with a header."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from campus_api.domain.models import NamedEntity
from loaders.documents.serving import MenuRow
from loaders.errors import DataWarning, InvalidValue, UnreadableFileError
from loaders.profiles import DiningProfile
from loaders.readers.files import Export, csv_rows
from loaders.readers.json_stream import JsonRecordReader
from loaders.readers.result import MEAL_NAME, SourceLocation
from loaders.readers.values import clean_name, named_entity, parse_date, parse_id

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
_FOLDED_COLUMNS = [column.casefold() for column in _COLUMNS]
_MEALS = {1: "breakfast", 2: "lunch", 3: "dinner"}
# Substrings of meal names as they occur: "Dinnner", "LUNCH ENTREES".
_MEAL_KEYWORDS = {"breakf": 1, "lunch": 2, "din": 3, "supper": 3}
_SCALARS = (str, int, float, type(None))


class FoodPro:
    """Parser of the rows of one FoodPro export."""

    def __init__(self, profile: DiningProfile) -> None:
        self._profile = profile
        self._header: list[str] | None = None
        self._columns: dict[tuple[str, ...], list[str | None]] = {}

    def rows(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        """Yield each raw row with its location; UnreadableFileError if the export is not a list of rows."""
        return self._json_rows(export) if export.head.lstrip()[:1] in ("[", "{") else self._csv_rows(export)

    def parse_row(self, row: Any) -> tuple[MenuRow, DataWarning | None]:
        """Parse a row, with a warning if its meal name contradicts its meal number; InvalidValue if it is unusable."""
        day, meal, meal_name, location, location_name, category, category_name, *recipe = self._values(row)
        meal_number = parse_id("Meal_Number", meal)
        if meal_number not in _MEALS:
            raise InvalidValue("Meal_Number", meal_number, "is not one of 1 (breakfast), 2 (lunch), 3 (dinner)")
        menu_row = MenuRow(
            parse_date("Serve_Date", day),
            meal_number - 1,
            _parse_entity("Location", location, location_name, self._profile.locations),
            _parse_entity("Menu_Category", category, category_name, self._profile.categories),
            _parse_recipe(*recipe),
        )
        return menu_row, _check_meal_name(meal_number, meal_name)

    def meal_name(self, row: Any) -> str:
        """Return the meal name of a row as exported; InvalidValue if the row is unusable."""
        return clean_name("Meal_Name", self._values(row)[2])

    def _json_rows(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        reader = JsonRecordReader(export)
        yield from reader
        if reader.members:
            raise UnreadableFileError(export.path, "is not a JSON array of rows")

    def _csv_rows(self, export: Export) -> Iterator[tuple[SourceLocation, list[str]]]:
        rows = csv_rows(export)
        self._header = next(rows, (None, []))[1]
        if _FOLDED_COLUMNS[0] not in [name.strip().casefold() for name in self._header]:
            reason = "has no header with Serve_Date: is it in another format (--profile)?"
            raise UnreadableFileError(export.path, reason)
        if duplicate := _duplicate_column(self._header):
            raise UnreadableFileError(export.path, f"has a duplicate column {duplicate}", 1)
        yield from rows

    def _values(self, row: Any) -> list[Any]:
        """Return the values in the order of the columns, None if absent."""
        if self._header is not None:
            if len(row) != len(self._header):
                raise InvalidValue("row", ",".join(row), f"has {len(row)} columns, unlike the header")
            row = dict(zip(self._header, row, strict=True))
        if not isinstance(row, dict):
            raise InvalidValue("row", row, "is not a JSON object")
        values = [row.get(key) for key in self._keys_of(tuple(row))]
        for column, value in zip(_COLUMNS, values, strict=True):
            if type(value) not in _SCALARS:
                raise InvalidValue(column, value, "is neither text nor a number")
        return values

    def _keys_of(self, keys: tuple[str, ...]) -> list[str | None]:
        """Return the key of each column, whatever its letter case, in a row with these keys."""
        if keys not in self._columns:
            if duplicate := _duplicate_column(keys):
                raise InvalidValue(duplicate, None, "is a duplicate key")
            by_folded = {key.strip().casefold(): key for key in keys}
            self._columns[keys] = [by_folded.get(column) for column in _FOLDED_COLUMNS]
        return self._columns[keys]


def _duplicate_column(names: Iterable[str]) -> str | None:
    counts = Counter(name.strip().casefold() for name in names)
    return next((column for column in _COLUMNS if counts[column.casefold()] > 1), None)


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
    implied = {number for keyword, number in _MEAL_KEYWORDS.items() if keyword in text.casefold()}
    if not implied or number in implied:
        return None
    reason = f"contradicts Meal_Number {number} ({_MEALS[number]}); the number is used"
    return DataWarning(MEAL_NAME, text, reason)
