"""The allergens that ingredients and the names of dishes name."""

import re
from functools import lru_cache
from typing import NamedTuple

from campus_api.domain.allergens.phrases import OTHER, denied_run, hedged, mark, phrases, without_denied
from campus_api.domain.allergens.spellings import Meaning, Words, normalize_letters, spellings, tokens, with_implied
from campus_api.domain.text import plain_text

# The soft hyphen, and other characters within words that nobody sees.
_INVISIBLE = re.compile("[\N{SOFT HYPHEN}\u200b-\u200f\u2060-\u2064\ufeff]")


class Named(NamedTuple):
    """The words that a text names, and those of what it names that typically has them."""

    words: Words
    typical: Words


@lru_cache(maxsize=4096)
def named(text: str) -> Named:
    """Return the words of the longest spelling at each position of a text, but for those that it denies."""
    meanings = hedged(without_denied(_meanings(_INVISIBLE.sub("", plain_text(text)))))
    words = with_implied(frozenset().union(*(each.words for each in meanings if each.role != "vegan")))
    return Named(words, with_implied(frozenset().union(*(each.typical for each in meanings))) - words)


def denied(text: str) -> Words:
    """Return the words that a text such as "gluten free" denies."""
    meanings = _meanings(text)
    runs = (denied_run(meanings, position) for position in range(len(meanings)))
    return frozenset().union(*(meanings[each].words for run in runs for each in run))


def _meanings(text: str) -> list[Meaning]:
    return [meaning for _, meaning in phrases(tokens(normalize_letters(text)), spellings().ingredients, _compound)]


@lru_cache(maxsize=16384)
def _compound(token: str) -> Meaning:
    """Return what the stems in a word stand for: those of "Haselnussmilchschokolade" are nuts and milk."""
    if not token.isalnum():
        return mark(token)
    stems = [spellings().stems[each] for each in spellings().stem.findall(token)]
    words = frozenset().union(*(each.words for each in stems))
    typical = frozenset().union(*(each.typical for each in stems))
    return Meaning(words, typical) if stems else OTHER
