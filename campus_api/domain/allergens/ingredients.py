"""The allergens that ingredients and the names of dishes name."""

import re
from collections.abc import Sequence
from functools import lru_cache, reduce
from typing import NamedTuple

from campus_api.domain.allergens.phrases import OTHER, denied_run, hedged, mark, phrases, without_denied
from campus_api.domain.allergens.spellings import (
    Meaning,
    Words,
    joined,
    normalize_letters,
    spellings,
    tokens,
    without_implied,
)
from campus_api.domain.text import plain_text

# The soft hyphen, and other characters within words that nobody sees.
_INVISIBLE = re.compile("[\N{SOFT HYPHEN}\u200b-\u200f\u2060-\u2064\ufeff]")


class Named(NamedTuple):
    """The words that a text names, those of what it names that typically has them, and those that it hedges.

    `dietary` are those that are no allergens, such as meat.
    """

    words: Words = frozenset()
    typical: Words = frozenset()
    hedged: Words = frozenset()
    dietary: Words = frozenset()

    @staticmethod
    def of(meanings: Sequence[Meaning]) -> "Named":
        """Return what the phrases of a text name, after what it denies and hedges."""
        foods = reduce(joined, (each for each in meanings if each.role == "food"), Meaning())
        typical = frozenset().union(*(each.typical for each in meanings if each.role != "hedged"))
        maybe = frozenset().union(*(each.typical for each in meanings if each.role == "hedged"))
        return Named(foods.words, typical - foods.words, maybe - foods.words, foods.dietary)

    def union(self, other: "Named") -> "Named":
        """Return what two texts name."""
        return Named(*(words | others for words, others in zip(self, other, strict=True)))


@lru_cache(maxsize=4096)
def named(text: str) -> Named:
    """Return the words of the longest spelling at each position of a text, but for those that it denies."""
    return Named.of(hedged(without_denied(_meanings(_INVISIBLE.sub("", plain_text(text))))))


def denied(text: str) -> Words:
    """Return the words that a text such as "gluten free" denies."""
    meanings = _meanings(text)
    runs = (denied_run(meanings, position) for position in range(len(meanings)))
    return without_implied(frozenset().union(*(meanings[each].words for run in runs for each in run)))


def _meanings(text: str) -> list[Meaning]:
    return [meaning for _, meaning in phrases(tokens(normalize_letters(text)), spellings().ingredients, compound)]


@lru_cache(maxsize=16384)
def compound(token: str) -> Meaning:
    """Return what the parts of a word stand for: those of "Haselnussmilchschokolade" are nuts and milk.

    A part is a stem, what is left of the word without it, or a food before a second part: "Karpfenfilet".
    """
    if not token.isalnum():
        return mark(token)
    stems = [spellings().stems[each] for each in spellings().stem.findall(token)]
    second = spellings().second_part.search(token)
    first = token[: second.start()] if second else ""
    # One or two letters may join the parts: "Schnecke-n-suppe".
    foods = [each for name in (first, first[:-1], first[:-2]) if (each := _food(name))][:1]
    others = (each for each in spellings().stem.split(token) if not spellings().second_part.search(each))
    foods += filter(None, map(_food, others)) if stems else ()
    return reduce(joined, [*stems, *foods]) if stems or foods else OTHER


def _food(word: str) -> Meaning | None:
    """Return what a word of the table stands for, None if it is in no row, or says something about others."""
    meanings = (meaning for phrase, meaning in spellings().ingredients.get(word, ()) if phrase == [word])
    return next((each for each in meanings if each.role == "food"), None)
