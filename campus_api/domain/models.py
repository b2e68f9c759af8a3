"""The data model: records that loaders build, rows that stores return, records of published revisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, NotRequired, TypedDict

Position = tuple[float, float]

MEALS = {0: "breakfast", 1: "lunch", 2: "dinner"}
BUILDING_TEXT_FIELDS = ("name", "address", "city", "image")
BUILDING_FIELDS = (*BUILDING_TEXT_FIELDS, "point", "polygons")


@dataclass(frozen=True, slots=True)
class Building:
    """A building; positions are (latitude, longitude) in degrees (WGS 84).

    `polygons` are the closed outer rings of the footprint, empty if only the point is known.
    """

    id: int
    name: str | None
    address: str
    city: str
    image: str | None
    point: Position
    polygons: tuple[tuple[Position, ...], ...]


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """A category, a location or a recipe."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class MenuItem:
    """A recipe served in a category, for a meal, at a location, on a date.

    `date` is YYYY-MM-DD, `meal` is 0 (breakfast), 1 (lunch) or 2 (dinner), `name` is the recipe's name on that date.
    """

    date: str
    meal: int
    location: int
    category: int
    recipe: int
    name: str


class Geometry(TypedDict):
    """The location of a building; positions are [latitude, longitude]."""

    point: Sequence[float]
    polygons: Sequence[Sequence[Sequence[float]]]


class BuildingRow(TypedDict):
    """A building as the API returns it."""

    id: int
    name: str | None
    address: str
    city: str
    image: str | None
    geometry: Geometry


class NamedRow(TypedDict):
    """A category, a location or a recipe as the API returns it."""

    id: int
    name: str


class MenuItemRow(TypedDict):
    """A menu item as the API returns it; `id` and `name` are those of the recipe."""

    date: str
    meal: int
    location: int
    category: int
    recipe: int
    id: int
    name: str


class Names(NamedTuple):
    """The names of locations and categories by id."""

    locations: Mapping[int, str]
    categories: Mapping[int, str]


def meal_name(meal: int) -> str:
    """Return the name of a meal, such as "lunch"; "meal 7" if it has none."""
    return MEALS.get(meal, f"meal {meal}")


class RevisionContent(TypedDict):
    """The names of the MongoDB collections of a revision, and the number of documents in each.

    `indexed` is the buildings collection that has a trigram index, `common_trigrams` its encoded frequencies.
    """

    collections: dict[str, str]
    counts: dict[str, int]
    indexed: NotRequired[str]
    common_trigrams: NotRequired[list[str]]


class DatasetRecord(RevisionContent):
    """The live revision of a data set."""

    _id: str
    layout: int
    revision: int
    loaded_at: datetime
    sources: list[dict[str, str]]
    load: NotRequired[object]
    previous: NotRequired["DatasetRecord"]
    reverts: NotRequired[object]
