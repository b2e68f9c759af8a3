"""Buildings, menus, dishes and recipes as rows of cells, for spreadsheets."""

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from campus_api.domain.building_fields import SERVED_FIELDS, BuildingRow, TextField
from campus_api.domain.models import FACTS, NUTRIENTS, DishRow, FactsRow, Label, MenuItemRow, Names, Nutrient
from campus_api.domain.text import normalize

MEDIA_TYPE = "text/csv"

Cell = str | float | None
Row = Sequence[Cell]

# Columns keep their order: later ones are the last.
_LATER_FIELDS = ("code",)
_FIRST_FIELDS = [name for name in SERVED_FIELDS if name not in _LATER_FIELDS]
BUILDING_HEADER = ["id", *_FIRST_FIELDS, "latitude", "longitude", *_LATER_FIELDS]
_RECIPE = ["category", "category_name", "recipe", "recipe_name"]
_DIET = ["allergens", "contains", "labels", "label_names", "without"]
MENU_HEADER = ["date", "meal", "meal_name", "location", "location_name", *_RECIPE]
_NUTRIENT_COLUMNS = [f"{name}{suffix}" for name in NUTRIENTS for suffix in ("", "_unit", "_daily_value")]
_LATER_NUTRIENTS = _NUTRIENT_COLUMNS[_NUTRIENT_COLUMNS.index("added_sugars") :]
# Of facts that have several columns.
_COLUMNS = {"nutrients": _NUTRIENT_COLUMNS, "labels": ["labels", "label_names"]}
_FACT_COLUMNS = [column for fact in FACTS for column in _COLUMNS.get(fact, [fact])]
# Those that are one text or number.
_SINGLE_FACTS = [fact for fact in FACTS if fact not in (*_COLUMNS, *_DIET)]
DISH_HEADER = ["date", "meal", "meal_name", *_RECIPE, "locations", "location_names", *_DIET, *_SINGLE_FACTS]
RECIPE_HEADER = ["id", "name", *(each for each in _FACT_COLUMNS if each not in _LATER_NUTRIENTS), *_LATER_NUTRIENTS]

# A spreadsheet would compute a cell that begins like this, the minus sign of typographers included:
# https://owasp.org/www-community/attacks/CSV_Injection
_OPERATORS = ("=", "+", "-", "@", "\N{MINUS SIGN}")
# Spaces and line separators, control and format characters, marks.
_INVISIBLE_CATEGORIES = "ZCM"


def building_cells(building: BuildingRow) -> Row:
    """Return the cells of a building, with its point."""
    latitude, longitude = building["geometry"]["point"]
    texts = {name: _image_or_text(building[name], field) for name, field in SERVED_FIELDS.items()}
    cells = {"id": building["id"], **texts, "latitude": latitude, "longitude": longitude}
    return [cells[column] for column in BUILDING_HEADER]


def _image_or_text(text: str | None, field: TextField) -> Cell:
    """Return the text of a cell; a data URL of an image, which may exceed the limits of spreadsheets, is empty."""
    return None if field.is_image and text and text[:5].lower() == "data:" else _text(text)


def menu_cells(rows: Iterable[MenuItemRow], names: Names) -> Iterator[Row]:
    """Yield the cells of each menu item, with the names of its meal, location and category."""
    locations = {id_: _text(name) for id_, name in names.locations.items()}
    categories = {id_: _text(name) for id_, name in names.categories.items()}
    for row in rows:
        meal, location, category = row["meal"], row["location"], row["category"]
        place = row["date"], meal, _text(names.meals.by_id.get(meal)), location, locations.get(location)
        yield [*place, category, categories.get(category), row["recipe"], _text(row["name"])]


def dish_cells(rows: Iterable[DishRow], names: Names) -> Iterator[Row]:
    """Yield the cells of each dish, whose facts are `fact_cells`, with the names of meal, category and locations."""
    categories = {id_: _text(name) for id_, name in names.categories.items()}
    for row in rows:
        meal, category, ids = row["meal"], row["category"], row["locations"]
        recipe = category, categories.get(category), row["recipe"], _text(row["name"])
        locations = _join(map(str, ids)), _join(names.locations.get(id_, "") for id_ in ids)
        place = row["date"], meal, _text(names.meals.by_id.get(meal))
        yield [*place, *recipe, *locations, *(row["facts"] or fact_cells({}))]


def fact_cells(row: FactsRow) -> Row:
    """Return the cells of allergens, of codes and names of labels, of what is absent, and of single facts."""
    diet = [*_allergen_cells(row.get("allergens"), row.get("contains")), *_label_cells(row.get("labels"))]
    return [*diet, _join(row.get("without", ())), *(_number_or_text(row.get(fact)) for fact in _SINGLE_FACTS)]


def recipe_cells(row: FactsRow) -> Row:
    """Return the cells of a recipe with its facts; all that is unknown but allergens is an empty cell."""
    facts = chain.from_iterable(_cells_of(fact, row[fact]) for fact in FACTS)
    cells = {"id": row["id"], "name": _text(row["name"]), **dict(zip(_FACT_COLUMNS, facts, strict=True))}
    cells["allergens"], cells["contains"] = _allergen_cells(row["allergens"], row["contains"])
    return [cells[column] for column in RECIPE_HEADER]


def _allergen_cells(allergens: Collection[str] | None, contains: Collection[str] | None) -> Row:
    """Return the cells of the provider's names and of the words, which say so if they are unknown."""
    unknown = "unknown" if contains is None else None
    return [_join(allergens or ()) or unknown, unknown or _join(contains or ())]


def _cells_of(fact: str, value: Any) -> Iterable[Cell]:
    if fact == "nutrients":
        return chain.from_iterable(map(_nutrient_cells, (getattr(value, name) for name in NUTRIENTS)))
    if fact == "labels":
        return _label_cells(value)
    return [_join(value)] if isinstance(value, tuple) else [_number_or_text(value)]


def _nutrient_cells(nutrient: Nutrient | None) -> Row:
    if nutrient is None:
        return [None, None, None]
    return [_number_or_text(nutrient.amount), _text(nutrient.unit), _number_or_text(nutrient.daily_value)]


def _label_cells(labels: Iterable[Label] | None) -> Row:
    """Return the codes and the names, or codes where names are unknown."""
    labels = labels or ()
    return [_join(label.code for label in labels), _join(label.name or label.code for label in labels)]


def _number_or_text(value: Cell) -> Cell:
    return _text(value) if isinstance(value, str) else value


def _join(texts: Iterable[str]) -> Cell:
    return _text("; ".join(texts))


def _text(text: str | None) -> Cell:
    """Return the text of a cell, with an apostrophe in front if a spreadsheet would take it for a formula."""
    # Nearly all texts begin with a letter or a digit.
    if text and not text[0].isalnum() and _first_visible(text) in _OPERATORS:
        return f"'{text}"
    return text


def _first_visible(text: str) -> str:
    """Return the first visible character of the text after NFKC, which makes full-width operators ASCII; "" if none."""
    normalized = normalize("NFKC", text)
    return next((char for char in normalized if unicodedata.category(char)[0] not in _INVISIBLE_CATEGORIES), "")
