"""The words for allergens and their spellings, from `spellings.toml`."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from campus_api.domain.text import fold

Words = frozenset[str]

# What Unicode does not decompose, and the apostrophe of typographers.
_SAME_LETTERS = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "’": "'"})
# How German umlauts are written without them.
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
# Within words, as in "d'œuf" and "skim-milk".
_JOINERS = re.compile(r"(?<=\w)[-'\N{HYPHEN}](?=\w)")
# A word, or what ends a phrase: a punctuation mark or a line break.
_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|[_\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True)
class Spellings:
    """The vocabulary: the fifteen `words` of the laws, and `others`; `implied` has a word that another one implies.

    `names` are the words that providers list, by name as `normalize_name` returns it. `phrases` are those that
    ingredients name, by their first token, the longest first, and `stems` those within one token. `labels` are those
    that words contradict, by code or name.
    """

    words: tuple[str, ...]
    others: tuple[str, ...]
    implied: Mapping[str, str]
    names: Mapping[str, Words]
    phrases: Mapping[str, list[tuple[list[str], Words]]]
    stems: Mapping[str, Words]
    stem: re.Pattern[str]
    labels: Mapping[str, Words]


@cache
def spellings() -> Spellings:
    """Return the spellings, which are read once."""
    table = tomllib.loads(files(__package__).joinpath("spellings.toml").read_text(encoding="utf-8"))
    rows = table["spellings"]
    stems = dict(_forms(rows, "stems"))
    longest_first = sorted(stems, key=len, reverse=True)
    return Spellings(
        words=tuple(table["words"]),
        others=tuple(table["others"]),
        implied=table["implies"],
        names=dict(_forms(rows, "names", "listed")),
        phrases=_by_first_token(_forms(rows, "names", "ingredients")),
        stems=stems,
        stem=re.compile("|".join(map(re.escape, longest_first))),
        labels=dict(_forms(table["labels"], "names")),
    )


def all_words() -> list[str]:
    """Return all words of the vocabulary, sorted."""
    return sorted((*spellings().words, *spellings().others))


def find(name: str) -> Words:
    """Return the words that a name is a spelling of, none if it is in no row of the table."""
    return spellings().names.get(normalize_name(name), frozenset())


def with_implied(words: Iterable[str]) -> Words:
    """Return words and those that they imply: what has wheat has gluten."""
    implied = spellings().implied
    return frozenset({*words, *(implied[word] for word in words if word in implied)})


def normalize_name(text: str) -> str:
    """Return a name without differences of letter case, accents, width and the length of spaces."""
    return " ".join(normalize_letters(text).split())


def normalize_letters(text: str) -> str:
    """Return a text without differences of letter case, accents and width."""
    return fold(text).translate(_SAME_LETTERS)


def tokens(text: str) -> list[str]:
    """Return the words and punctuation marks of a normalized text; those within a word are left out."""
    return _TOKEN.findall(_JOINERS.sub(" ", text))


def _forms(rows: Iterable[Mapping[str, Any]], *kinds: str) -> Iterator[tuple[str, Words]]:
    """Yield each spelling of the rows, normalized, with its words."""
    for row in rows:
        words = frozenset(row["words"])
        for kind in kinds:
            for spelling in row.get(kind, ()):
                yield normalize_name(spelling), words
                yield normalize_name(spelling.casefold().translate(_UMLAUTS)), words


def _by_first_token(forms: Iterable[tuple[str, Words]]) -> dict[str, list[tuple[list[str], Words]]]:
    phrases: dict[str, list[tuple[list[str], Words]]] = {}
    for name, words in dict(forms).items():
        first, *rest = tokens(name)
        phrases.setdefault(first, []).append(([first, *rest], words))
    for candidates in phrases.values():
        candidates.sort(key=lambda candidate: len(candidate[0]), reverse=True)
    return phrases
