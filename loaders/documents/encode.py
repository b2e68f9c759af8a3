"""Buildings and menus as MongoDB documents, with digests that tell equal documents from different ones."""

import marshal
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from hashlib import blake2b
from itertools import pairwise
from operator import attrgetter, itemgetter
from typing import Any

import bson

from campus_api.domain.building_fields import SEARCHABLE_FIELDS, TEXT_FIELDS, Building
from campus_api.domain.text import fold
from loaders.documents.serving import DiningLists, MenuRow
from loaders.profiles.thresholds import Thresholds

Document = dict[str, Any]

_item_values = attrgetter("meal", "location.id", "category.id", "recipe.id", "recipe.name")
_serving_order = itemgetter(0, 1)
_ITEM = ("meal", "location", "category", "recipe", "name")
_MEAL = ("meal", "location", "name", "rows")
# The last version of marshal in which equal values have equal bytes.
MARSHAL_VERSION = 2
# Change these when the same building or rows become another document than before.
_BUILDING_FORMAT, _MENU_FORMAT = "building 3", "menu 1"
_NO_LISTS = DiningLists()


class MenuDocuments(Mapping[str, Document]):
    """The documents of menus by date, created on access; a date without rows between two others is a closed day.

    The items of a date are sorted by meal and location, then as in the export. A gap of more than `max_gap_days` days
    has no closed days: it is a wrong date, or two exports. If `lists` has the closed days, there are no others.
    """

    def __init__(
        self, rows: Iterable[MenuRow], max_gap_days: int = Thresholds.closed_days, lists: DiningLists = _NO_LISTS
    ) -> None:
        self._rows: dict[str, list[MenuRow]] = {}
        for row in rows:
            self._rows.setdefault(row.date, []).append(row)
        self._names = lists.names
        closed = _closed_days(self.open_dates, max_gap_days) if lists.closed_days is None else lists.closed_days
        self._dates = dict.fromkeys(sorted({*self._rows, *closed}))

    def __getitem__(self, day: str) -> Document:
        if day not in self._dates:
            raise KeyError(day)
        items, names = self._items(day), self._meal_names(day)
        documents = [dict(zip(_ITEM, each, strict=True)) for each in items]
        meals = {"meals": [dict(zip(_MEAL, each, strict=True)) for each in names]} if names else {}
        return {"_id": day, "items": documents, "digest": _menu_digest([*items, *names]), **meals}

    def __iter__(self) -> Iterator[str]:
        return iter(self._dates)

    def __len__(self) -> int:
        return len(self._dates)

    def digest(self, day: str) -> bytes:
        """Return the digest of the document of a date."""
        return _menu_digest([*self._items(day), *self._meal_names(day)])

    @property
    def open_dates(self) -> list[str]:
        """Return the dates that have rows, sorted."""
        return sorted(self._rows)

    def names(self, kind: str) -> dict[int, str]:
        """Return by id the names of each "category", "location" or "recipe".

        Providers reuse ids over the years: the last name on the last date wins, unless the export lists the names.
        """
        entities = (entity for day in self.open_dates for entity in map(attrgetter(kind), self._rows[day]))
        return {**{entity.id: entity.name for entity in entities}, **self._names.get(kind, {})}

    def last_dates(self, kind: str) -> dict[int, str]:
        """Return by id the last date of each "category", "location" or "recipe" in the rows."""
        return {getattr(row, kind).id: day for day in self.open_dates for row in self._rows[day]}

    def _items(self, day: str) -> list[tuple[Any, ...]]:
        return sorted(map(_item_values, self._rows.get(day, ())), key=_serving_order)

    def _meal_names(self, day: str) -> list[tuple[Any, ...]]:
        """Return each meal of a location that most of its rows name, with the name and the number of its rows."""
        names: dict[tuple[int, int], Counter[str]] = defaultdict(Counter)
        for row in self._rows.get(day, ()):
            names[row.meal, row.location.id][row.meal_name] += 1
        most = {serving: max((rows, name) for name, rows in each.items())[1] for serving, each in names.items()}
        return [(*serving, name, names[serving].total()) for serving, name in sorted(most.items()) if name]


def building_document(building: Building) -> Document:
    """Return the document of a building, with folded text to search, and its digest."""
    texts = {name: getattr(building, name) for name in TEXT_FIELDS}
    document = {
        "_id": building.id,
        **{name: text for name, text in texts.items() if text or TEXT_FIELDS[name].is_served},
        "point": building.point,
        "polygons": building.polygons,
        "search": {name: fold(texts[name] or "") for name in SEARCHABLE_FIELDS},
    }
    return {**document, "digest": compute_digest(_BUILDING_FORMAT, bson.encode(document))}


def compute_digest(document_format: str, data: bytes) -> bytes:
    """Return 16 bytes that differ for documents of different content or format."""
    return blake2b(data, digest_size=16, person=document_format.encode("ascii")).digest()


def _closed_days(days: list[str], max_gap_days: int) -> Iterator[str]:
    ordinals = [date.fromisoformat(day).toordinal() for day in days]
    for day, following in pairwise(ordinals):
        between = range(day + 1, following)
        if len(between) <= max_gap_days:
            yield from (date.fromordinal(each).isoformat() for each in between)


def _menu_digest(content: list[tuple[Any, ...]]) -> bytes:
    return compute_digest(_MENU_FORMAT, marshal.dumps(content, MARSHAL_VERSION))
