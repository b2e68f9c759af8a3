"""The shape of each record: what loaders build and stores answer."""

from dataclasses import dataclass

Position = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Building:
    """A building; every position is latitude, longitude in degrees (WGS 84).

    `polygons` are the closed outer rings of the footprint; a building known only by a point has none.
    """

    id: int
    name: str | None
    address: str
    city: str
    image: str | None
    point: Position
    polygons: tuple[tuple[Position, ...], ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A category, a location or a recipe."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class MenuItem:
    """A recipe served in a category, for a meal, at a location, on a date.

    `date` is YYYY-MM-DD, `meal` 0 breakfast, 1 lunch or 2 dinner, `name` the recipe's as it was served.
    """

    date: str
    meal: int
    location: int
    category: int
    recipe: int
    name: str
