"""The content of a dining export."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

from campus_api.domain.models import Facts, LocationDetails, NamedEntity


@dataclass(frozen=True, slots=True)
class MenuRow:
    """A recipe served in a category, for a meal, at a location, on a date (YYYY-MM-DD)."""

    date: str
    meal: int
    location: NamedEntity
    category: NamedEntity
    recipe: NamedEntity


@dataclass(frozen=True)
class DiningLists:
    """What a dining export lists besides its rows.

    `names` are those of all entities by kind ("category", "location", "recipe") and id. `facts` are those of recipes by
    id, `halls` those of locations by id. `closed_days` are all of them, None if they are the dates without rows between
    two others.
    """

    names: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    facts: Mapping[int, Facts] = field(default_factory=dict)
    closed_days: Collection[str] | None = None
    halls: Mapping[int, LocationDetails] = field(default_factory=dict)


def merge_lists(exports: Sequence[DiningLists]) -> DiningLists:
    """Return the lists of several exports but their facts; the last name and hall of each entity count."""
    names: dict[str, dict[int, str]] = {}
    halls: dict[int, LocationDetails] = {}
    for lists in exports:
        for kind, by_id in lists.names.items():
            names.setdefault(kind, {}).update(by_id)
        halls.update(lists.halls)
    closed_days = [lists.closed_days for lists in exports if lists.closed_days is not None]
    all_closed_days = set().union(*closed_days) if len(closed_days) == len(exports) else None
    return DiningLists(names, closed_days=all_closed_days, halls=halls)


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
