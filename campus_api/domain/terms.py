"""The labels and allergens that recipes have, by what people write for them."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Any, NamedTuple

from campus_api.domain.models import Label
from campus_api.domain.text import fold, normalize_query

_WORD = re.compile(r"[^\W_]+")


class Terms:
    """Labels or allergens by folded text, and as a list for people."""

    def __init__(self) -> None:
        self._values: dict[str, set[str]] = {}
        self._spellings: dict[str, str] = {}
        self._names: dict[str, set[str]] = {}

    def add(self, value: str, name: str | None = None) -> None:
        """Add a value as it is stored, which people write like this or by its name."""
        for text in filter(None, (value, name)):
            self._values.setdefault(fold(text), set()).add(value)
            # The order of the recipes makes no difference.
            self._spellings[fold(text)] = min(text, self._spellings.get(fold(text), text))
        self._names.setdefault(value, set()).update(filter(None, (name,)))

    def get(self, text: str) -> set[str]:
        """Return the values that a text stands for, whatever its letter case; none if there is no such term."""
        folded = normalize_query(text)
        return set() if folded is None else self._find(folded)

    def _find(self, folded: str) -> set[str]:
        return self._values.get(folded, set())

    @property
    def spellings(self) -> Mapping[str, str]:
        """Return the texts by their folded ones."""
        return self._spellings

    @cached_property
    def listed(self) -> str:
        """Return the terms with their names, sorted."""
        listed = sorted((value, "/".join(sorted(names))) for value, names in self._names.items())
        return ", ".join(f"{value} ({names})" if names else value for value, names in listed)


class AllergenTerms(Terms):
    """Allergens, which also stand for longer and shorter names: "Eggs" for "Egg and milk", "Tree nuts" for "Nuts"."""

    def __init__(self) -> None:
        super().__init__()
        self._words: dict[str, list[str]] = {}

    def add(self, value: str, name: str | None = None) -> None:
        """Add an allergen, with its words."""
        super().add(value, name)
        self._words[value] = _words(fold(value))

    def _find(self, folded: str) -> set[str]:
        """Return the allergens whose names overlap with a text; none if no allergen has the same words."""
        words = _words(folded)
        if not words or words not in self._words.values():
            return set()
        return {value for value, listed in self._words.items() if _overlap(words, listed)}


def _words(folded: str) -> list[str]:
    return _WORD.findall(folded)


def _overlap(first: Sequence[str], second: Sequence[str]) -> bool:
    """Return whether two names, shifted along each other, agree wherever both have a word.

    Words agree if one of them begins with the other.
    """
    shifted = [zip(first[start:], second, strict=False) for start in range(len(first))]
    shifted += [zip(first, second[start:], strict=False) for start in range(len(second))]
    return any(all(one.startswith(other) or other.startswith(one) for one, other in pairs) for pairs in shifted)


class Diet(NamedTuple):
    """Codes of labels of which a recipe must have one, and allergens that it must not have; None for no filter."""

    label: Set[str] | None = None
    without: Set[str] | None = None

    def matches(self, labels: Iterable[Label] | None, allergens: Collection[str] | None) -> bool:
        """Return whether a recipe with these labels and allergens matches; None is unknown, which matches no filter."""
        if self.label is not None and self.label.isdisjoint(codes(labels or ())):
            return False
        return self.without is None or (bool(allergens) and self.without.isdisjoint(allergens or ()))


NO_DIET = Diet()


class DietTerms(NamedTuple):
    """The labels and the allergens of all recipes of a revision."""

    label: Terms
    without: AllergenTerms


def diet_terms(recipes: Iterable[Mapping[str, Any]]) -> DietTerms:
    """Return the terms of stored facts; a label that another one implies is one of them."""
    terms = DietTerms(Terms(), AllergenTerms())
    for facts in recipes:
        for label in facts.get("labels") or ():
            for each in (label, *label.get("implies", ())):
                terms.label.add(each["code"], each["name"])
        for allergen in facts.get("allergens") or ():
            terms.without.add(allergen)
    return terms


def codes(labels: Iterable[Label]) -> Iterator[str]:
    """Yield the codes of labels and of those that they imply."""
    for label in labels:
        yield label.code
        yield from (each.code for each in label.implies)
