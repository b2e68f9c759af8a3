"""Records as MongoDB documents; those of menus are made when they are asked for."""

import marshal
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import zip_longest
from operator import attrgetter, itemgetter
from typing import Any, Protocol

from campus_api.folding import fold, trigrams
from campus_api.models import Building, Named
from loaders.documents.digests import digest_of
from loaders.documents.serving import MenuRow
from loaders.profiles.thresholds import Thresholds
from loaders.publishing.diff import Document

_values = attrgetter("meal", "location.id", "category.id", "recipe.id", "recipe.name")
_order = itemgetter(0, 1)
# Of the versions of the format, the last one in which equal values are equal bytes.
_FORMAT = 2
# To be changed when the same servings become another document than before.
_MENUS = "menu 1"


class AllBuildings(Protocol):
    """The documents of all buildings and their digests by id, to go through again and again."""

    digests: Iterable[tuple[int, bytes]]
    documents: Iterable[Document]
    # The same as the bytes that MongoDB takes.
    encoded: Iterable[Document]
    # How many of them have each trigram that many have, packed.
    common_trigrams: list[str]

    def __len__(self) -> int:
        """Return how many there are."""


class Menus(Mapping[str, Document]):
    """The documents of menus by date; a date without servings between others is a closed day.

    The items of a day are by meal and location, then in the order of the export. Dates of a gap of more than
    `longest_gap` days are not there: that is no time of closed days, but a wrong date or two exports.
    """

    def __init__(self, servings: Iterable[MenuRow], longest_gap: int = Thresholds.max_gap_days) -> None:
        """Take the servings of all dates."""
        self._days: dict[str, list[MenuRow]] = {}
        for serving in servings:
            self._days.setdefault(serving.date, []).append(serving)
        self._dates = dict.fromkeys(_with_closed_days(self.open_days, longest_gap))

    def __getitem__(self, day: str) -> Document:
        """Return the document of a date."""
        if day not in self._dates:
            raise KeyError(day)
        items = self._items(day)
        return {"_id": day, "items": [_item(*values) for values in items], "digest": _digest(items)}

    def digest(self, day: str) -> bytes:
        """Return the digest of the document of a date."""
        return _digest(self._items(day))

    def count(self, day: str) -> int:
        """Return how many items a date has."""
        return len(self._days.get(day, ()))

    def _items(self, day: str) -> list[tuple[Any, ...]]:
        return sorted(map(_values, self._days.get(day, ())), key=_order)

    def __iter__(self) -> Iterator[str]:
        """Yield every date."""
        return iter(self._dates)

    def __len__(self) -> int:
        """Return how many dates there are."""
        return len(self._dates)

    @property
    def open_days(self) -> list[str]:
        """Return the dates that have servings, in their order."""
        return sorted(self._days)

    def names(self, kind: str) -> dict[int, Document]:
        """Return by id the documents of what servings have as `kind`: "category", "location" or "recipe".

        Numbers are used again over the years: of several names the last one of the last date counts.
        """
        latest: dict[int, Named] = {}
        for day in self.open_days:
            for named in map(attrgetter(kind), self._days[day]):
                latest[named.id] = named
        return {id_: {"_id": id_, "name": latest[id_].name} for id_ in sorted(latest)}


def _with_closed_days(days: list[str], longest_gap: int) -> Iterator[str]:
    numbers = [date.fromisoformat(day).toordinal() for day in days]
    for day, following in zip_longest(numbers, numbers[1:]):
        closed = following is not None and following - day - 1 <= longest_gap
        yield from (date.fromordinal(number).isoformat() for number in range(day, following if closed else day + 1))


def building_document(building: Building) -> Document:
    """Return the document of a building, but for its digest."""
    name, address = fold(building.name or ""), fold(building.address)
    found = sorted(trigrams("name", name) | trigrams("address", address))
    return {
        "_id": building.id,
        "name": building.name,
        "address": building.address,
        "city": building.city,
        "image": building.image,
        "point": building.point,
        "polygons": building.polygons,
        "search": {"name": name, "address": address, "trigrams": found},
    }


def building_of(document: Document) -> Building:
    """Return the building of a document."""
    return Building(
        id=document["_id"],
        name=document["name"],
        address=document["address"],
        city=document["city"],
        image=document["image"],
        point=tuple(document["point"]),
        polygons=tuple(tuple(map(tuple, ring)) for ring in document["polygons"]),
    )


def _digest(items: list[tuple[Any, ...]]) -> bytes:
    return digest_of(_MENUS, marshal.dumps(items, _FORMAT))


def _item(meal: int, location: int, category: int, recipe: int, name: str) -> Document:
    return {"meal": meal, "location": location, "category": category, "recipe": recipe, "name": name}
