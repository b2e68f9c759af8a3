"""The content of a dining export."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from campus_api.domain.models import Facts, LocationDetails, NamedEntity


@dataclass(frozen=True, slots=True)
class MenuRow:
    """A recipe served in a category, for a meal (named "" as in `MEALS`), at a location, on a date (YYYY-MM-DD)."""

    date: str
    meal: int
    location: NamedEntity
    category: NamedEntity
    recipe: NamedEntity
    meal_name: str = ""


@dataclass(frozen=True)
class DiningLists:
    """What a dining export lists besides its rows.

    `names` are those of all entities by kind ("category", "location", "recipe") and id. `facts` are those of recipes by
    id, `halls` those of locations by id; `configured_halls`, of the profile, take precedence, by a name without id.
    `closed_days` are all of them, None if they are the dates without rows between two others.
    """

    names: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    facts: Mapping[int, Facts] = field(default_factory=dict)
    closed_days: Collection[str] | None = None
    halls: Mapping[int | str, LocationDetails] = field(default_factory=dict)
    configured_halls: Mapping[int | str, LocationDetails] = field(default_factory=dict)

    def details(self) -> dict[int | str, LocationDetails]:
        """Return the building and the hours of each location in the export or in the profile."""
        return {**self.halls, **self.configured_halls}


def merge_lists(exports: Sequence[DiningLists]) -> DiningLists:
    """Return the lists of several exports without facts and profiles; the last name and hall of each entity count."""
    names: dict[str, dict[int, str]] = {}
    halls: dict[int | str, LocationDetails] = {}
    for lists in exports:
        for kind, by_id in lists.names.items():
            names.setdefault(kind, {}).update(by_id)
        halls.update(lists.halls)
    closed_days = [lists.closed_days for lists in exports if lists.closed_days is not None]
    all_closed_days = set().union(*closed_days) if len(closed_days) == len(exports) else None
    return DiningLists(names, closed_days=all_closed_days, halls=halls)
