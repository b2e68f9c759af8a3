"""The allergens that a text of ingredients names."""

import re
from collections.abc import Iterator
from functools import lru_cache

from campus_api.domain.allergens.markup import plain_text
from campus_api.domain.allergens.spellings import Words, normalize_letters, spellings, tokens, with_implied

# The soft hyphen, and other characters within words that nobody sees.
_INVISIBLE = re.compile("[\N{SOFT HYPHEN}\u200b-\u200f\u2060-\u2064\ufeff]")

_DENIAL = re.compile(r"(?:free|frei)\b|\b(?:no|non|ohne|sans|senza|sin|without)\b")


def named(text: str) -> Words:
    """Return the words that ingredients name, by the longest spelling at each of their words."""
    visible = _INVISIBLE.sub("", plain_text(text))
    return with_implied(_matched(normalize_letters(visible)))


def denied(text: str) -> Words:
    """Return the words that a text such as "gluten free" is about."""
    return _matched(_DENIAL.sub(" ", normalize_letters(text)))


def _matched(normalized: str) -> Words:
    return frozenset().union(*_matches(tokens(normalized)))


def _matches(words: list[str]) -> Iterator[Words]:
    position = 0
    while position < len(words):
        length, matched = _longest(words, position)
        yield matched
        position += length


def _longest(words: list[str], position: int) -> tuple[int, Words]:
    """Return the length and the words of the longest spelling at a position, or what is within one word."""
    for phrase, matched in spellings().phrases.get(words[position], ()):
        if words[position : position + len(phrase)] == phrase:
            return len(phrase), matched
    return 1, _within(words[position])


@lru_cache(maxsize=16384)
def _within(word: str) -> Words:
    table = spellings()
    return frozenset().union(*(table.stems[stem] for stem in table.stem.findall(word)))
