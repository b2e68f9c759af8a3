"""Search index: names and addresses in memory, ranked by how well they match a query."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import chain, islice
from math import log
from typing import NamedTuple

from campus_api.domain.search.similar_words import STEM, SimilarWords
from campus_api.domain.search.words import initials, query_spellings, significant, spellings

# In the order of equal matches.
TYPES = ("location", "building", "dish")
MAX_RESULTS = 20

# What people call the entries of a type, which tells the hall from the building of a name.
_KINDS = {
    "location": "dining hall cafeteria canteen restaurant food eat menu hours open",
    "building": "building map address",
    "dish": "recipe",
}
# The least similarity of a word, and of an entry relative to the best match.
_MIN_SIMILARITY, _MIN_RELATIVE_SIMILARITY = 0.65, 0.82
# The weights of the words of a name, of an address, and for the type and the tags.
_NAME, _ADDRESS, _KIND = 1.0, 0.9, 0.7
# The similarity of a name that is written with other spaces, or by its initials.
_JOINED = 0.95
_MIN_JOINED_LENGTH = 4
# The weight of a word that nothing resembles; that of another one is 1 or more, the rarer, the more.
_UNKNOWN = 1.0


class NextServing(NamedTuple):
    """When and at which locations a dish is served: YYYY-MM-DD, and `until` YYYY-MM-DDTHH:MM if that is now."""

    date: str
    meal: int
    locations: list[int]
    until: str = ""


class Entry(NamedTuple):
    """A building, a location or a dish, with other names and, of a dish, when it is served next.

    `tags` are words for it that are no names: the meals of a location, the category and the labels of a dish.
    """

    type: str
    id: int
    name: str | None
    aliases: tuple[str, ...] = ()
    address: str = ""
    serving: NextServing | None = None
    tags: str = ""
    is_open: bool = False

    @property
    def currency(self) -> int:
        """Return 2 if it is open or served now, 1 if it is there or served soon, otherwise 0."""
        if self.is_open or self.serving and self.serving.until:
            return 2
        return int(self.type != "dish" or self.serving is not None)


class _Text(NamedTuple):
    """A name, an address or tags of the entry with a number, as words, and without the spaces between them."""

    number: int
    words: str
    joined: str
    weight: float


class _Match(IntEnum):
    """How an entry has the words of a query: each one precedes those above it."""

    SIMILAR = 0
    INSIDE_OF_A_WORD = 1
    # In another order or number, abbreviated, or by a synonym.
    SAME_WORDS = 2
    FROM_A_WORD_ON = 3


class _Rank(NamedTuple):
    """How well an entry matches: the first field that differs decides, the greater one is better.

    `has_most` is whether it matches about as well as the best one, and not only by words that that lacks; `coverage` is
    the share of the text that the query has.
    """

    match: _Match
    has_most: bool
    currency: int
    weight: float
    similarity: float
    coverage: float


class _Score(NamedTuple):
    """The rank of an entry, and the number of the word of the query that it has and the best one lacks, 0 if none."""

    rank: _Rank
    other: int = 0


class SearchIndex:
    """An index of entries, in about a kilobyte for each."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = sorted(entries, key=_order)
        self._currencies = [entry.currency for entry in self._entries]
        self._texts = [text for number, entry in enumerate(self._entries) for text in _texts(number, entry)]
        self._by_word: dict[float, dict[str, list[int]]] = {
            weight: defaultdict(list) for weight in (_NAME, _ADDRESS, _KIND)
        }
        for text in self._texts:
            for word in set(text.words.split()):
                self._by_word[text.weight][word].append(text.number)
        for number, entry in enumerate(self._entries):
            for word in _KINDS.get(entry.type, "").split():
                self._by_word[_KIND][word].append(number)
        self._by_initials: dict[str, list[int]] = defaultdict(list)
        for text in self._texts:
            if text.weight == _NAME and (letters := initials(text.words)):
                self._by_initials[letters].append(text.number)
        self._similar_words = SimilarWords(word for by_word in self._by_word.values() for word in by_word)

    def search(self, query: str, types: Collection[str] = TYPES, count: int | None = MAX_RESULTS) -> list[Entry]:
        """Return up to `count` entries of these types that match a query of up to 256 characters, the best first.

        They are ranked as `_Rank` says; what resembles the query by the words of it that it has, the rarer ones first.
        Next to the first result is the best one of each word that it does not have: "coffee near library" means two.
        """
        queries = [words for words in query_spellings(query) if words]
        texts = dict.fromkeys(text for words in queries for text in (words, " ".join(significant(words.split()))))
        scores = self._best(types, (pair for text in texts for pair in self._containing(text)))
        if sum(score.rank.match == _Match.FROM_A_WORD_ON for score in scores.values()) < MAX_RESULTS:
            similar = (pair for words in queries for pair in self._similar(words, types))
            scores = self._best(types, chain(scores.items(), similar))
        ranked = sorted(sorted(scores), key=lambda number: scores[number].rank, reverse=True)
        best = {scores[number].other: number for number in reversed(ranked)}
        numbers = dict.fromkeys([*(best[other] for other in sorted(best)), *ranked])
        return [self._entries[number] for number in islice(numbers, count)]

    def _best(self, types: Collection[str], scores: Iterable[tuple[int, _Score]]) -> dict[int, _Score]:
        """Return the highest score of each entry of these types."""
        best: dict[int, _Score] = {}
        for number, score in scores:
            if self._entries[number].type in types and (number not in best or score > best[number]):
                best[number] = score
        return best

    def _containing(self, query: str) -> Iterator[tuple[int, _Score]]:
        """Yield the entries of which a text contains the query, and those of the type that it names."""
        for number, words, _, weight in [text for text in self._texts if query in text[1]]:
            if (place := _place(query, words)) or weight != _KIND:
                match = _Match.FROM_A_WORD_ON if place else _Match.INSIDE_OF_A_WORD
                coverage = len(query) / len(words)
                yield number, _Score(_Rank(match, True, self._currencies[number], weight, place, coverage))
        for number in self._by_word[_KIND].get(query, ()):
            yield number, _Score(_Rank(_Match.FROM_A_WORD_ON, True, self._currencies[number], _KIND, 1, 0))

    def _similar(self, query: str, types: Collection[str]) -> Iterator[tuple[int, _Score]]:
        words = significant(query.split())
        by_word = [self._similar_to_word(word, types, is_last=word == words[-1]) for word in words]
        weights = [1 + log(len(self._entries) / len(similar)) if similar else _UNKNOWN for similar in by_word]
        total_weight = sum(weights)
        totals: dict[int, float] = defaultdict(float)
        for weight, similar in zip(weights, by_word, strict=True):
            for number, similarity in similar.items():
                totals[number] += similarity * weight / total_weight
        for number in self._joined("".join(query.split())):
            if self._entries[number].type in types:
                totals[number] = max(_JOINED, totals[number])
        for number, has_most, other in self._relevant(totals, by_word):
            entry = self._entries[number]
            names = "".join((entry.name or entry.address, *entry.aliases))
            coverage = len(query) / len(names) if names else 0
            has_all = min(similar.get(number, 0) for similar in by_word) >= STEM
            match = _Match.SAME_WORDS if has_all else _Match.SIMILAR
            rank = _Rank(match, has_most, self._currencies[number], _NAME, totals[number], coverage)
            yield number, _Score(rank, other)

    def _relevant(
        self, totals: Mapping[int, float], by_word: Sequence[Mapping[int, float]]
    ) -> Iterator[tuple[int, bool, int]]:
        """Yield the entries that are about as similar as the best one, and those of the words that it does not have.

        With each, whether it is of the former, and the `other` of its score.
        """
        best = max(totals, key=totals.__getitem__, default=-1)
        others = [each for each in by_word if best not in each and max(each.values(), default=0) >= _MIN_SIMILARITY]
        for similar in (totals, *others):
            minimum = _MIN_RELATIVE_SIMILARITY * max(similar.values(), default=0)
            for number in (number for number, each in similar.items() if each >= minimum):
                yield number, similar is totals, next((n for n, each in enumerate(others, 1) if number in each), 0)

    def _similar_to_word(self, word: str, types: Collection[str], *, is_last: bool) -> dict[int, float]:
        """Return the similarity of the most similar word of each entry of these types that has any."""
        similar = self._similar_words.find(word, is_last=is_last)
        weighted = [
            (similarity * weight, by_word[each])
            for each, similarity in similar.items()
            for weight, by_word in self._by_word.items()
            if similarity >= _MIN_SIMILARITY and each in by_word
        ]
        best = dict.fromkeys(self._by_initials.get(word, ()), _JOINED)
        for similarity, numbers in sorted(weighted):
            best |= dict.fromkeys(numbers, similarity)
        return {number: similarity for number, similarity in best.items() if self._entries[number].type in types}

    def _joined(self, query: str) -> Iterator[int]:
        """Yield the entries of which a name has the letters of the query from the beginning of a word on."""
        if len(query) < _MIN_JOINED_LENGTH:
            return
        for number, words, joined, weight in self._texts:
            # Most have the letters nowhere.
            if weight == _NAME and query in joined and _begins_at_a_word(query, words.split()):
                yield number


def _order(entry: Entry) -> tuple[int, bool, str, int]:
    """Return what decides between equal matches: those without a name come last."""
    return TYPES.index(entry.type), entry.name is None, entry.name or "", entry.id


def _texts(number: int, entry: Entry) -> Iterator[_Text]:
    names = ((name, _NAME) for name in (entry.name, *entry.aliases) if name)
    for text, weight in (*names, (entry.address, _ADDRESS), (entry.tags, _KIND)):
        for words in spellings(text):
            if words:
                yield _Text(number, words, words.replace(" ", ""), weight)


def _place(query: str, words: str) -> float:
    """Return 3 if the query is the whole text, 2 if it is its beginning, 1 if that of a word, 0 inside of one."""
    if words.startswith(query):
        return 3 if words == query else 2
    return 1 if f" {query}" in words else 0


def _begins_at_a_word(joined: str, words: Sequence[str]) -> bool:
    return any("".join(words[start:]).startswith(joined) for start in range(len(words)))
