"""Databases of any size that differ in nothing but that: the same hits for each search, days of the same lengths."""

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random

from pymongo.database import Database

from bench import subject
from campus_api.database import DATASETS, MENUS
from campus_api.models import Building, MenuItem

HITS = 20

_COMMON = ("Science", "Library", "Garden", "Chapel", "Hall", "North", "Observatory", "Müller", "House", "Field")
_SYLLABLES = [consonant + vowel for consonant in "bcdfghklmnprstvw" for vowel in "aeiou"]
_SQUARE = ((0, 0), (0, 1), (1, 1), (1, 0), (0, 0))
_FIRST_DAY = date(2020, 1, 1)
_ROWS = (650, 1500, 900, 1200, 800, 1000, 1400, 700, 1100, 1300)


def buildings(database: Database, number: int) -> Database:
    """Load so many buildings, of which some, spread evenly, are the hits; a tenth as many words occur in all."""
    subject.publish_buildings(database, _buildings(number))
    return database


def scan(database: Database, text: str) -> list:
    """Search as simply as can be: a regular expression, tried on every building, in the order of ids."""
    live = database[DATASETS].find_one({"_id": "buildings"})["collection"]
    return list(database[live].find({"search.name": {"$regex": text}}).sort("_id"))


def menus(database: Database, days: int) -> Database:
    """Store the menus of so many days, ten different ones over and over."""
    different = [subject.day(_items(rows)) for rows in _ROWS]
    stored = ({**different[number % len(different)], "_id": day(number)} for number in range(days))
    database[MENUS].insert_many(stored)
    return database


def day(number: int) -> str:
    """Return the date of the day with this number, counted from 0."""
    return (_FIRST_DAY + timedelta(days=number)).isoformat()


def _items(rows: int) -> list[MenuItem]:
    random = Random(rows)
    return [
        MenuItem(day(0), random.randrange(3), random.randrange(1, 13), recipe % 25, recipe, f"Recipe number {recipe}")
        for recipe in random.sample(range(1, 8001), rows)
    ]


def _buildings(number: int) -> Iterator[Building]:
    random = Random(4)
    words = ["".join(random.choices(_SYLLABLES, k=random.randint(2, 5))) for _ in range(number // 10 + 10)]
    for id_ in range(number):
        # Common words next to each other are in the hits only.
        name = f"{random.choice(_COMMON)} {random.choice(words)} {random.choice(_COMMON)}"
        if id_ % (number // HITS) == 0 and id_ // (number // HITS) < HITS:
            name = "Wigglesworth Science Library ZQ"
        latitude, longitude = random.uniform(42.3, 42.5), random.uniform(-71.2, -71.0)
        ring = tuple((latitude + north / 5000, longitude + east / 5000) for north, east in _SQUARE)
        address = f"{random.randrange(1, 2000)} {random.choice(words)} Street"
        yield Building(id_, name, address, "Cambridge", None, (latitude, longitude), (ring,))
