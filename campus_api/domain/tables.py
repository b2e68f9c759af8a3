"""Buildings, menus, dishes and recipes as rows of cells, for spreadsheets."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from campus_api.domain.building_fields import SERVED_FIELDS, BuildingRow
from campus_api.domain.models import FACTS, NUTRIENTS, DishRow, FactsRow, MenuItemRow, Names
from campus_api.domain.text import normalize

MEDIA_TYPE = "text/csv"

Cell = str | float | None
Row = Sequence[Cell]

# Columns keep their order: those of later fields are the last.
_FIRST_FIELDS = ("name", "address", "city", "image")
_LATER_FIELDS = [name for name in SERVED_FIELDS if name not in _FIRST_FIELDS]
_IMAGES = [name for name, field in SERVED_FIELDS.items() if field.is_image]
BUILDING_HEADER = ["id", *_FIRST_FIELDS, "latitude", "longitude", *_LATER_FIELDS]
_RECIPE = ["category", "category_name", "recipe", "recipe_name"]
_DIET = ["allergens", "contains", "labels", "label_names", "without"]
MENU_HEADER = ["date", "meal", "meal_name", "location", "location_name", *_RECIPE]
_NUTRIENT_COLUMNS = [(name, f"{name}_unit", f"{name}_daily_value") for name in NUTRIENTS]
_NUTRIENTS = [column for columns in _NUTRIENT_COLUMNS for column in columns]
_FIRST_NUTRIENTS = _NUTRIENTS[: _NUTRIENTS.index("added_sugars")]
# Of facts that have several columns.
_COLUMNS = {"nutrients": _FIRST_NUTRIENTS, "labels": ["labels", "label_names"]}
_FACTS = [column for fact in FACTS for column in _COLUMNS.get(fact, [fact])]
# Those that are one text or number.
_SINGLE_FACTS = [fact for fact in FACTS if fact not in (*_COLUMNS, *_DIET)]
_DISH_FACTS = [*_DIET, *_SINGLE_FACTS]
DISH_HEADER = ["date", "meal", "meal_name", *_RECIPE, "locations", "location_names", *_DISH_FACTS]
RECIPE_HEADER = ["id", "name", *_FACTS, *_NUTRIENTS[len(_FIRST_NUTRIENTS) :]]

# A spreadsheet would compute a cell that begins like this, the minus sign of typographers included:
# https://owasp.org/www-community/attacks/CSV_Injection
_OPERATORS = ("=", "+", "-", "@", "\N{MINUS SIGN}")
# Spaces and line separators, control and format characters, marks.
_INVISIBLE_CATEGORIES = "ZCM"


def building_cells(building: BuildingRow) -> Row:
    """Return the cells of a building, with its point."""
    latitude, longitude = building["geometry"]["point"]
    cells = {**building, "latitude": latitude, "longitude": longitude}
    # A data URL may exceed the limits of spreadsheets.
    cells |= {name: None for name in _IMAGES if (cells[name] or "")[:5].lower() == "data:"}
    return [_text(cells[column]) for column in BUILDING_HEADER]


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
        yield [*place, *recipe, *locations, *(row["facts"] or fact_cells({}).values())]


def recipe_cells(row: FactsRow) -> Row:
    """Return the cells of a recipe with its facts."""
    cells = {"id": row["id"], "name": _text(row["name"]), **fact_cells(row)}
    for name, unit, daily_value in _NUTRIENT_COLUMNS:
        if nutrient := getattr(row["nutrients"], name):
            cells[name], cells[daily_value] = nutrient.amount, nutrient.daily_value
            cells[unit] = _text(nutrient.unit)
    return [cells.get(column) for column in RECIPE_HEADER]


def fact_cells(row: FactsRow) -> dict[str, Cell]:
    """Return the cells of all facts but nutrients, as `_DISH_FACTS`; only unknown allergens are no empty cells."""
    labels = row.get("labels") or ()
    unknown = "unknown" if row.get("contains") is None else None
    return {
        "allergens": _join(row.get("allergens") or ()) or unknown,
        "contains": unknown or _join(row["contains"]),
        "labels": _join(label.code for label in labels),
        "label_names": _join(label.name or label.code for label in labels),
        "without": _join(row.get("without", ())),
        **{fact: _text(row.get(fact)) for fact in _SINGLE_FACTS},
    }


def _join(texts: Iterable[str]) -> Cell:
    return _text("; ".join(texts))


def _text(cell: Cell) -> Cell:
    """Return a cell, with an apostrophe in front if it is a text that a spreadsheet would take for a formula."""
    # Nearly all texts begin with a letter or a digit.
    if isinstance(cell, str) and cell and not cell[0].isalnum() and _first_visible(cell) in _OPERATORS:
        return f"'{cell}"
    return cell


def _first_visible(text: str) -> str:
    """Return the first visible character of the text after NFKC, which makes full-width operators ASCII; "" if none."""
    normalized = normalize("NFKC", text)
    return next((char for char in normalized if unicodedata.category(char)[0] not in _INVISIBLE_CATEGORIES), "")
