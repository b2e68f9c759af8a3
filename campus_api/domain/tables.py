"""Buildings and menus as lines of CSV, for spreadsheets.

https://www.rfc-editor.org/rfc/rfc4180
"""

import csv
import io
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

# A spreadsheet would compute a cell that begins like this:
# https://owasp.org/www-community/attacks/CSV_Injection
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


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
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULAS) else cell
