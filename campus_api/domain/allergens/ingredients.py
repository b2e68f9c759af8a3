"""The allergens that ingredients and the names of dishes name."""

import re
from functools import lru_cache, reduce

from campus_api.domain.allergens.phrases import OTHER, denials, hedged, mark, phrases, total, without_denied
from campus_api.domain.allergens.spellings import Meaning, Words, joined, spellings, tokens, without_implied
from campus_api.domain.text import plain_text

# The soft hyphen, and other characters within words that nobody sees.
_INVISIBLE = re.compile("[\N{SOFT HYPHEN}\u200b-\u200f\u2060-\u2064\ufeff]")


@lru_cache(maxsize=4096)
def named(text: str) -> Meaning:
    """Return what the longest spelling at each position of a text stands for, but for what it denies."""
    return total(without_denied(_meanings(_INVISIBLE.sub("", plain_text(text)))))


def denied(text: str) -> Words:
    """Return the words that a text such as "gluten free" denies."""
    meanings = _meanings(text)
    foods = (meanings[each] for _, *runs in denials(meanings) for run in runs for each in run)
    return frozenset().union(*(without_implied(food.contained) for food in foods))


def _meanings(text: str) -> list[Meaning]:
    return hedged([meaning for _, meaning in phrases(tokens(text), spellings().ingredients, compound)])


@lru_cache(maxsize=16384)
def compound(token: str) -> Meaning:
    """Return what the parts of a word stand for: those of "Haselnussmilchschokolade" are nuts and milk.

    A part is a stem, what is left of the word without it, or a food before a second part: "Karpfenfilet".
    """
    if (food := _food(token)) or not token.isalnum():
        return food or mark(token)
    table = spellings()
    stems = [table.stems[each] for each in table.stem.findall(token)]
    first = next((token[: second.start()] for second in table.second_part.finditer(token)), "")
    # One or two letters may join the parts: "Schnecke-n-suppe".
    foods = [*filter(None, map(_food, (first, first[:-1], first[:-2])))][:1]
    others = (each for each in table.stem.split(token) if not table.second_part.match(each))
    foods += filter(None, map(_food, others))
    return reduce(joined, [*stems, *foods]) if stems or foods else OTHER


def _food(word: str) -> Meaning | None:
    """Return what a food of the table stands for, also one of up to three words in one: "icecream"."""
    table = spellings().ingredients
    ends = [end for end in range(len(word), 0, -1) if word[:end] in table.longest]
    splits = ((word[:end], word[end:middle], word[middle:]) for end in ends for middle in range(len(word), end - 1, -1))
    foods = (table.meanings.get(tuple(filter(None, each)), OTHER) for each in splits)
    return next((each for each in foods if each.role in ("food", "generic")), None)
