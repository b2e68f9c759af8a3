"""FoodPro rows, as a JSON array or as CSV with a header."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from campus_api.models import Named
from loaders.documents.serving import MenuRow
from loaders.errors import DataWarning, InvalidValue, UnreadableFileError
from loaders.profiles import DiningProfile
from loaders.readers.files import Export, csv_rows
from loaders.readers.json_stream import JsonRecordReader
from loaders.readers.result import SourceLocation
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
_FOLDED = [column.casefold() for column in _COLUMNS]
_MEALS = {1: "breakfast", 2: "lunch", 3: "dinner"}
# What stands in the names of meals, however they are misspelt: "Dinnner", "LUNCH ENTREES".
_MEAL_WORDS = {"breakf": 1, "lunch": 2, "din": 3, "supper": 3}
_PLAIN = (str, int, float, type(None))


class FoodPro:
    """The rows of one FoodPro export, understood with a profile."""

    def __init__(self, profile: DiningProfile) -> None:
        """Take the profile with the numbers that stand for something else."""
        self._profile = profile
        self._header: list[str] | None = None
        self._keys: dict[tuple[str, ...], list[Any]] = {}

    def rows(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        """Yield each row with its place; UnreadableFileError for what is no list of rows."""
        if export.head.lstrip()[:1] in ("[", "{"):
            records = JsonRecordReader(export)
            yield from records
            if records.head:
                raise UnreadableFileError(export.path, "is not a JSON array of rows")
            return
        lines = csv_rows(export)
        self._header = next(lines, (None, []))[1]
        if _FOLDED[0] not in [name.strip().casefold() for name in self._header]:
            raise UnreadableFileError(
                export.path, "has no header with Serve_Date: is it in another format (--profile)?"
            )
        if twice := _twice(self._header):
            raise UnreadableFileError(export.path, f"has the column {twice} twice", 1)
        yield from lines

    def serving(self, row: Any) -> tuple[MenuRow, DataWarning | None]:
        """Return what a row says, and what is odd about it; InvalidValue when it cannot be used."""
        day, meal, meal_name, location, location_name, category, category_name, *recipe = self._values(row)
        number = parse_id("Meal_Number", meal)
        if number not in _MEALS:
            raise InvalidValue("Meal_Number", number, "is none of 1 (breakfast), 2 (lunch) and 3 (dinner)")
        serving = MenuRow(
            parse_date("Serve_Date", day),
            number - 1,
            _named("Location", location, location_name, self._profile.locations),
            _named("Menu_Category", category, category_name, self._profile.categories),
            _recipe(*recipe),
        )
        return serving, _disagreement(number, meal_name)

    def meal_name(self, row: Any) -> str:
        """Return what a row calls its meal, whatever its number; InvalidValue when it cannot be used."""
        return clean_name("Meal_Name", self._values(row)[2])

    def _values(self, row: Any) -> list[Any]:
        """Return the values of the columns in their order, None where there is none."""
        if self._header is not None:
            if len(row) != len(self._header):
                raise InvalidValue("row", ",".join(row), f"has {len(row)} columns, unlike the header")
            row = dict(zip(self._header, row, strict=True))
        if not isinstance(row, dict):
            raise InvalidValue("row", row, "is not a JSON object")
        values = [row.get(key) for key in self._keys_of(tuple(row))]
        for column, value in zip(_COLUMNS, values, strict=True):
            if type(value) not in _PLAIN:
                raise InvalidValue(column, value, "is neither text nor a number")
        return values

    def _keys_of(self, keys: tuple[str, ...]) -> list[str | None]:
        """Return how rows with these keys write the names of the columns."""
        if keys not in self._keys:
            if twice := _twice(keys):
                raise InvalidValue(twice, None, "stands twice in one row")
            written = {key.strip().casefold(): key for key in keys}
            self._keys[keys] = [written.get(column) for column in _FOLDED]
        return self._keys[keys]


def _twice(names: Iterable[str]) -> str | None:
    """Return the column that is there twice, however it is written."""
    times = Counter(name.strip().casefold() for name in names)
    return next((column for column in _COLUMNS if times[column.casefold()] > 1), None)


def _named(what: str, number: Any, name: Any, codes: Mapping[str, Named]) -> Named:
    id_ = parse_id(f"{what}_Number", number)
    return codes.get(str(id_)) or named_entity(id_, f"{what}_Name", clean_name(f"{what}_Name", name))


def _recipe(number: Any, name: Any, printed: Any) -> Named:
    text = clean_name("Recipe_Print_As_Name", printed) or clean_name("Recipe_Name", name)
    return named_entity(parse_id("Recipe_Number", number), "Recipe_Name", text)


@lru_cache(maxsize=1024)
def _disagreement(number: int, name: Any) -> DataWarning | None:
    """Return what to say of a meal's name that belongs to another number; None for names that nobody knows."""
    text = clean_name("Meal_Name", name)
    meant = {number for word, number in _MEAL_WORDS.items() if word in text.casefold()}
    if not meant or number in meant:
        return None
    return DataWarning("Meal_Name", text, f"stands with Meal_Number {number} ({_MEALS[number]}), which counts")
