"""The measured requests, and their equivalents for Eve."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import quote, urlencode

from bench import exports
from bench.servers import EVE

BUILDING = "building by id"
SEARCH = "search"
BUILDINGS = "all buildings"
DAY = "a day's menu"
FILTERS = "37 parameters"
RECIPES = "all recipes"
DISHES = "dishes of a day"
NAMES = (BUILDING, SEARCH, BUILDINGS, DAY, FILTERS, RECIPES, DISHES)


@dataclass(frozen=True)
class Request:
    """A GET request: its name in the tables, its path, and the path of the same data in Eve, None if it has none."""

    name: str
    path: str
    eve_path: str | None

    def path_for(self, server: str) -> str | None:
        """Return the path for a server, None if it does not serve the data."""
        return self.eve_path if server == EVE else self.path


def requests(buildings: int, days: int) -> list[Request]:
    """Return the requests for a data set of this size."""
    dates = [str(exports.FIRST_DAY + timedelta(days=day)) for day in range(days)][-4:]
    filters = {
        "date": dates,
        "meal": [0, 1],
        "location": [1, 2, 3],
        "category": list(range(1, 9)),
        "recipe": [25 * offset + category for offset in range(3) for category in range(1, 9)][:20],
    }
    search = json.dumps({"search.name": {"$regex": exports.RARE_WORD.lower()}})
    id_ = buildings // 2
    return [
        Request(BUILDING, f"/map/buildings/{id_}", f"/buildings/{id_}"),
        Request(SEARCH, f"/map/buildings?name={exports.RARE_WORD}", f"/buildings?where={quote(search)}"),
        Request(BUILDINGS, "/map/buildings", "/buildings"),
        Request(DAY, f"/dining/menus?date={dates[0]}", f"/menus/{dates[0]}"),
        Request(FILTERS, f"/dining/menus?{urlencode(filters, doseq=True)}", f"/matching?{_aggregate(filters)}"),
        Request(RECIPES, "/dining/recipes", "/recipes"),
        Request(DISHES, f"/dining/dishes?date={exports.FIRST_DAY}", None),
    ]


def count_items(body: bytes) -> int:
    """Count the items of a body, in the format of the API or of Eve."""
    data = json.loads(body)
    if isinstance(data, list):
        return len(data)
    return len(data.get("_items", data.get("items", [data])))


def _aggregate(filters: Mapping[str, list[Any]]) -> str:
    plural = {"date": "dates", "meal": "meals", "location": "locations", "category": "categories", "recipe": "recipes"}
    return urlencode({"aggregate": json.dumps({f"${plural[field]}": values for field, values in filters.items()})})
