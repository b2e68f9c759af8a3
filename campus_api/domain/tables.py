"""Buildings and menus as lines of CSV, for spreadsheets.

https://www.rfc-editor.org/rfc/rfc4180
"""

import csv
import io
import unicodedata
from collections.abc import Iterable

from campus_api.domain.models import MEALS, BuildingRow, MenuItemRow, Names

MEDIA_TYPE = "text/csv"

BUILDING_COLUMNS = ("id", "name", "address", "city", "image", "latitude", "longitude")
MENU_COLUMNS = (
    "date",
    "meal",
    "meal_name",
    "location",
    "location_name",
    "category",
    "category_name",
    "recipe",
    "recipe_name",
)

# A spreadsheet would compute a cell that begins like this, the minus sign of typographers included:
# https://owasp.org/www-community/attacks/CSV_Injection
_OPERATORS = ("=", "+", "-", "@", "\N{MINUS SIGN}")
# Spaces and line separators, control and format characters, marks.
_INVISIBLE_CATEGORIES = "ZCM"


def line(cells: Iterable[object]) -> str:
    """Return a line of CSV; text that looks like a formula starts with an apostrophe, and None is an empty cell."""
    text = io.StringIO()
    csv.writer(text).writerow([_defuse(cell) for cell in cells])
    return text.getvalue()


def building_line(building: BuildingRow) -> str:
    """Return a building with its point."""
    texts = [building["name"], building["address"], building["city"], building["image"]]
    return line([building["id"], *texts, *building["geometry"]["point"]])


def menu_line(row: MenuItemRow, names: Names) -> str:
    """Return a menu item with the names of its meal, location and category."""
    meal, location, category = row["meal"], row["location"], row["category"]
    meal_name, location_name, category_name = (
        MEALS.get(meal),
        names.locations.get(location),
        names.categories.get(category),
    )
    recipe = row["recipe"], row["name"]
    return line([row["date"], meal, meal_name, location, location_name, category, category_name, *recipe])


def _defuse(cell: object) -> object:
    # Nearly all texts begin with a letter or a digit.
    if not isinstance(cell, str) or cell[:1].isalnum():
        return cell
    return f"'{cell}" if _first_visible(cell) in _OPERATORS else cell


def _first_visible(text: str) -> str:
    """Return the first visible character of the text after NFKC, which makes full-width operators ASCII; "" if none."""
    normalized = unicodedata.normalize("NFKC", text)
    return next((char for char in normalized if unicodedata.category(char)[0] not in _INVISIBLE_CATEGORIES), "")
