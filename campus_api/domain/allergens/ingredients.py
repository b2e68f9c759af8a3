"""The allergens that a text of ingredients names."""

import re
from collections.abc import Iterator
from functools import lru_cache

from campus_api.domain.allergens.spellings import Words, normalize_letters, spellings, tokens, with_implied
from campus_api.domain.text import plain_text

# The soft hyphen, and other characters within words that nobody sees.
_INVISIBLE = re.compile("[\N{SOFT HYPHEN}\u200b-\u200f\u2060-\u2064\ufeff]")

_DENIAL = re.compile(r"(?:free|frei)\b|\b(?:no|non|ohne|sans|senza|sin|without)\b")


def named(text: str) -> Words:
    """Return the words that ingredients name, by the longest spelling at each of their words."""
    visible = _INVISIBLE.sub("", plain_text(text))
    return with_implied(_matched(normalize_letters(visible)))


def spelled(text: str) -> Words:
    """Return what a text names if it consists of spellings and punctuation marks, else nothing."""
    parts = list(_parts([token for token in tokens(normalize_letters(text)) if token.isalnum()]))
    spellings_only = [part for part in parts if isinstance(part, frozenset)]
    return frozenset().union(*spellings_only) if len(spellings_only) == len(parts) else frozenset()


def denied(text: str) -> Words:
    """Return the words that a text such as "gluten free" is about."""
    return _matched(_DENIAL.sub(" ", normalize_letters(text)))


def _matched(normalized: str) -> Words:
    parts = _parts(tokens(normalized))
    return frozenset().union(*(_within(part) if isinstance(part, str) else part for part in parts))


def _parts(words: list[str]) -> Iterator[Words | str]:
    """Yield what the longest spelling at each position stands for, or the word if there is none."""
    position = 0
    while position < len(words):
        length, part = _longest(words, position)
        yield part
        position += length


def _longest(words: list[str], position: int) -> tuple[int, Words | str]:
    for phrase, matched in spellings().phrases.get(words[position], ()):
        if words[position : position + len(phrase)] == phrase:
            return len(phrase), matched
    return 1, words[position]


@lru_cache(maxsize=16384)
def _within(word: str) -> Words:
    table = spellings()
    return frozenset().union(*(table.stems[stem] for stem in table.stem.findall(word)))
