"""Search index: names and addresses in memory, ranked by how well they match a query."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, chain
from math import log
from typing import NamedTuple

from campus_api.domain.search.moment import LATER, NEVER, ON_THE_DAY, Moment, Serving, Timing
from campus_api.domain.search.similar_words import SINGULAR, STEM, SimilarWords
from campus_api.domain.search.words import KINDS, initials, query_spellings, significant, spellings, stem, synonym

# In the order of equal matches.
TYPES = ("location", "building", "dish")
MAX_RESULTS = 20

# The least similarity of a word, and of an entry relative to the best match.
_MIN_SIMILARITY, _MIN_RELATIVE_SIMILARITY = 0.65, 0.82
# The weights of the words of a name, of an address, and for the type and the tags.
_NAME, _ADDRESS, _KIND = 1.0, 0.9, 0.85
# The words of a query beyond these are not compared.
_MAX_WORDS = 16
# A query of fewer letters is one of the first letters of a text.
_MIN_INSIDE_LENGTH = 3
# How an entry has the words of a query, the best last: only some that the best one lacks, about as many, in a word,
# from a word on, by synonyms or abbreviations, the words in any order and number; the last two also as a place's name.
_OTHERS, _SIMILAR, _INSIDE_OF_A_WORD, _FROM_A_WORD_ON, _SYNONYMS, _NAME_BY_SYNONYMS, _SAME_WORDS, _SAME_NAME = range(8)
# The similarity of a name that is written with other spaces, or by its initials, and the least length of both.
_JOINED, _MIN_JOINED_LENGTH, _MIN_INITIALS = 0.95, 4, 3


class Entry(NamedTuple):
    """A building, location or dish; `tags` are no names: the meals of a location, category and labels of a dish."""

    type: str
    id: int
    name: str | None
    aliases: tuple[str, ...] = ()
    address: str = ""
    servings: Collection[Serving] = ()
    tags: str = ""


class _Lines:
    """Texts in one string, because most have a part of a query nowhere."""

    def __init__(self, texts: Iterable[str]) -> None:
        lines = [f"\n{text}" for text in texts]
        self._text = "".join(lines)
        self._starts = [0, *accumulate(map(len, lines))]

    def containing(self, part: str) -> Iterator[int]:
        """Yield the numbers of the texts that contain a part: "\\nab" those that begin with it."""
        position = self._text.find(part)
        while position >= 0:
            number = bisect_right(self._starts, position) - 1
            yield number
            position = self._text.find(part, self._starts[number + 1])


class _Rank(NamedTuple):
    """How well an entry matches: the first field that differs decides, the greater one is better.

    After `match`, timings decide. `coverage` is the share of the text, `other` numbers the word that it has and the
    best one lacks, else 0. Of a text that contains the query, the similarity is 1, at its beginning 2, of all of it 3.
    """

    match: int
    weight: float
    similarity: float
    coverage: float
    other: int = 0


class SearchIndex:
    """An index of entries, 1.5 kB for each; `meals` are the stems of food and of meals, `names` all texts, as words."""

    def __init__(self, entries: Iterable[Entry], meals: Collection[str] = ()) -> None:
        self._meals = meals
        # What decides between equal matches: those without a name come last.
        self._entries = sorted(entries, key=lambda entry: (entry.name is None, entry.name or "", entry.id))
        self._lengths = [len("".join((entry.name or entry.address, *entry.aliases))) + 1 for entry in self._entries]
        # Many dishes have the same tags.
        words_of = cache(spellings)
        self._texts = [(n, *text) for n, entry in enumerate(self._entries) for text in _texts(entry, words_of)]
        self.names = {words for _, words, _ in self._texts}
        self._lines = _Lines(words for _, words, _ in self._texts)
        joined = (words.replace(" ", "") if weight == _NAME else "" for _, words, weight in self._texts)
        self._joined_lines = _Lines(joined)
        self._by_initials: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[str, dict[float, list[int]]] = defaultdict(lambda: defaultdict(list))
        for number, words, weight in self._texts:
            for word in set(words.split()):
                self._by_word[word][weight].append(number)
            if weight == _NAME and len(letters := initials(words)) >= _MIN_INITIALS:
                self._by_initials[letters].append(number)
        for number, entry in enumerate(self._entries):
            for word in KINDS[entry.type].split():
                self._by_word[word][_KIND].append(number)
        self._similar_words = SimilarWords(self._by_word)

    def timings(self, moment: Moment) -> list[Timing]:
        """Return the timings of all entries, those of their soonest servings; a place is there also without one."""
        timing, there = cache(moment.timing), LATER if moment.is_named else ON_THE_DAY
        timings = [min(map(timing, each.servings), default=(NEVER, "")) for each in self._entries]
        pairs = zip(self._entries, timings, strict=True)
        return [each if entry.type == "dish" else (min(each[0], there), each[1] or "~") for entry, each in pairs]

    def search(self, query: str, timings: Sequence[Timing], types: Collection[str] = TYPES) -> list[Entry]:
        """Return the entries of these types that match a query of up to 256 characters, the best first.

        They are ranked as `_Rank` says, equal ones by type and time; `timings` are those of all entries. Next to the
        first result is the best one of each word that it does not have: "coffee near library" means two.
        """
        literal = dict.fromkeys(spellings(query), _SAME_WORDS)
        queries = {words: literal.get(words, _SYNONYMS) for words in query_spellings(query) if words}
        ranks: dict[int, _Rank] = {}
        texts = {text: match for words, match in (queries | literal).items() for text in self._parts(words)}
        self._raise(ranks, types, (pair for each in texts.items() for pair in self._containing(*each)))
        if sum(rank.match >= _FROM_A_WORD_ON for rank in ranks.values()) < MAX_RESULTS:
            self._raise(ranks, types, (pair for each in queries.items() for pair in self._similar(*each, types)))
            others = {" ".join(map(synonym, text.split())) for text in texts}.difference(texts)
            self._raise(ranks, types, (pair for text in others for pair in self._containing(text, _SYNONYMS)))
        by_time = sorted(ranks, key=lambda each: (TYPES.index(self._entries[each].type), timings[each][1], each))
        ranked = sorted(by_time, key=lambda each: (ranks[each].match, -timings[each][0], ranks[each]), reverse=True)
        best = {ranks[number].other: number for number in reversed(ranked)}
        return [self._entries[each] for each in dict.fromkeys([*(best[other] for other in sorted(best)), *ranked])]

    def _parts(self, query: str) -> set[str]:
        """Return a query, also without words that say nothing, and without those of meals."""
        words = significant(query)
        return {query, " ".join(words), " ".join(word for word in words if stem(word) not in self._meals)} - {""}

    def _raise(self, ranks: dict[int, _Rank], types: Collection[str], others: Iterable[tuple[int, _Rank]]) -> None:
        """Take over the highest rank of each entry of these types."""
        for number, rank in others:
            if self._entries[number].type in types and (number not in ranks or rank > ranks[number]):
                ranks[number] = rank

    def _containing(self, query: str, words_match: int) -> Iterator[tuple[int, _Rank]]:
        """Yield the entries of which a text contains the query, and those of the type that it names."""
        part = query if len(query) >= _MIN_INSIDE_LENGTH else f"\n{query}"
        start, word, plural = f" {query}", f" {query} ", f" {query}s "
        for number, text, weight in map(self._texts.__getitem__, self._lines.containing(part)):
            words, match, place = f" {text} ", _INSIDE_OF_A_WORD, 0
            if start in words:
                place = 1 + words.startswith(start) + (text == query)
                match = words_match if word in words or plural in words else _FROM_A_WORD_ON
            if text == query and weight == _NAME and self._entries[number].type != "dish":
                match = _SAME_NAME if words_match == _SAME_WORDS else _NAME_BY_SYNONYMS
            if place or weight != _KIND:
                similarity, coverage = (1, 0.0) if weight == _KIND else (place, len(query) / len(text))
                yield number, _Rank(match, weight, similarity, coverage)
        for number in self._by_word.get(query, {}).get(_KIND, ()):
            yield number, _Rank(words_match, _KIND, 1, 0)

    def _similar(self, query: str, best_match: int, types: Collection[str]) -> Iterator[tuple[int, _Rank]]:
        words = significant(query)[:_MAX_WORDS]
        by_word = [self._similar_to_word(word, words) for word in words]
        # The rarer, the more; that of a word that nothing resembles is the least one.
        weights = [1 + log(len(self._entries) / len(similar)) if similar else 1 for similar in by_word]
        total_weight = sum(weights)
        totals: dict[int, float] = defaultdict(float)
        for weight, similar in zip(weights, by_word, strict=True):
            for number, similarity in similar.items():
                totals[number] += similarity * weight / total_weight
        for number in self._joined("".join(query.split())):
            totals[number] = max(_JOINED, totals[number])
        if types is not TYPES:
            totals = {number: total for number, total in totals.items() if self._entries[number].type in types}
        best = max(totals, key=totals.__getitem__, default=-1)
        others = [each for each in by_word if best not in each and max(each.values(), default=0) >= _MIN_SIMILARITY]
        lacking = {number: n for n, each in reversed([*enumerate(others, 1)]) for number in each}
        relevant = dict.fromkeys(chain(*map(_relevant, others)), _OTHERS) | dict.fromkeys(_relevant(totals), _SIMILAR)
        for number, match in relevant.items():
            least = min([each.get(number, 0) for each in by_word]) if totals.get(number, 0) > _JOINED else 0
            words_match = match if least < STEM else _SYNONYMS if least < SINGULAR else best_match
            coverage = len(query) / self._lengths[number]
            yield number, _Rank(words_match, _NAME, totals.get(number, 0), coverage, lacking.get(number, 0))

    def _similar_to_word(self, word: str, words: Sequence[str]) -> dict[int, float]:
        """Return the similarity of each entry to one of the words of a query; a number may be a room."""
        similar = self._similar_words.find(word, is_last=word == words[-1])
        if not similar and len(words) > 1 and any(map(str.isdigit, word)):
            similar = {"room": STEM / _KIND}
        weighted = [
            (similarity * weight, numbers)
            for each, similarity in similar.items()
            if similarity >= _MIN_SIMILARITY
            for weight, numbers in self._by_word[each].items()
        ]
        best = dict.fromkeys(self._by_initials.get(word, ()), _JOINED)
        for similarity, numbers in sorted(weighted):
            best |= dict.fromkeys(numbers, similarity)
        return best

    def _joined(self, query: str) -> list[int]:
        """Return the entries of which a name has the letters of the query from the beginning of a word on."""
        lines = self._joined_lines.containing(query) if len(query) >= _MIN_JOINED_LENGTH else ()
        texts = ((number, words.split()) for number, words, _ in map(self._texts.__getitem__, lines))
        ends = ((number, "".join(words[start:])) for number, words in texts for start in range(len(words)))
        return [number for number, letters in ends if letters.startswith(query)]


def _relevant(similar: Mapping[int, float]) -> list[int]:
    """Return the entries that are about as similar as the best one."""
    minimum = _MIN_RELATIVE_SIMILARITY * max(similar.values(), default=0)
    return [number for number, each in similar.items() if each >= minimum]


def _texts(entry: Entry, words_of: Callable[[str], Iterable[str]]) -> list[tuple[str, float]]:
    """Return the words of each text of an entry with their weight."""
    names = [(name, _NAME) for name in (entry.name, *entry.aliases)]
    texts = [*names, (entry.address, _ADDRESS), (entry.tags, _KIND)]
    return [(words, weight) for text, weight in texts if text for words in words_of(text) if words]
