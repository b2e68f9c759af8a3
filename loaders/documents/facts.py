"""Facts of recipes, of all rows of a load."""

from collections import defaultdict
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

from campus_api.domain.models import Facts, NamedEntity
from loaders.text import normalized_name

_UNKNOWN = Facts()


@dataclass(slots=True)
class _Recipe:
    """What the rows of a recipe have said so far; `dish` is its name in the row of the facts, "" without any.

    `values_hash` is that of the values of all rows, which most repeat, None once they differ. `unstated` are the names
    in rows without facts.
    """

    facts: Facts = _UNKNOWN
    dish: str = ""
    values_hash: int | None = None
    last_date: str = ""
    last_dish: str = ""
    unstated: set[str] = field(default_factory=set)

    @property
    def is_current(self) -> bool:
        """Return whether there are facts, and the last row is not of another dish: providers reuse numbers."""
        return self.dish != "" and normalized_name(self.last_dish or self.dish) == normalized_name(self.dish)

    @property
    def shared_facts(self) -> Facts:
        """Return the facts; the allergens are unknown if a row without facts is of another dish."""
        others = self.unstated - {normalized_name(self.dish)}
        return combine_facts(self.facts, _UNKNOWN) if others else self.facts


class FactsCollector:
    """The facts of each recipe on the last date that has any, with the allergens and labels of all rows of a load.

    `ingredient_characters` is the length of the ingredients of all recipes.
    """

    def __init__(self) -> None:
        self.ingredient_characters = 0
        self._recipes: defaultdict[int, _Recipe] = defaultdict(_Recipe)

    @property
    def by_recipe(self) -> dict[int, Facts]:
        """Return the facts by the id of the recipe, after all rows have been added."""
        return {id_: recipe.shared_facts for id_, recipe in self._recipes.items() if recipe.is_current}

    def add_row(self, recipe: NamedEntity, day: str) -> None:
        """Add the name of a recipe in a row, with facts or without."""
        stored = self._recipes[recipe.id]
        if day >= stored.last_date:
            stored.last_date, stored.last_dish = day, recipe.name

    def add_unstated(self, recipe: NamedEntity) -> None:
        """Add a row without facts."""
        self._recipes[recipe.id].unstated.add(normalized_name(recipe.name))

    def repeats(self, recipe: NamedEntity, day: str, values_hash: int | None) -> bool:
        """Return whether a row repeats the values of the rows before, whose facts are those of its date then."""
        stored = self._recipes[recipe.id]
        if values_hash is None or values_hash != stored.values_hash:
            return False
        if day > (stored.facts.as_of or ""):
            stored.facts, stored.dish = replace(stored.facts, as_of=day), recipe.name
        return True

    def add(self, recipe: NamedEntity, facts: Facts, values_hash: int | None = None) -> str | None:
        """Add the facts of a row or a list; return what becomes of the allergens if they differ from earlier ones."""
        stored = self._recipes[recipe.id]
        first, first_hash = stored.facts, stored.values_hash
        stored.facts = merge_facts(first, facts)
        if stored.facts == facts:
            stored.values_hash = values_hash or hash(facts)
        elif stored.facts != first:
            stored.values_hash = None
        if stored.facts.as_of == facts.as_of:
            stored.dish = recipe.name
        self.ingredient_characters += len(stored.facts.ingredients or "") - len(first.ingredients or "")
        # Once for each allergen: rows of every day may differ from merged facts, which have no hash.
        is_new = first_hash is not None or stored.facts.contains != first.contains
        return _describe_conflict(recipe.name, first, facts) if is_new else None


def _describe_conflict(recipe: str, first: Facts, second: Facts) -> str | None:
    """Return what becomes of the allergens if those of two rows differ."""
    # What is not understood is another warning.
    is_understood = second.contains is not None or second.allergens is None
    if first.as_of is None or first.contains == second.contains or not is_understood:
        return None
    is_known = first.contains is not None and second.contains is not None
    outcome = "the dish has all of them" if is_known else "those of the dish are unknown"
    return f"differ from the allergens of {recipe!r} in an earlier row of {first.as_of}: {outcome}"


def merge_facts(first: Facts, second: Facts) -> Facts:
    """Return the facts of the last date, or else the second ones, combined with the others."""
    if first == Facts():
        return second
    last, other = (first, second) if (second.as_of or "") < (first.as_of or "") else (second, first)
    return combine_facts(last, other)


def combine_facts(facts: Facts, other: Facts) -> Facts:
    """Return the facts with the allergens of both and the common labels.

    Allergens are unknown if either are, and denied if both deny them: a dish has one list of them on all dates.
    """
    codes = {label.code for label in other.labels or ()}
    labels = tuple(label for label in facts.labels or () if label.code in codes)
    return replace(facts, **_combine_allergens(facts, other), labels=labels or None)


def _combine_allergens(facts: Facts, other: Facts) -> dict[str, Any]:
    spellings = sorted({*facts.spellings, *other.spellings}, key=attrgetter("name", "words"))
    names = sorted({*(facts.allergens or ()), *(other.allergens or ())})
    if facts.contains is None or other.contains is None:
        is_listed = facts.allergens is not None and other.allergens is not None
        allergens = tuple(names) if is_listed else None
        return {"allergens": allergens, "contains": None, "without": (), "spellings": tuple(spellings)}
    return {
        "allergens": tuple(names) or None,
        "contains": tuple(sorted({*facts.contains, *other.contains})),
        "without": tuple(sorted({*facts.without} & {*other.without})),
        "spellings": tuple(spellings),
    }
