"""OpenMensa feeds of all versions: the menus of a canteen as XML; canteens and categories are codes of the profile.

https://docs.openmensa.org/feed/v2/
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import NamedTuple
from xml.parsers import expat

from campus_api.domain.models import Facts, NamedEntity
from loaders.documents.serving import DiningLists
from loaders.errors import DataWarning, InvalidValue, UnreadableFileError
from loaders.menu_formats.base import (
    DiningFormat,
    ParsedRow,
    clean_name,
    named_entity,
    parse_code,
    parse_date,
)
from loaders.profiles import DiningProfile, normalize_code
from loaders.profiles.dining_settings import fold_meal
from loaders.profiles.notes import fold_note
from loaders.result import SourceLocation
from loaders.sources.files import CHUNK_SIZE, Export

# The root element of version 1 with a DTD has no namespace.
_ROOTS = (
    "http://openmensa.org/open-mensa-v2 openmensa",
    "http://openmensa.org/open-mensa-v1 cafeteria",
    "cafeteria",
)
_ROOT = re.compile(r"<([\w.-]+:)?(openmensa|cafeteria)\b")
_DATE_FORMAT = "%Y-%m-%d"
_LUNCH = 1
# Versions 1 and 2.0 of the format have no name of the canteen.
_UNNAMED = "canteen"
# The elements that are read, by the element that they are in.
_CHILDREN: Mapping[str, Collection[str]] = {
    "openmensa": {"canteen"},
    "canteen": {"name", "day"},
    "cafeteria": {"day"},
    "day": {"category", "closed"},
    "category": {"meal"},
    "meal": {"name", "note"},
}


class Dish(NamedTuple):
    """A dish of a feed, as written."""

    date: str | None
    canteen: str
    category: str | None
    name: str
    notes: tuple[str, ...]


class OpenMensa(DiningFormat):
    """Parser of one feed. Dishes have no ids in it: theirs are derived from their names."""

    name = "openmensa"
    title = "OpenMensa"
    files = "an OpenMensa feed"
    location_field = "canteen"
    tables = ("locations", "categories", "labels", "notes")

    def __init__(self, profile: DiningProfile) -> None:
        super().__init__(profile)
        self._feed = _Feed(self.unread)
        self._facts: dict[int, Facts] = {}

    @staticmethod
    def sniff(head: str) -> bool:
        return head.lstrip().startswith("<") and bool(_ROOT.search(head))

    @property
    def lists(self) -> DiningLists:
        return DiningLists(facts=self._facts, closed_days=self._feed.closed_days)

    def rows(self, export: Export) -> Iterator[tuple[SourceLocation, Dish]]:
        try:
            while chunk := export.text.read(CHUNK_SIZE):
                yield from self._feed.parse(chunk)
            yield from self._feed.parse("", is_last=True)
        except expat.ExpatError as error:
            reason = f"is not XML: {expat.ErrorString(error.code)}"
            raise UnreadableFileError(export.path, reason, error.lineno) from None
        except _InvalidFeed as error:
            raise UnreadableFileError(export.path, str(error), self._feed.line) from None

    def parse_row(self, row: Dish) -> ParsedRow:
        category = parse_code("category", row.category)
        return ParsedRow(
            parse_date("day", row.date, _DATE_FORMAT),
            self._profile.meals.get(fold_meal(category), _LUNCH),
            normalize_code(parse_code("canteen", row.canteen)),
            normalize_code(category),
            _parse_dish(row.name),
            notes=tuple(filter(None, (clean_name("note", note) for note in row.notes))),
        )

    def add_facts(self, raw: Dish, row: ParsedRow) -> Iterator[DataWarning]:
        """Collect the labels and allergens that the notes stand for; the allergens are unknown if a note is."""
        notes = [(text, self._profile.notes.get(fold_note(text))) for text in row.notes]
        unknown = [text for text, note in notes if note is None]
        known = [note for _, note in notes if note]
        labels = dict.fromkeys(note.label for note in known if note.label)
        allergens = {note.allergen for note in known if note.allergen}
        facts = Facts(labels=tuple(labels) or None, allergens=None if unknown else tuple(sorted(allergens)) or None)
        if (facts != Facts() or unknown) and row.date >= (self._facts.get(row.recipe.id, facts).as_of or ""):
            self._facts[row.recipe.id] = replace(facts, as_of=row.date)
        for text in unknown:
            yield DataWarning("note", text, "is not in [notes] of the profile: the allergens of the dish are unknown")


class _InvalidFeed(ValueError):
    """XML that is not an OpenMensa feed, or has entities that are not those of XML."""


class _Feed:
    """Incremental parser of the XML: dishes and closed days. A DTD is not read, and must not define entities itself."""

    def __init__(self, unread: Counter[str]) -> None:
        self.closed_days: list[str] = []
        self._unread = unread
        self._unread_depth = 0
        self._dishes: list[tuple[SourceLocation, Dish]] = []
        self._path: list[str] = []
        self._date: str | None = None
        self._category: str | None = None
        self._canteen, self._name = _UNNAMED, ""
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add_text
        self._parser.StartDoctypeDeclHandler = self._check_dtd
        self._parser.SkippedEntityHandler = self._reject_entity

    @property
    def line(self) -> int:
        """Return the current line."""
        return self._parser.CurrentLineNumber

    def parse(self, chunk: str, *, is_last: bool = False) -> list[tuple[SourceLocation, Dish]]:
        """Return the dishes that end in a chunk."""
        self._dishes = []
        self._parser.Parse(chunk, is_last)
        return self._dishes

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if not self._path and name not in _ROOTS:
            raise _InvalidFeed("is not an OpenMensa feed")
        if self._path and (self._unread_depth or tag not in _CHILDREN.get(self._path[-1], ())):
            if not self._unread_depth:
                self._unread[tag] += 1
            self._unread_depth += 1
            return
        self._path.append(tag)
        match tag:
            case "day":
                self._date = attributes.get("date")
            case "closed":
                self._add_closed_day()
            case "category":
                self._category = attributes.get("name")
            case "meal":
                self._name, self._notes, self._location = "", [], SourceLocation(self.line)
            case "note":
                self._notes.append("")

    def _add_closed_day(self) -> None:
        try:
            self.closed_days.append(parse_date("day", self._date, _DATE_FORMAT))
        except InvalidValue as error:
            raise _InvalidFeed(f"has a closed day whose date {error.reason}") from None

    def _add_text(self, text: str) -> None:
        if self._unread_depth:
            return
        if self._path[-2:] == ["meal", "name"]:
            self._name += text
        elif self._path[-2:] == ["meal", "note"]:
            self._notes[-1] += text
        elif self._path[-2:] == ["canteen", "name"]:
            self._canteen = text if self._canteen == _UNNAMED else self._canteen + text

    def _end(self, _: str) -> None:
        if self._unread_depth:
            self._unread_depth -= 1
        elif self._path.pop() == "meal":
            dish = Dish(self._date, self._canteen, self._category, self._name, tuple(self._notes))
            self._dishes.append((self._location, dish))

    def _check_dtd(self, _name: str, _system_id: str | None, _public_id: str | None, has_definitions: bool) -> None:
        """Raise _InvalidFeed if the DTD is part of the feed: it could define huge entities."""
        if has_definitions:
            raise _InvalidFeed("defines a DTD, which OpenMensa feeds do not do")

    def _reject_entity(self, name: str, _is_parameter: bool) -> None:
        raise _InvalidFeed(f"has the entity {name!r}, which is not one of XML")


def _parse_dish(name: str) -> NamedEntity:
    """Return a dish with an id of 52 bits, which all of its spellings in upper and lower case have."""
    text = clean_name("name", name)
    key = unicodedata.normalize("NFC", text).casefold().encode()
    return named_entity(int.from_bytes(blake2b(key, digest_size=8).digest()) >> 12, "name", text)
