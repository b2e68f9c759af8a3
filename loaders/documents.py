"""Records as MongoDB documents; those of menus and buildings are made when they are asked for."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import zip_longest
from operator import attrgetter
from typing import Protocol

from campus_api.folding import fold
from campus_api.models import Building, Named
from loaders.differences import Document
from loaders.limits import Limits
from loaders.servings import Serving
from loaders.spool import Spool

_order = attrgetter("meal", "location.id")


class AllBuildings(Protocol):
    """The documents of all buildings, and their digests by id, to go through again and again."""

    digests: Iterable[tuple[int, bytes]]

    def __iter__(self) -> Iterator[Document]:
        """Yield every document."""

    def __len__(self) -> int:
        """Return how many there are."""


class Buildings:
    """The documents of buildings, in the order of the export, to go through again and again."""

    def __init__(self, buildings: Spool) -> None:
        """Take the buildings."""
        self._buildings = buildings

    def __iter__(self) -> Iterator[Document]:
        """Yield a document for every building."""
        for building, (_, digest) in zip(self._buildings, self._buildings.digests, strict=True):
            yield _building(building, digest)

    def __len__(self) -> int:
        """Return how many buildings there are."""
        return len(self._buildings)

    @property
    def digests(self) -> Iterator[tuple[int, bytes]]:
        """Yield the id and the digest of every document, without making it."""
        return self._buildings.digests


class Menus(Mapping[str, Document]):
    """The documents of menus by date; a date without servings between others is a closed day.

    The items of a day are by meal and location, then in the order of the export. Dates of a gap of more than
    `longest_gap` days are not there: that is no time of closed days, but a wrong date or two exports.
    """

    def __init__(self, servings: Iterable[Serving], longest_gap: int = Limits.closed_days) -> None:
        """Take the servings of all dates."""
        self._days: dict[str, list[Serving]] = {}
        for serving in servings:
            self._days.setdefault(serving.date, []).append(serving)
        self._dates = dict.fromkeys(_with_closed_days(self.open_days, longest_gap))

    def __getitem__(self, day: str) -> Document:
        """Return the document of a date."""
        if day not in self._dates:
            raise KeyError(day)
        servings = sorted(self._days.get(day, ()), key=_order)
        return {"_id": day, "items": [_item(serving) for serving in servings]}

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


def _building(building: Building, digest: bytes) -> Document:
    return {
        "_id": building.id,
        "name": building.name,
        "address": building.address,
        "city": building.city,
        "image": building.image,
        "point": list(building.point),
        "polygons": [list(map(list, ring)) for ring in building.polygons],
        "search": {"name": fold(building.name or ""), "address": fold(building.address)},
        "digest": digest,
    }


def _item(serving: Serving) -> Document:
    return {
        "meal": serving.meal,
        "location": serving.location.id,
        "category": serving.category.id,
        "recipe": serving.recipe.id,
        "name": serving.recipe.name,
    }
