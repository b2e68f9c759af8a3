"""Synthetic data sets that differ only in size: each search has the same hits, days have the same lengths."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

from pymongo.database import Database

from bench import subject
from campus_api.db.connection import CATEGORIES, COLLECTIONS, DATASETS, LAYOUT, LOCATIONS, MENUS, RECIPES, read_record
from campus_api.domain.models import (
    NUTRIENTS,
    Building,
    DatasetRecord,
    Facts,
    ImpliedLabel,
    Label,
    Nutrient,
    Nutrients,
    encode_facts,
)
from loaders.documents.serving import MenuRow

HITS = 20

# A day of 1,500 rows whose dishes are served in ten halls each; on the other days each is served in one.
DAY_IN_HALLS = "2019-12-31"

_COMMON_WORDS = ("Science", "Library", "Garden", "Chapel", "Hall", "North", "Observatory", "Müller", "House", "Field")
_SYLLABLES = [consonant + vowel for consonant in "bcdfghklmnprstvw" for vowel in "aeiou"]
_UNIT_SQUARE = ((0, 0), (0, 1), (1, 1), (1, 0), (0, 0))
_FIRST_DAY = date(2020, 1, 1)
_NAMED = {LOCATIONS: 13, CATEGORIES: 25, RECIPES: 8001}
_ALLERGENS = ("Eggs", "Fish", "Milk", "Soy", "Wheat")
_LABELS = (Label("VGN", "vegan", (ImpliedLabel("VGT", "vegetarian"),)), Label("LOC"))
_ROWS_OF_DAYS = (650, 1500, 900, 1200, 800, 1000, 1400, 700, 1100, 1300)


def load_buildings(database: Database, number: int) -> None:
    """Load `number` buildings with evenly spaced hits and a vocabulary of a tenth as many words."""
    subject.publish_buildings(database, _buildings(number))


def scan(database: Database, text: str) -> list[Any]:
    """Search with a regular expression instead of the index."""
    collection = read_record(database, "buildings")["collections"]["buildings"]
    return list(database[collection].find({"search.name": {"$regex": text}}).sort("_id"))


def insert_menus(database: Database, days: int) -> None:
    """Insert the menus of `days` days, repeating ten different ones, and that of `DAY_IN_HALLS`."""
    documents = [subject.day(_items(rows)) for rows in _ROWS_OF_DAYS]
    names = {name: f"{name}_1" for name in COLLECTIONS["dining"]}
    database[names[MENUS]].insert_many(
        {**documents[number % len(documents)], "_id": day(number)} for number in range(days)
    )
    database[names[MENUS]].insert_one({**subject.day(_items_in_halls()), "_id": DAY_IN_HALLS})
    for name, count in _NAMED.items():
        facts = _facts if name == RECIPES else lambda id_: {}
        database[names[name]].insert_many(
            {"_id": id_, "name": f"Name of {name} {id_}", **facts(id_)} for id_ in range(count)
        )
    record: DatasetRecord = {
        "_id": "dining",
        "layout": LAYOUT,
        "revision": 1,
        "loaded_at": datetime.now(UTC),
        "sources": [],
        "collections": names,
        "counts": {},
    }
    database[DATASETS].insert_one(record)


def day(number: int) -> str:
    """Return the date of a day, numbered from 0."""
    return (_FIRST_DAY + timedelta(days=number)).isoformat()


def _facts(recipe: int) -> dict[str, Any]:
    """Return the field with the facts of a recipe, about 1 kB as JSON; those of a tenth have no known allergens."""
    amount = Nutrient(recipe % 90 / 10, "g", recipe % 100)
    facts = Facts(
        serving_size="4 OZL",
        calories=recipe % 700,
        calories_from_fat=recipe % 90,
        nutrients=Nutrients(*[amount] * len(NUTRIENTS)),
        ingredients=", ".join(f"Ingredient {recipe % number}" for number in range(3, 20)),
        allergens=_ALLERGENS[recipe % 5 :] if recipe % 10 else None,
        labels=_LABELS if recipe % 3 == 0 else None,
        as_of=_FIRST_DAY.isoformat(),
    )
    return {"facts": encode_facts(facts)}


def _items(rows: int) -> list[MenuRow]:
    random = Random(rows)
    return [
        subject.menu_row(
            day(0), random.randrange(3), random.randrange(1, 13), recipe % 25, recipe, f"Recipe number {recipe}"
        )
        for recipe in random.sample(range(1, 8001), rows)
    ]


def _items_in_halls() -> list[MenuRow]:
    return [
        subject.menu_row(DAY_IN_HALLS, recipe % 3, hall, recipe % 25, recipe, f"Recipe number {recipe}")
        for hall in range(1, 11)
        for recipe in Random(5).sample(range(1, 8001), 150)
    ]


def _buildings(number: int) -> Iterator[Building]:
    random = Random(4)
    words = ["".join(random.choices(_SYLLABLES, k=random.randint(2, 5))) for _ in range(number // 10 + 10)]
    for id_ in range(number):
        # Only the hits have common words next to each other.
        name = f"{random.choice(_COMMON_WORDS)} {random.choice(words)} {random.choice(_COMMON_WORDS)}"
        if id_ % (number // HITS) == 0 and id_ // (number // HITS) < HITS:
            name = "Wigglesworth Science Library ZQ"
        latitude, longitude = random.uniform(42.3, 42.5), random.uniform(-71.2, -71.0)
        ring = tuple((latitude + north / 5000, longitude + east / 5000) for north, east in _UNIT_SQUARE)
        address = f"{random.randrange(1, 2000)} {random.choice(words)} Street"
        yield Building(id_, name, address, "Cambridge", None, (latitude, longitude), (ring,))
