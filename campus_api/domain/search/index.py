"""Search index: names and addresses in memory, ranked by how well they match a query."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from heapq import nlargest
from typing import NamedTuple

from campus_api.domain.search.similar_words import SimilarWords
from campus_api.domain.search.words import spellings

# In the order of equal matches.
TYPES = ("location", "building", "dish")
MAX_RESULTS = 20

# What people call the entries of a type, which tells the hall from the building of a name.
_KINDS = {
    "location": "dining hall cafeteria canteen restaurant food menu hours breakfast lunch dinner",
    "building": "building map address",
}
# The share of a query that must match, and the same relative to the best match.
_MIN_SIMILARITY, _MIN_RELATIVE_SIMILARITY = 0.42, 0.8
# The weights of the words of a name, of an address, and for the type.
_NAME, _ADDRESS, _KIND = 1.0, 0.9, 0.7
# The similarity of a name that is written with other spaces.
_JOINED = 0.95
_MIN_JOINED_LENGTH = 4


class Serving(NamedTuple):
    """A date (YYYY-MM-DD) and a meal at which a dish is served, and the ids of the locations."""

    date: str
    meal: int
    locations: list[int]


class Entry(NamedTuple):
    """A building, a location or a dish, with other names and, of a dish, when it is served next."""

    type: str
    id: int
    name: str | None
    aliases: tuple[str, ...] = ()
    address: str = ""
    serving: Serving | None = None

    @property
    def is_current(self) -> bool:
        """Return whether it is there now, or served soon."""
        return self.type != "dish" or self.serving is not None


class _Text(NamedTuple):
    """A name or an address of the entry with a number, as words, and without the spaces between them."""

    number: int
    words: str
    joined: str
    is_name: bool


class _Score(NamedTuple):
    """How well an entry matches: the greater, the better. `coverage` is the share of the text that the query has."""

    is_exact: bool
    is_current: bool
    is_name: bool
    similarity: float
    coverage: float


class SearchIndex:
    """An index of entries, in about a kilobyte for each."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = sorted(entries, key=lambda entry: (TYPES.index(entry.type), entry.name or "", entry.id))
        self._texts = [text for number, entry in enumerate(self._entries) for text in _texts(number, entry)]
        self._by_word: dict[float, dict[str, list[int]]] = {
            weight: defaultdict(list) for weight in (_NAME, _ADDRESS, _KIND)
        }
        for text in self._texts:
            for word in set(text.words.split()):
                self._by_word[_NAME if text.is_name else _ADDRESS][word].append(text.number)
        for number, entry in enumerate(self._entries):
            for word in _KINDS.get(entry.type, "").split():
                self._by_word[_KIND][word].append(number)
        self._similar_words = SimilarWords(word for by_word in self._by_word.values() for word in by_word)

    def search(self, query: str, types: Collection[str] = TYPES) -> list[Entry]:
        """Return the entries of these types that match a query of up to 256 characters, the best first, at most 20.

        Those that contain it precede those that resemble it, then what is current precedes dishes that are not.
        """
        queries = [words for words in spellings(query) if words]
        scores = self._best(types, (pair for words in queries for pair in self._exact(words)))
        if len(scores) < MAX_RESULTS:
            similar = self._best(types, (pair for words in queries for pair in self._similar(words)))
            highest = max((score.similarity for score in similar.values()), default=0)
            minimum = max(_MIN_SIMILARITY, _MIN_RELATIVE_SIMILARITY * highest)
            scores = {number: score for number, score in similar.items() if score.similarity >= minimum} | scores
        ranked = nlargest(MAX_RESULTS, sorted(scores), key=scores.__getitem__)
        return [self._entries[number] for number in ranked]

    def _best(self, types: Collection[str], scores: Iterable[tuple[int, _Score]]) -> dict[int, _Score]:
        """Return the highest score of each entry of these types."""
        best: dict[int, _Score] = {}
        for number, score in scores:
            if self._entries[number].type in types and (number not in best or score > best[number]):
                best[number] = score
        return best

    def _exact(self, query: str) -> Iterator[tuple[int, _Score]]:
        """Yield the entries of which a text contains the query."""
        for number, words, _, is_name in self._texts:
            if query in words:
                is_current, coverage = self._entries[number].is_current, len(query) / len(words)
                yield number, _Score(True, is_current, is_name, _place(query, words), coverage)

    def _similar(self, query: str) -> Iterator[tuple[int, _Score]]:
        words = list(dict.fromkeys(query.split()))
        length = sum(map(len, words))
        totals: dict[int, float] = defaultdict(float)
        for word in words:
            for number, similarity in self._similar_to_word(word, is_last=word == words[-1]).items():
                totals[number] += similarity * len(word) / length
        for number in self._joined("".join(query.split())):
            totals[number] = max(_JOINED, totals[number])
        for number, similarity in totals.items():
            entry = self._entries[number]
            coverage = len(query) / sum(map(len, (entry.name or entry.address, *entry.aliases)))
            yield number, _Score(False, entry.is_current, True, similarity, coverage)

    def _similar_to_word(self, word: str, *, is_last: bool) -> dict[int, float]:
        """Return the similarity of the most similar word of each entry that has any."""
        similar = self._similar_words.find(word, is_last=is_last)
        weighted = [
            (similarity * weight, by_word[each])
            for each, similarity in similar.items()
            for weight, by_word in self._by_word.items()
            if each in by_word
        ]
        best: dict[int, float] = {}
        for similarity, numbers in sorted(weighted):
            best |= dict.fromkeys(numbers, similarity)
        return best

    def _joined(self, query: str) -> Iterator[int]:
        """Yield the entries of which a name has the letters of the query from the beginning of a word on."""
        if len(query) < _MIN_JOINED_LENGTH:
            return
        for number, words, joined, is_name in self._texts:
            if is_name and query in joined and any(each.startswith(query) for each in _joined_ends(words.split())):
                yield number


def _texts(number: int, entry: Entry) -> Iterator[_Text]:
    texts = [*((name, True) for name in (entry.name, *entry.aliases) if name), (entry.address, False)]
    for text, is_name in texts:
        for words in spellings(text):
            if words:
                yield _Text(number, words, words.replace(" ", ""), is_name)


def _place(query: str, words: str) -> float:
    """Return 3 if the query is the whole text, 2 if it is its beginning, 1 if that of a word, 0 inside of one."""
    if words.startswith(query):
        return 3 if words == query else 2
    return 1 if f" {query}" in words else 0


def _joined_ends(words: Sequence[str]) -> Iterator[str]:
    return ("".join(words[start:]) for start in range(len(words)))
