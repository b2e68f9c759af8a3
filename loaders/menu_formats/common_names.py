"""Columns of menus and of facts by their common names, and the units in these."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from loaders.errors import InvalidValue
from loaders.menu_formats.dates import ALL_FORMATS, is_date
from loaders.menu_formats.values import meals_meant
from loaders.syntax.columns import find_columns, fold_name
from loaders.text import HEADING_COLUMN, SHEET_COLUMN, is_blank

# The best first: those of names before those that may have numbers.
_MENU_NAMES = {
    "date": "date|serve date|service date|menu date|datum|data|fecha|dato|dag|day|tag|jour|tarih|дата|日期|날짜",
    "meal": "meal|meal period|period|daypart|meal type|mahlzeit|repas|comida|maaltijd|pasto|posiłek|refeição|måltid",
    "location": (
        "location|hall|dining hall|canteen|cafeteria|restaurant|mensa|venue|unit|outlet|lieu|cantine|comedor|cafetería"
        "|locatie|kantine|stołówka|refeitório|cantina|ristorante|matsal|menza|yemekhane|столовая|食堂|餐厅|식당"
    ),
    "category": (
        "category|menu category|station|course|section|counter|line|concept|kategorie|linie|theke|ausgabe|rayon"
        "|catégorie|categoría|sección|categorie|categoria|kategoria|kategori|línea|linea|linha|窗口|раздача"
    ),
    "dish": (
        "dish|menu item|item|recipe|food|entree|gericht|speise|plat|plato|gerecht|piatto|danie|prato|rätt|ret"
        # Lists: the name of such a row is that of a station.
        "|dishes|menu items|items|recipes|foods|entrees|gerichte|speisen|plats|platos|блюдо|菜品|name"
    ),
    "closed": "closed|is closed|geschlossen",
}
# "Station name" comes before "station", which may be a code; a "day name" is no date.
_NAMED = ("meal", "location", "category", "dish")
_MENU_NAMES |= {kind: "|".join(f"{each} name|{each}" for each in _MENU_NAMES[kind].split("|")) for kind in _NAMED}
_FACT_NAMES = {
    "calories": "calories|calories (kcal)|calories kcal|kcal|energy kcal|energy (kcal)|kalorien|kalorien (kcal)",
    "total_fat": "total fat|fat|fett|lipides|grasas",
    "saturated_fat": "saturated fat|sat fat|saturates|gesättigte fettsäuren",
    "trans_fat": "trans fat",
    "cholesterol": "cholesterol|cholesterin",
    "sodium": "sodium|natrium",
    "total_carbohydrate": "total carbohydrate|total carbohydrates|carbohydrate|carbohydrates|carbs|kohlenhydrate",
    "dietary_fiber": "dietary fiber|dietary fibre|fiber|fibre|ballaststoffe",
    "sugars": "sugars|sugar|total sugars|total sugar|zucker",
    "protein": "protein|proteins|eiweiß",
    "added_sugars": "added sugars|added sugar",
    "salt": "salt|salz|sel",
    "potassium": "potassium|kalium",
    "calcium": "calcium|kalzium",
    "iron": "iron|eisen",
    "vitamin_d": "vitamin d",
    "ingredients": "ingredients|ingredient list|zutaten|ingrédients|ingredientes|ingredienti|ingrediënten|składniki",
    "allergens": (
        "allergens|allergen|contains|contains allergens|allergen info|allergen information|allergy information"
        "|allergene|allergènes|alérgenos|allergeni|allergenen|alergeny"
    ),
    "serving_size": "serving size|portion size|portion",
    "labels": "labels|label|tags|diet|diets|dietary|icons|kennzeichnung|kennzeichnungen|diät|régime|etiquetas",
}
_MIN_COLUMNS, _FIRST_ROWS = 3, 1000
_UNIT = re.compile(r"^\s*(?P<first>g|mg|mcg) |[ ,(\[/-]+(?P<last>g|mg|mcg)[)\]]?\s*$", re.IGNORECASE)


def is_common_header(names: Collection[str], sheet: str) -> bool:
    """Return whether there are columns of a date, a dish and a meal, a hall or a category; or else other names."""
    columns = find_columns(_MENU_NAMES, names)
    has_sheet = SHEET_COLUMN in names
    has_date = "date" in columns or HEADING_COLUMN in names or (has_sheet and is_date(sheet, ALL_FORMATS))
    return "dish" in columns and has_date and len(columns.keys() - {"closed"}) + has_sheet >= _MIN_COLUMNS


def common_columns(rows: Iterable[Mapping[str, Any] | InvalidValue]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the columns of menus and of facts in all rows; those with a value in any row come before those without.

    Without a common name, the meal is a column whose different values in the first rows are mostly names of meals.
    """
    texts: defaultdict[str, set[str]] = defaultdict(set)
    balances: Counter[str] = Counter()  # Of cells with a value, less those without.
    for number, row in enumerate(rows):
        for name, value in row.items() if isinstance(row, Mapping) else ():
            if number < _FIRST_ROWS or name not in texts:
                balances[name] += -1 if is_blank(value) else 1
                if not is_blank(value):
                    texts[name].add(str(value))
    filled = [name for name in balances if name in texts]
    menus = find_columns(_MENU_NAMES, balances) | find_columns(_MENU_NAMES, filled)
    known = {SHEET_COLUMN, HEADING_COLUMN, *menus.values()}
    for name in [each for each in filled if each not in known and balances[each] >= 0]:
        if 2 * sum(bool(meals_meant(each)) for each in texts[name]) > len(texts[name]):
            menus.setdefault("meal", name)
    return menus, find_columns(_FACT_NAMES, filled, lambda name: fold_name(_UNIT.sub("", name.replace("_", " "))))


def named_unit(column: str) -> str:
    """Return the unit in the name of a column, "" if it has none: "g" of "Protein (g)"."""
    match = _UNIT.search(column.replace("_", " "))
    return (match["first"] or match["last"]).casefold() if match else ""
