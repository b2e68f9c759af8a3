"""Synthetic exports, the same in every run."""

import csv
import json
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import count, islice
from math import cos, pi, sin
from pathlib import Path
from random import Random
from typing import Any

ROWS_A_DAY = 650
FIRST_DAY = date(2026, 1, 1)

_CORNERS = 10
_RECIPES = 3000
_HALLS = ("Annenberg Hall", "Dunster and Mather House", "Cronkhite Center", "Café Gato Rojo", "Adams House")
_WORDS = ("Garden", "Science", "Library", "Café", "Chapel", "Hall", "North", "Observatory", "Müller", "House", "Field")
_FOODS = ("Rice", "Kashi Pilaf", "Crème Brûlée", "Beans", "Wheat", "Apple", "Jalapeño", "Tofu", "Soup", "Bread", "Bar")


def write_buildings(path: Path, number: int) -> None:
    """Write a GeoJSON export, with one building in each line."""
    with path.open("w", encoding="utf-8") as file:
        file.write('{"type": "FeatureCollection", "features": [')
        for index, feature in enumerate(islice(_features(), number)):
            file.write(f"{',' if index else ''}\n{json.dumps(feature)}")
        file.write("\n]}\n")


def write_menus(path: Path, days: int) -> None:
    """Write a FoodPro CSV export."""
    rows = islice(_menu_rows(), days * ROWS_A_DAY)
    first = next(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=first)
        writer.writeheader()
        writer.writerow(first)
        writer.writerows(rows)


def _features() -> Iterator[dict[str, Any]]:
    random = Random(1)
    for number in count(1):
        properties = {
            "id": number,
            "name": " ".join(random.choices(_WORDS, k=3)),
            "address": f"{random.randrange(1, 2000)} {random.choice(_WORDS)} Street",
            "city": "Cambridge",
            "image": f"https://example.edu/photos/{number}.jpg",
        }
        yield {"type": "Feature", "properties": properties, "geometry": _footprint(random)}


def _footprint(random: Random) -> dict[str, Any]:
    longitude, latitude = random.uniform(-71.2, -71.0), random.uniform(42.3, 42.5)
    ring = []
    for corner in range(_CORNERS):
        angle, radius = 2 * pi * corner / _CORNERS, random.uniform(0.0002, 0.0006)
        ring.append([round(longitude + radius * cos(angle), 6), round(latitude + radius * sin(angle), 6)])
    return {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}


def _menu_rows() -> Iterator[dict[str, str]]:
    """Yield the columns that the loaders read, day by day."""
    random = Random(2)
    for day in count():
        for recipe in random.sample(range(1, _RECIPES + 1), ROWS_A_DAY):
            hall, category = random.randrange(len(_HALLS)), recipe % 25
            yield {
                "Serve_Date": f"{FIRST_DAY + timedelta(days=day):%m/%d/%Y}",
                "Meal_Number": str(random.randint(1, 3)),
                "Location_Number": f"{hall + 1:02}",
                "Location_Name": _HALLS[hall],
                "Menu_Category_Number": f"{category:02}",
                "Menu_Category_Name": f"Category {category}",
                "Recipe_Number": f"{recipe:06}",
                "Recipe_Name": f"RECIPE {recipe}",
                "Recipe_Print_As_Name": f"{_FOODS[recipe % 11]} with {_FOODS[recipe // 11 % 11]}",
            }
