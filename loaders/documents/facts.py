"""Facts of recipes, of all rows of a load."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from campus_api.domain.models import Facts, NamedEntity
from loaders.documents.evidence import merge_listings
from loaders.errors import DataWarning
from loaders.text import normalized_name

_UNKNOWN = Facts()


class _Stated(NamedTuple):
    """Facts that rows of a recipe state, and the name that it has in these rows."""

    facts: Facts
    name: str


@dataclass(slots=True)
class _Recipe:
    """What the rows of a recipe say: the facts by the hash of their values, and the last date of each.

    `names` has the last date of all rows with a name, `unstated` the names in rows without facts.
    """

    stated: dict[int, _Stated | None] = field(default_factory=dict)
    dates: dict[int, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    unstated: set[str] = field(default_factory=set)

    @property
    def in_order(self) -> list[_Stated]:
        """Return the facts by their last date, whatever the order of the rows."""
        dated = ((key, each) for key, each in self.stated.items() if each)
        stated = [each._replace(facts=replace(each.facts, as_of=self.dates[key])) for key, each in dated]
        return sorted(stated, key=lambda each: (each.facts.as_of, repr(each)))


class FactsCollector:
    """What all rows of a load state about recipes.

    `ingredient_characters` is the length of their ingredients, as often as they differ.
    """

    def __init__(self) -> None:
        self.ingredient_characters = 0
        self._recipes: defaultdict[int, _Recipe] = defaultdict(_Recipe)

    @property
    def by_recipe(self) -> dict[int, Facts]:
        """Return the facts by the id of the recipe, after all rows have been added."""
        facts = {id_: _combine(recipe) for id_, recipe in self._recipes.items()}
        return {id_: each for id_, each in facts.items() if each}

    @property
    def conflicts(self) -> Iterator[DataWarning]:
        """Yield a warning for each recipe whose rows state different allergens."""
        return filter(None, (_describe_conflict(recipe.in_order) for recipe in self._recipes.values()))

    def add_row(self, recipe: NamedEntity, day: str, key: int | None) -> bool:
        """Add a row, with the hash of its values, None without facts; return whether `add` needs their facts."""
        stored = self._recipes[recipe.id]
        stored.names[recipe.name] = max(day, stored.names.get(recipe.name, ""))
        if key is None:
            stored.unstated.add(recipe.name)
            return False
        stored.dates[key] = max(day, stored.dates.get(key, ""))
        return key not in stored.stated

    def add(self, recipe: NamedEntity, key: int, facts: Facts | None) -> None:
        """Add the facts of the values with a hash, None if these say nothing."""
        self._recipes[recipe.id].stated[key] = _Stated(facts, recipe.name) if facts else None
        self.ingredient_characters += len(facts.ingredients or "") if facts else 0


def _combine(recipe: _Recipe) -> Facts | None:
    """Return the facts of the last date, with the allergens and labels of all; None if that is of another dish.

    Providers reuse numbers: the allergens are unknown if a row without facts is of another dish.
    """
    if not (stated := recipe.in_order):
        return None
    last_day, dish = max(recipe.names.values()), normalized_name(stated[-1].name)
    if dish not in {normalized_name(name) for name, day in recipe.names.items() if day == last_day}:
        return None
    others = {normalized_name(name) for name in recipe.unstated} - {dish}
    facts = [each.facts for each in reversed(stated)]
    return reduce(combine_facts, [*facts, _UNKNOWN] if others else facts)


def _describe_conflict(stated: list[_Stated]) -> DataWarning | None:
    # What is not understood is another warning.
    understood = [each for each in stated if each.facts.contains is not None or each.facts.allergens is None]
    by_contains = {each.facts.contains: each for each in understood}
    if len(by_contains) < 2:
        return None
    first, last, *_ = by_contains.values()
    outcome = "those of the dish are unknown" if None in by_contains else "the dish has all of them"
    reason = f"{_describe(first.facts)}, {_describe(last.facts)}: {outcome}"
    return DataWarning("recipe", last.name, f"has different allergens: {reason}")


def _describe(facts: Facts) -> str:
    return f"{', '.join(facts.allergens or ()) or 'none'} on {facts.as_of}"


def combine_facts(facts: Facts, other: Facts) -> Facts:
    """Return the facts with the allergens of both and the common labels.

    Allergens are unknown if either are, and denied if both deny them: a dish has one list of them on all dates.
    """
    codes = {label.code for label in other.labels or ()}
    labels = tuple(label for label in facts.labels or () if label.code in codes)
    names = sorted({*(facts.allergens or ()), *(other.allergens or ())})
    contained = [each.contains for each in (facts, other) if each.contains is not None]
    is_known = len(contained) == 2
    is_listed = all(each.allergens is not None or each.contains is not None for each in (facts, other))
    spellings = {*facts.spellings, *other.spellings}
    return replace(
        facts,
        allergens=tuple(names) if names and is_listed else None,
        contains=tuple(sorted({*chain(*contained)})) if is_known else None,
        without=tuple(sorted({*facts.without} & {*other.without})) if is_known else (),
        spellings=tuple(sorted(spellings, key=attrgetter("name", "words"))),
        contradicts=tuple(sorted({*facts.contradicts, *other.contradicts})),
        labels=labels or None,
        listings=merge_listings(facts, other),
    )
