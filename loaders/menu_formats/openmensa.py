"""OpenMensa feeds of all versions: the menus of a canteen as XML; canteens and categories are codes of the profile.

https://docs.openmensa.org/feed/v2/
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from hashlib import blake2b
from itertools import chain

from campus_api.domain.allergens.spellings import normalize_name
from campus_api.domain.hours import check_expression
from campus_api.domain.models import Facts, LocationDetails, MealHours, NamedEntity
from campus_api.domain.text import normalize
from loaders.documents.serving import DiningLists, MenuRow
from loaders.errors import DataWarning
from loaders.menu_formats.allergens import split_names
from loaders.menu_formats.base import DiningFormat, look_up
from loaders.menu_formats.dates import parse_date
from loaders.menu_formats.openmensa_feed import DATE_FORMAT, WEEKDAYS, Dish, Feed
from loaders.menu_formats.values import clean_name, named_entity, parse_code
from loaders.profiles import DiningProfile, normalize_code
from loaders.profiles.dining_settings import fold_meal
from loaders.profiles.values import MAX_LENGTH
from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.text import is_blank

_LUNCH = 1
_ROOT = re.compile(r"<([\w.-]+:)?(openmensa|cafeteria)\b")


class OpenMensa(DiningFormat):
    """Parser of one feed. Dishes have no ids in it: theirs are derived from their names."""

    name = "openmensa"
    title = "OpenMensa"
    files = "an OpenMensa feed"
    tables = ("locations", "categories", "labels", "notes")

    def __init__(self, profile: DiningProfile) -> None:
        super().__init__(profile)
        self._feed = Feed()
        self.unread = self._feed.unread
        self._served: set[tuple[str, int, str]] = set()

    @classmethod
    def fits(cls, head: str, profile: DiningProfile) -> bool:
        return head.lstrip().startswith("<") and bool(_ROOT.search(head))

    @property
    def lists(self) -> DiningLists:
        return DiningLists(closed_days=self._feed.closed_days, halls=self._halls())

    def records(self, export: Export) -> Iterator[tuple[SourceLocation, Dish]]:
        for location, dish in self._feed.read(export):
            if is_blank(dish.name):
                self.warnings.append((location, DataWarning("name", None, "is missing: the dish is left out")))
            else:
                yield location, dish
        self._check_times()

    def parse_row(self, row: Dish) -> tuple[MenuRow, tuple[()]]:
        codes = self.codes(row)
        day = parse_date("day", row.date, DATE_FORMAT)
        meal = self._profile.meals.get(fold_meal(codes["category"]), _LUNCH)
        dish = _parse_dish(row.name)
        self._served.add((day, meal, normalize_code(codes["location"])))
        location = look_up("canteen", codes["location"], self._profile.locations)
        category = look_up("category", codes["category"], self._profile.categories)
        return MenuRow(day, meal, location, category, dish), ()

    def codes(self, row: Dish) -> dict[str, str]:
        return {"category": parse_code("category", row.category), "location": parse_code("canteen", row.canteen)}

    def add_facts(self, raw: Dish, row: MenuRow) -> Iterable[DataWarning]:
        """Collect the labels and allergens that the notes stand for; the allergens are unknown if a note is."""
        shown = list(filter(None, (clean_name("note", note) for note in raw.notes)))
        notes = [self._profile.notes.get(normalize_name(text)) for text in shown]
        labels = dict.fromkeys(note.label for note in notes if note and note.label)
        collector, texts = self.facts.allergens, list(map(self._listed_text, raw.notes))
        names = chain.from_iterable(split_names("note", text) for text in texts if collector.lists_any(text))
        allergens = collector.read(row.recipe, "note", names, texts)
        facts = Facts(labels=tuple(labels) or None, **allergens, as_of=row.date)
        if facts != Facts(as_of=row.date):
            self.facts.add(row.recipe, facts)
        return ()

    def _listed_text(self, note: str) -> str:
        """Return the codes in a note if the profile has a pattern of them that it matches, or else the note."""
        pattern, text = self._profile.allergens.note_codes, clean_name("note", note)
        match = re.search(pattern, text) if pattern and len(text) <= MAX_LENGTH else None
        return match[1] or "" if match else note

    def _check_times(self) -> None:
        """Keep the times that can be read, with a warning about each that cannot, or about those of several meals."""
        meals = {meal for _, meal, _ in self._served}
        for weekday, text in list(self._feed.times.items()):
            try:
                if len(meals) > 1:
                    raise ValueError("is not of one meal: set its hours in [halls] of the profile")
                check_expression(f"{WEEKDAYS[weekday]} {text}", None)
            except ValueError as error:
                self.warnings.append((SourceLocation(), DataWarning(f"times of {weekday}", text, str(error))))
                del self._feed.times[weekday]

    def _halls(self) -> dict[int, LocationDetails]:
        """Return the canteen with the hours of its meal, until the last day of the feed."""
        times, closed_days = self._feed.times, self._feed.closed_days
        canteens = {canteen for _, _, canteen in self._served} & self._profile.locations.keys()
        if not times or not canteens:
            return {}
        rules = [*(f"{WEEKDAYS[day]} {text}" for day, text in times.items()), *map(_closed_rule, closed_days)]
        until = max([*closed_days, *(day for day, _, _ in self._served)])
        hours = (MealHours(meal, "; ".join(rules), until) for meal in {meal for _, meal, _ in self._served})
        return {self._profile.locations[canteen].id: LocationDetails(hours=tuple(hours)) for canteen in canteens}


def _closed_rule(day: str) -> str:
    return f"{date.fromisoformat(day):%Y %b %d} off"


def _parse_dish(name: str) -> NamedEntity:
    """Return a dish with an id of 52 bits, which all of its spellings in upper and lower case have."""
    text = clean_name("name", name)
    key = normalize("NFC", text).casefold().encode()
    return named_entity(int.from_bytes(blake2b(key, digest_size=8).digest()) >> 12, "name", text)
