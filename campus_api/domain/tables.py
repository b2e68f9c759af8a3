"""Buildings, menus, dishes and recipes as lines of CSV, for spreadsheets.

https://www.rfc-editor.org/rfc/rfc4180
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from campus_api.domain.models import (
    FACTS,
    MEALS,
    NUTRIENTS,
    BuildingRow,
    DishRow,
    FactsRow,
    Label,
    MenuItemRow,
    Names,
    Nutrient,
)
from campus_api.domain.text import normalize

MEDIA_TYPE = "text/csv"

BUILDING_HEADER = "id,name,address,city,image,latitude,longitude\r\n"
MENU_HEADER = "date,meal,meal_name,location,location_name,category,category_name,recipe,recipe_name\r\n"
DISH_HEADER = (
    "date,meal,meal_name,category,category_name,recipe,recipe_name,locations,location_names,"
    "allergens,labels,label_names\r\n"
)
# Of facts that have several columns.
_COLUMNS = {
    "nutrients": [f"{name}{suffix}" for name in NUTRIENTS for suffix in ("", "_unit", "_daily_value")],
    "labels": ["labels", "label_names"],
}
RECIPE_HEADER = ",".join(["id", "name", *(column for fact in FACTS for column in _COLUMNS.get(fact, [fact]))]) + "\r\n"

# A spreadsheet would compute a cell that begins like this, the minus sign of typographers included:
# https://owasp.org/www-community/attacks/CSV_Injection
_OPERATORS = ("=", "+", "-", "@", "\N{MINUS SIGN}")
# Spaces and line separators, control and format characters, marks.
_INVISIBLE_CATEGORIES = "ZCM"
_QUOTED = re.compile(r'[",\r\n]')


def building_line(building: BuildingRow) -> str:
    """Return the line of a building, with its point."""
    texts = ",".join(map(_cell, (building["name"], building["address"], building["city"], building["image"])))
    latitude, longitude = building["geometry"]["point"]
    return f"{building['id']},{texts},{latitude},{longitude}\r\n"


def menu_lines(rows: Iterable[MenuItemRow], names: Names) -> Iterator[str]:
    """Yield the line of each menu item, with the names of its meal, location and category."""
    locations = {id_: _cell(name) for id_, name in names.locations.items()}
    categories = {id_: _cell(name) for id_, name in names.categories.items()}
    for row in rows:
        meal, location, category = row["meal"], row["location"], row["category"]
        place = f"{row['date']},{meal},{MEALS.get(meal, '')},{location},{locations.get(location, '')}"
        yield f"{place},{category},{categories.get(category, '')},{row['recipe']},{_cell(row['name'])}\r\n"


def dish_lines(rows: Iterable[DishRow], names: Names) -> Iterator[str]:
    """Yield the line of each dish, whose facts are `diet_cells`, with the names of its meal, category and locations."""
    categories = {id_: _cell(name) for id_, name in names.categories.items()}
    for row in rows:
        meal, category = row["meal"], row["category"]
        recipe = f"{category},{categories.get(category, '')},{row['recipe']},{_cell(row['name'])}"
        halls = f"{_join(map(str, row['locations']))},{_join(names.locations.get(id_, '') for id_ in row['locations'])}"
        yield f"{row['date']},{meal},{MEALS.get(meal, '')},{recipe},{halls},{row['facts'] or ',,'}\r\n"


def diet_cells(allergens: Iterable[str] | None, labels: Iterable[Label] | None) -> str:
    """Return the cells of allergens and of codes and names of labels; an empty one is unknown."""
    return ",".join([_join(allergens or ()), *_label_cells(labels)])


def recipe_line(row: FactsRow) -> str:
    """Return the line of a recipe with its facts; what is unknown is an empty cell."""
    facts = chain.from_iterable(_fact_cells(fact, row[fact]) for fact in FACTS)
    return ",".join([str(row["id"]), _cell(row["name"]), *facts]) + "\r\n"


def _fact_cells(fact: str, value: Any) -> Iterable[str]:
    """Return the cells of a fact in its columns."""
    if fact == "nutrients":
        return chain.from_iterable(map(_nutrient_cells, (getattr(value, name) for name in NUTRIENTS)))
    if fact == "labels":
        return _label_cells(value)
    return [_join(value)] if isinstance(value, tuple) else [_number_or_text(value)]


def _nutrient_cells(nutrient: Nutrient | None) -> tuple[str, str, str]:
    if nutrient is None:
        return "", "", ""
    return _number_or_text(nutrient.amount), _cell(nutrient.unit), _number_or_text(nutrient.daily_value)


def _label_cells(labels: Iterable[Label] | None) -> tuple[str, str]:
    """Return the codes and the names, or codes where names are unknown."""
    labels = labels or ()
    return _join(label.code for label in labels), _join(label.name or label.code for label in labels)


def _number_or_text(value: float | str | None) -> str:
    return _cell(value) if value is None or isinstance(value, str) else str(value)


def _join(texts: Iterable[str]) -> str:
    """Return several texts as one cell."""
    return _cell("; ".join(texts))


def _cell(text: str | None) -> str:
    """Return text as a cell, with an apostrophe in front if a spreadsheet would take it for a formula; "" for None."""
    # csv.writer would take as long as the rest of a response.
    if not text:
        return ""
    # Nearly all texts begin with a letter or a digit.
    if not text[0].isalnum() and _first_visible(text) in _OPERATORS:
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


def _first_visible(text: str) -> str:
    """Return the first visible character of the text after NFKC, which makes full-width operators ASCII; "" if none."""
    normalized = normalize("NFKC", text)
    return next((char for char in normalized if unicodedata.category(char)[0] not in _INVISIBLE_CATEGORIES), "")
