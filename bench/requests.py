"""The requests that are measured, and the same ones in the words of Eve, which has paths of its own."""

import json
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import quote, urlencode

from bench import exports
from bench.servers import EVE

BUILDING, SEARCH, BUILDINGS = "building by id", "search", "all buildings"
DAY, MATCHING, RECIPES = "a day's menu", "37 parameters", "all recipes"
NAMES = (BUILDING, SEARCH, BUILDINGS, DAY, MATCHING, RECIPES)


@dataclass(frozen=True)
class Question:
    """One request: its name in the table, its path, and Eve's path for the same things."""

    name: str
    path: str
    eve: str

    def of(self, server: str) -> str:
        """Return the path at a server."""
        return self.eve if server == EVE else self.path


def questions(buildings: int, days: int) -> list[Question]:
    """Return the requests for data of this size."""
    dates = [str(exports.FIRST_DAY + timedelta(days=day)) for day in range(days)][-4:]
    some = {
        "date": dates,
        "meal": [0, 1],
        "location": [1, 2, 3],
        "category": list(range(1, 9)),
        "recipe": [25 * tens + category for tens in range(3) for category in range(1, 9)][:20],
    }
    search = json.dumps({"search.name": {"$regex": exports.RARE_WORD.lower()}})
    number = buildings // 2
    return [
        Question(BUILDING, f"/map/buildings/{number}", f"/buildings/{number}"),
        Question(SEARCH, f"/map/buildings?name={exports.RARE_WORD}", f"/buildings?where={quote(search)}"),
        Question(BUILDINGS, "/map/buildings", "/buildings"),
        Question(DAY, f"/dining/menus?date={dates[0]}", f"/menus/{dates[0]}"),
        Question(MATCHING, f"/dining/menus?{urlencode(some, doseq=True)}", f"/matching?{_aggregate(some)}"),
        Question(RECIPES, "/dining/recipes", "/recipes"),
    ]


def how_many(body: bytes) -> int:
    """Return how many things an answer has, of ours or of Eve."""
    answer = json.loads(body)
    things = answer if isinstance(answer, list) else answer.get("_items", answer.get("items", [answer]))
    return len(things)


def _aggregate(some: dict) -> str:
    plural = {"date": "dates", "meal": "meals", "location": "locations", "category": "categories", "recipe": "recipes"}
    return urlencode({"aggregate": json.dumps({f"${plural[field]}": values for field, values in some.items()})})
