"""Synthetic exports, the same in every run."""

import csv
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import count, islice
from math import cos, pi, sin
from pathlib import Path
from random import Random
from typing import Any

import orjson

Record = dict[str, Any]

ROWS_A_DAY = 650
CORNERS = 10
FIRST_DAY = date(2026, 1, 1)
RARE_WORD = "Annex"
RARE_INTERVAL = 50

_RECIPES = 3000
_HALLS = ("Annenberg Hall", "Dunster and Mather House", "Cronkhite Center", "Café Gato Rojo", "Adams House")
_WORDS = ("Garden", "Science", "Library", "Café", "Chapel", "Hall", "North", "Observatory", "Müller", "House", "Field")
_FOODS = ("Rice", "Kashi Pilaf", "Crème Brûlée", "Beans", "Wheat", "Apple", "Jalapeño", "Tofu", "Soup", "Bread", "Bar")
_NUTRIENTS = ("Total_Fat", "Sat_Fat", "Trans_Fat", "Cholesterol", "Sodium", "Total_Carb", "Dietary_Fiber", "Sugars")


def features(corners: range = range(CORNERS, CORNERS + 1)) -> Iterator[Record]:
    """Yield an endless series of GeoJSON buildings; every fiftieth has the rare word in its name."""
    random = Random(1)
    for number in count(1):
        words = random.choices(_WORDS, k=3)
        if number % RARE_INTERVAL == 0:
            words.append(RARE_WORD)
        properties = {
            "id": number,
            "name": " ".join(words),
            "address": f"{random.randrange(1, 2000)} {random.choice(_WORDS)} Street",
            "city": "Cambridge",
            "image": f"https://example.edu/photos/{number}.jpg",
        }
        geometry = {"type": "Polygon", "coordinates": [_ring(random, random.choice(corners))]}
        yield {"type": "Feature", "properties": properties, "geometry": geometry}


def menu_rows(rows_a_day: int = ROWS_A_DAY, recipes: int = _RECIPES) -> Iterator[Record]:
    """Yield an endless series of FoodPro rows with the columns that the loaders read."""
    random = Random(2)
    numbers = count(1)
    for day in count():
        served = f"{FIRST_DAY + timedelta(days=day):%m/%d/%Y}"
        for recipe in random.sample(range(1, recipes + 1), rows_a_day):
            hall, category = random.randrange(len(_HALLS)), recipe % 25
            yield {
                "ID": str(next(numbers)),
                "Serve_Date": served,
                "Meal_Number": str(random.randint(1, 3)),
                "Location_Number": f"{hall + 1:02}",
                "Location_Name": _HALLS[hall],
                "Menu_Category_Number": f"{category:02}",
                "Menu_Category_Name": f"Category {category}",
                "Recipe_Number": f"{recipe:06}",
                "Recipe_Name": f"RECIPE {recipe}",
                "Recipe_Print_As_Name": f"{_FOODS[recipe % 11]} with {_FOODS[recipe // 11 % 11]}",
            }


def full_menu_rows(rows_a_day: int = ROWS_A_DAY, recipes: int = _RECIPES) -> Iterator[Record]:
    """Yield an endless series of FoodPro rows with all columns, about 1.5 kB each; facts depend on the recipe alone."""
    for row in menu_rows(rows_a_day, recipes):
        random = Random(row["Recipe_Number"])
        nutrition = {name: f"{random.randrange(400) / 10}g" for name in _NUTRIENTS}
        yield {
            **row,
            "Ingredient_List": ", ".join(random.choices(_FOODS, k=60)),
            "Allergens": "Wheat Soy ",
            "Recipe_Product_Information": " ".join(random.choices(_FOODS, k=20)),
            **dict.fromkeys(("selling_price", "portion_cost"), "0.00"),
            **dict.fromkeys(("Production_Department", "Service_Department", "Catering_Department"), "01"),
            "Recipe_Web_Codes": "VGN WGRN VGT",
            "Serving_Size": "5 OZL",
            "Calories": str(random.randrange(900)),
            **nutrition,
            **{f"{name}_DV": str(random.randrange(100)) for name in _NUTRIENTS},
            "Update_Date": "",
        }


def write_buildings(path: Path, number: int, **options: Any) -> None:
    """Write a GeoJSON export of `number` buildings."""
    _write_json(path, _as_json(islice(features(**options), number)), '{"type":"FeatureCollection","features":', "}")


def write_large_buildings(path: Path, megabytes: int) -> None:
    """Write a GeoJSON export of the size `megabytes`."""
    _write_json(path, _limit_size(megabytes, _as_json(features())), '{"type":"FeatureCollection","features":', "}")


def write_large_menus(path: Path, megabytes: int) -> None:
    """Write a FoodPro JSON export of the size `megabytes`."""
    _write_json(path, _limit_size(megabytes, _as_json(full_menu_rows())), "", "")


def write_menus(
    path: Path, days: int, *, rows_a_day: int = ROWS_A_DAY, recipes: int = _RECIPES, with_facts: bool = False
) -> None:
    """Write a FoodPro CSV export of `days` days."""
    rows = (full_menu_rows if with_facts else menu_rows)(rows_a_day, recipes)
    first = next(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=first)
        writer.writeheader()
        writer.writerows([first, *islice(rows, days * rows_a_day - 1)])


def _ring(random: Random, number: int) -> list[list[float]]:
    longitude, latitude = random.uniform(-71.2, -71.0), random.uniform(42.3, 42.5)
    corners = []
    for corner in range(number):
        angle, radius = 2 * pi * corner / number, random.uniform(0.0002, 0.0006)
        corners.append([round(longitude + radius * cos(angle), 6), round(latitude + radius * sin(angle), 6)])
    return [*corners, corners[0]]


def _as_json(records: Iterable[Record]) -> Iterator[str]:
    return (orjson.dumps(record).decode() for record in records)


def _limit_size(megabytes: int, texts: Iterable[str]) -> Iterator[str]:
    written = 0
    for text in texts:
        written += len(text.encode()) + 2
        if written > megabytes * 1_000_000:
            return
        yield text


def _write_json(path: Path, records: Iterable[str], before: str, after: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(f"{before}[")
        for number, record in enumerate(records):
            file.write(f"{',' if number else ''}\n{record}")
        file.write(f"\n]{after}\n")
