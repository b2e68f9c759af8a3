"""One row of a dining export."""

from dataclasses import dataclass

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
