"""The words of all names, and those that resemble a word of a query."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from jellyfish import metaphone
from rapidfuzz import process
from rapidfuzz.distance import OSA

from campus_api.domain.search.words import singular, stem

# How similar a word is at least, in another number, by a synonym, that begins with the other one, that does so with
# typos, or that sounds so.
MIN_SIMILARITY = 0.65
SINGULAR = 0.98
STEM = 0.97
_BEGINNING = 0.95
_UNFINISHED = 0.9
_SOUND = 0.7
# By the length of a word, not a number: how many letters may be wrong, missing, superfluous or swapped with the next.
_TYPOS = (0, 0, 0, 0, 1, 1, 2, 2, 2, 3)


class SimilarWords:
    """Distinct words, and how similar each is to a word of a query: 1 for the same one, otherwise less."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = sorted(set(words))
        self._by_length = {length: [*each] for length, each in groupby(sorted(self._words, key=len), len)}
        self._by_stem: dict[str, list[str]] = defaultdict(list)
        for word in self._words:
            self._by_stem[stem(word)].append(word)
        self._by_sound: dict[str, list[str]] = defaultdict(list)
        for word in filter(re.compile("[a-z]{4,}").fullmatch, self._words):
            self._by_sound[metaphone(word)].append(word)
        # By length, because a query may have a typo before its last word is finished.
        lengths = range(max(self._by_length, default=0))
        self._beginnings = [sorted({each[:length] for each in self._words if len(each) > length}) for length in lengths]

    def find(self, word: str, *, is_last: bool) -> dict[str, float]:
        """Return the similar words; the last word of a query may be unfinished."""
        stems = self._by_stem.get(stem(word), ())
        # A word that there is, is no other one: "dinner" is not "ginger".
        typos = 0 if stems or not word.isalpha() else _TYPOS[min(len(word), len(_TYPOS) - 1)]
        # From the least to the most similar.
        similar = dict.fromkeys(self._by_sound.get(metaphone(word), ()) if typos else (), _SOUND)
        similar |= self._unfinished(word, typos) if is_last else ()
        for length in range(len(word) - typos, len(word) + typos + 1):
            similar |= _with_typos(word, self._by_length.get(length, ()), typos)
        similar |= dict.fromkeys(self._beginning_with(word) if is_last or len(word) > 1 else (), _BEGINNING)
        similar |= ((each, SINGULAR if singular(each) == singular(word) else STEM) for each in stems)
        return similar | ({word: 1.0} if word in similar else {})

    def _unfinished(self, word: str, typos: int) -> Iterator[tuple[str, float]]:
        """Yield the words that begin with this one, with typos."""
        for beginnings in self._beginnings[len(word) : len(word) + 2]:
            for beginning, similarity in _with_typos(word, beginnings, typos):
                if _UNFINISHED * similarity >= MIN_SIMILARITY:
                    yield from ((each, _UNFINISHED * similarity) for each in self._beginning_with(beginning))

    def _beginning_with(self, text: str) -> Sequence[str]:
        first, last = bisect_left(self._words, text), bisect_right(self._words, text + "\U0010ffff")
        return self._words[first:last]


def _with_typos(word: str, choices: Sequence[str], typos: int) -> Iterator[tuple[str, float]]:
    """Yield the choices that a word with up to this number of typos may stand for."""
    if typos:
        for choice, distance, _ in process.extract(word, choices, scorer=OSA.distance, score_cutoff=typos, limit=None):
            yield choice, 1 - distance / max(len(word), len(choice))
