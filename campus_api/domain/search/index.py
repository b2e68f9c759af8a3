"""Search index: names and addresses in memory, ranked by how well they match a query."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cache
from heapq import heapify, heappop
from itertools import accumulate, chain
from math import log
from operator import itemgetter
from typing import NamedTuple

from campus_api.domain.search.moment import LATER, NEVER, ON_THE_DAY, Moment, Serving, Timing
from campus_api.domain.search.similar_words import MIN_SIMILARITY, SINGULAR, STEM, SimilarWords
from campus_api.domain.search.words import KINDS, initials, significant, spellings, stem, synonym, with_phrases
from campus_api.domain.text import MAX_QUERY_LENGTH

# In the order of equal matches.
TYPES = ("location", "building", "dish")
MAX_RESULTS = 20

# The least similarity of an entry relative to the best match.
_MIN_RELATIVE_SIMILARITY = 0.82
# The weights of the words of a name, of an address, and for the type and the tags.
_NAME, _ADDRESS, _KIND = 1.0, 0.9, 0.85
# The words of a query beyond these are not compared.
_MAX_WORDS = 8
# A query of fewer letters is one of the first letters of a text.
_MIN_INSIDE_LENGTH = 3
# The similarity of a name by its initials, and the least number of these.
_INITIALS, _MIN_INITIALS = 0.95, 3


class Entry(NamedTuple):
    """A building, location or dish; `tags` are no names: the meals of a location, category and labels of a dish."""

    type: str
    id: int
    name: str | None
    aliases: tuple[str, ...] = ()
    address: str = ""
    servings: Collection[Serving] = ()
    tags: str = ""


# How an entry has the words of a query: X_NAME, just before X, as a whole name; OTHERS are words the best one lacks.
_Match = IntEnum("_Match", "SAME_NAME SAME SYNONYM_NAME SYNONYMS FROM_WORD_ON IN_WORD SIMILAR_NAME SIMILAR OTHERS")
# How well an entry matches, the smaller the better: the match; negative weight, similarity, which is 1 for a text with
# the query, 2 at its beginning, 3 for all of it, and share of the text; the number of a word that the best lacks, or 0.
_Rank = tuple[_Match, float, float, float, int]


class SearchIndex:
    """An index of entries, 1.5 kB for each; `meals` are the stems of food and of meals, `names` all texts, as words."""

    def __init__(self, entries: Iterable[Entry], meals: Collection[str] = ()) -> None:
        self._meals = meals
        # What decides between equal matches: those without a name come last.
        self._entries = sorted(entries, key=lambda entry: (entry.name is None, entry.name or "", entry.id))
        self._types = [entry.type for entry in self._entries]
        self._lengths = [len("".join((entry.name or entry.address, *entry.aliases))) + 1 for entry in self._entries]
        self._texts = [(n, *text) for n, entry in enumerate(self._entries) for text in _texts(entry)]
        self.names = {words for _, words, _ in self._texts}
        # In one string, because most texts have the letters of a query nowhere.
        lines = ["\n" + words.replace(" ", "") for _, words, _ in self._texts]
        self._letters, self._starts = "".join(lines), [*accumulate(map(len, lines), initial=0)]
        self._by_initials: dict[str, list[int]] = defaultdict(list)
        self._by_name: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[str, dict[float, list[int]]] = defaultdict(lambda: defaultdict(list))
        for number, words, weight in self._texts:
            for word in set(words.split()):
                self._by_word[word][weight].append(number)
            if weight == _NAME and self._types[number] != "dish":
                self._by_name[words].append(number)
            if weight == _NAME and len(letters := initials(words)) >= _MIN_INITIALS:
                self._by_initials[letters].append(number)
        for number, entry in enumerate(self._entries):
            for word in KINDS[entry.type].split():
                self._by_word[word][_KIND].append(number)
        self._similar_words = SimilarWords(self._by_word)

    def timings(self, moment: Moment) -> list[Timing]:
        """Return the timings of all entries, those of their soonest servings; a place is there also without one."""
        timing, there = cache(moment.timing), LATER if moment.is_named else ON_THE_DAY
        soonest = (min(map(timing, each.servings)) if each.servings else (NEVER, "") for each in self._entries)
        pairs = zip(self._types, soonest, strict=True)
        return [each if type_ == "dish" else (min(each[0], there), each[1] or "~") for type_, each in pairs]

    def search(self, query: str, timings: Sequence[Timing], types: Collection[str] = TYPES) -> Iterator[Entry]:
        """Yield the entries of these types that match a query of up to 256 characters, the best first.

        `timings` are those of all entries: after the match, how soon an entry is decides, then its rank, type and time.
        Next to the first result is the best one of each word that it does not have: "coffee near library" means two.
        """
        ranks = dict(sorted(self._candidates(query, types), reverse=True))  # The best one of an entry is the last.
        heap = [(rank[0], timings[n][0], rank, TYPES.index(self._types[n]), timings[n], n) for n, rank in ranks.items()]
        best = [min(each for each in heap if each[2][-1] == n) for n in sorted({rank[-1] for rank in ranks.values()})]
        heapify(heap)
        others = (each for each in (heappop(heap) for _ in range(len(heap))) if each not in best)
        return (self._entries[number] for *_, number in chain(best, others))

    def _candidates(self, query: str, types: Collection[str]) -> Iterator[tuple[int, _Rank]]:
        """Yield the entries that have words of a query, some of them again; similar ones only if few contain it."""
        literal = {words[:MAX_QUERY_LENGTH]: _Match.SAME for words in spellings(query)}
        queries = {words: literal.get(words, _Match.SYNONYMS) for words in with_phrases(literal) if words}
        texts = {text: match for words, match in (queries | literal).items() for text in self._parts(words)}
        texts = {" ".join(map(synonym, text.split())): _Match.SYNONYMS for text in texts} | texts
        containing = [pair for text, match in texts.items() for pair in self._containing(text, match, types)]
        yield from containing
        if len({number for number, rank in containing if rank[0] <= _Match.FROM_WORD_ON}) < MAX_RESULTS:
            for words, match in queries.items():
                yield from self._similar(words, match, types)

    def _parts(self, query: str) -> set[str]:
        """Return a query, also without words that say nothing, and without those of meals."""
        words = significant(query)
        return {query, " ".join(words), " ".join(word for word in words if stem(word) not in self._meals)} - {""}

    def _containing(self, query: str, words_match: _Match, types: Collection[str]) -> Iterator[tuple[int, _Rank]]:
        """Yield the entries of which a text contains the query, and those of the type that it names."""
        start, word, plural = f" {query}", f" {query} ", f" {query}s "
        for number, text, weight in self._texts_with(query, types):
            words, match, place = f" {text} ", _Match.IN_WORD, 0
            if start in words:
                place = 1 + words.startswith(start) + (text == query)
                match = words_match if word in words or plural in words else _Match.FROM_WORD_ON
            elif weight == _KIND or (query not in text and not _begins(text.split(), query.replace(" ", ""))):
                continue
            if text == query and number in self._by_name.get(query, ()):
                match = _Match(words_match - 1)
            similarity, share = (1, 0.0) if weight == _KIND else (place, len(query) / len(text))
            yield number, (match, -weight, -similarity, -share, 0)
        for number in self._by_word.get(query, {}).get(_KIND, ()):
            if self._types[number] in types:
                yield number, (words_match, -_KIND, -1, 0, 0)

    def _similar(self, query: str, best_match: _Match, types: Collection[str]) -> Iterator[tuple[int, _Rank]]:
        """Yield the entries that have words like those of a query about as well as the best one, and others."""
        words = significant(query)[:_MAX_WORDS]
        similar_words = [self._words_like(word, words) for word in words]
        nearest = [max(similar.items(), key=itemgetter(1), default=("", 0.0)) for similar in similar_words]
        match = _graded(min(similarity for _, similarity in nearest), _Match.SIMILAR, best_match)
        for number in self._by_name.get(" ".join(word for word, _ in nearest), ()):
            if self._types[number] in types:
                yield number, (_Match(match - 1), -_NAME, -1, -1, 0)
        by_word = [self._entries_with(*pair, types) for pair in zip(words, similar_words, strict=True)]
        totals = self._totals(by_word)
        best = max(totals, key=totals.__getitem__, default=-1)
        others = [each for each in by_word if best not in each and max(each.values(), default=0) >= MIN_SIMILARITY]
        lacking = {number: n for n, each in reversed([*enumerate(others, 1)]) for number in each}
        ranked = [*((_Match.OTHERS, _relevant(each)) for each in others), (_Match.SIMILAR, _relevant(totals))]
        for match, relevant in ranked:
            for number, similarity in relevant:
                least = min([each.get(number, 0) for each in by_word]) if similarity > _INITIALS else 0
                share = len(query) / self._lengths[number]
                yield number, (_graded(least, match, best_match), -_NAME, -similarity, -share, lacking.get(number, 0))

    def _words_like(self, word: str, words: Sequence[str]) -> Mapping[str, float]:
        """Return the words like one of a query; a number may be a room."""
        similar = self._similar_words.find(word, is_last=word == words[-1])
        is_room = not similar and len(words) > 1 and any(map(str.isdigit, word))
        return {"room": STEM / _KIND} if is_room else similar

    def _totals(self, by_word: Sequence[Mapping[int, float]]) -> dict[int, float]:
        """Return the similarities to all words, of which rare ones weigh more, without some irrelevant entries."""
        weights = [1 + log(len(self._entries) / len(similar)) if similar else 1 for similar in by_word]
        totals: dict[int, float] = defaultdict(float)
        total_weight = rest = sum(weights)
        for weight, similar in sorted(zip(weights, by_word, strict=True), key=itemgetter(0), reverse=True):
            is_enough = rest / total_weight >= _MIN_RELATIVE_SIMILARITY * max(totals.values(), default=0)
            for number in similar if is_enough else totals.keys() & similar.keys():
                totals[number] += similar[number] * weight / total_weight
            rest -= weight
        return totals

    def _entries_with(self, word: str, similar: Mapping[str, float], types: Collection[str]) -> dict[int, float]:
        """Return the similarity of each entry of these types to a word, by similar words."""
        weighted = ((each * w, numbers) for text, each in similar.items() for w, numbers in self._by_word[text].items())
        best = dict.fromkeys(self._by_initials.get(word, ()), _INITIALS)
        for similarity, numbers in sorted(weighted):
            best |= dict.fromkeys(numbers, similarity)
        return best if types is TYPES else {n: each for n, each in best.items() if self._types[n] in types}

    def _texts_with(self, query: str, types: Collection[str]) -> Iterator[tuple[int, str, float]]:
        """Yield the texts with the letters of a query, where no spaces count; those of a short one at the beginning."""
        letters = query.replace(" ", "")
        part = letters if len(letters) >= _MIN_INSIDE_LENGTH else f"\n{letters}"
        position = self._letters.find(part)
        while position >= 0:
            number = bisect_right(self._starts, position) - 1
            if self._types[self._texts[number][0]] in types:
                yield self._texts[number]
            position = self._letters.find(part, self._starts[number + 1])


def _begins(words: Sequence[str], letters: str) -> bool:
    """Return whether letters are those of some words and the beginning of the next one."""
    return any("".join(words[start:]).startswith(letters) for start in range(len(words)))


def _graded(least: float, match: _Match, best_match: _Match) -> _Match:
    """Return how an entry has the words of a query by the least similarity of one of them."""
    return match if least < STEM else _Match.SYNONYMS if least < SINGULAR else best_match


def _relevant(similar: Mapping[int, float]) -> list[tuple[int, float]]:
    """Return the entries that are about as similar as the best one."""
    minimum = _MIN_RELATIVE_SIMILARITY * max(similar.values(), default=0)
    return [pair for pair in similar.items() if pair[1] >= minimum]


def _texts(entry: Entry) -> list[tuple[str, float]]:
    """Return the words of each text of an entry with their weight."""
    texts = [*((name, _NAME) for name in (entry.name, *entry.aliases)), (entry.address, _ADDRESS), (entry.tags, _KIND)]
    return [(words, weight) for text, weight in texts if text for words in spellings(text) if words]
