"""The content of a dining export."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from campus_api.domain.models import MenuItem, NamedEntity


@dataclass(frozen=True, slots=True)
class MenuRow:
    """A recipe served in a category, for a meal, at a location, on a date (YYYY-MM-DD)."""

    date: str
    meal: int
    location: NamedEntity
    category: NamedEntity
    recipe: NamedEntity

    @property
    def item(self) -> MenuItem:
        """Return the menu item of this row."""
        recipe = self.recipe
        return MenuItem(self.date, self.meal, self.location.id, self.category.id, recipe.id, recipe.name)


@dataclass(frozen=True)
class DiningLists:
    """What a dining export lists besides its rows.

    `names` are those of all entities by kind ("category", "location", "recipe") and id. `closed_days` are all of them,
    None if they are the dates without rows between two others.
    """

    names: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    closed_days: Collection[str] | None = None


def merge_lists(exports: Sequence[DiningLists]) -> DiningLists:
    """Return the lists of several exports; of several names of an entity, the last one."""
    names: dict[str, dict[int, str]] = {}
    for lists in exports:
        for kind, by_id in lists.names.items():
            names.setdefault(kind, {}).update(by_id)
    closed_days: set[str] = set()
    for lists in exports:
        if lists.closed_days is None:
            return DiningLists(names)
        closed_days.update(lists.closed_days)
    return DiningLists(names, closed_days)
