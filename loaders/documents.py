"""Records as MongoDB documents; those of menus and buildings are made when they are asked for."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, timedelta

from campus_api.folding import fold
from campus_api.models import Building, Named
from loaders.differences import Document
from loaders.servings import Serving

_DAY = timedelta(days=1)


class Buildings:
    """The documents of buildings, in the order of the export, to go through again and again."""

    def __init__(self, buildings: Collection[Building]) -> None:
        """Take the buildings."""
        self._buildings = buildings

    def __iter__(self) -> Iterator[Document]:
        """Yield a document for every building."""
        return map(_building, self._buildings)

    def __len__(self) -> int:
        """Return how many buildings there are."""
        return len(self._buildings)


class Menus(Mapping[str, Document]):
    """The documents of menus by date, from the first date to the last: a date without servings is a closed day.

    The items of a day are by meal and location, then in the order of the export.
    """

    def __init__(self, servings: Iterable[Serving]) -> None:
        """Take the servings of all dates."""
        self._days: dict[str, list[Serving]] = {}
        for serving in servings:
            self._days.setdefault(serving.date, []).append(serving)
        self._dates = dict.fromkeys(_span(self._days))

    def __getitem__(self, day: str) -> Document:
        """Return the document of a date."""
        if day not in self._dates:
            raise KeyError(day)
        servings = sorted(self._days.get(day, ()), key=lambda serving: (serving.meal, serving.location.id))
        return {"_id": day, "items": [_item(serving) for serving in servings]}

    def __iter__(self) -> Iterator[str]:
        """Yield every date."""
        return iter(self._dates)

    def __len__(self) -> int:
        """Return how many dates there are."""
        return len(self._dates)

    @property
    def open_days(self) -> list[str]:
        """Return the dates that have servings."""
        return sorted(self._days)


def names(named: Iterable[Named]) -> dict[int, Document]:
    """Return the documents of categories, locations or recipes by id."""
    return {name.id: {"_id": name.id, "name": name.name} for name in named}


def _span(days: Collection[str]) -> Iterator[str]:
    if days:
        day, last = date.fromisoformat(min(days)), date.fromisoformat(max(days))
        while day <= last:
            yield day.isoformat()
            day += _DAY


def _building(building: Building) -> Document:
    return {
        "_id": building.id,
        "name": building.name,
        "address": building.address,
        "city": building.city,
        "image": building.image,
        "point": list(building.point),
        "polygons": [[list(position) for position in ring] for ring in building.polygons],
        "search": {"name": fold(building.name or ""), "address": fold(building.address)},
    }


def _item(serving: Serving) -> Document:
    return {
        "meal": serving.meal,
        "location": serving.location.id,
        "category": serving.category.id,
        "recipe": serving.recipe.id,
        "name": serving.recipe.name,
    }
