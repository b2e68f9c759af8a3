"""Labels that the allergens of a recipe contradict: vegan with milk, vegetarian with fish."""

from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import chain

from campus_api.domain.allergens.spellings import Words, normalize_name, spellings
from campus_api.domain.models import ImpliedLabel, Label


def contradicted_codes(labels: Iterable[Label], contains: Collection[str]) -> set[str]:
    """Return the codes of labels, and of those that they imply, that the words of a recipe contradict."""
    each_alone: Iterable[Label | ImpliedLabel] = chain.from_iterable((label, *label.implies) for label in labels)
    return {label.code for label in each_alone if not _excluded(label.code, label.name).isdisjoint(contains)}


def contradictions() -> dict[str, list[str]]:
    """Return the words that contradict a label, by its code or name as `normalize_name` returns it."""
    return {name: sorted(words) for name, words in spellings().labels.items()}


@lru_cache(maxsize=1024)
def _excluded(*names: str | None) -> Words:
    known = (spellings().labels.get(normalize_name(name), frozenset()) for name in names if name)
    return frozenset().union(*known)
