"""Buildings and menus as lines of CSV, for spreadsheets.

https://www.rfc-editor.org/rfc/rfc4180
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from campus_api.domain.models import MEALS, BuildingRow, MenuItemRow, Names

MEDIA_TYPE = "text/csv"

BUILDING_HEADER = "id,name,address,city,image,latitude,longitude\r\n"
MENU_HEADER = "date,meal,meal_name,location,location_name,category,category_name,recipe,recipe_name\r\n"

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
    normalized = unicodedata.normalize("NFKC", text)
    return next((char for char in normalized if unicodedata.category(char)[0] not in _INVISIBLE_CATEGORIES), "")
