"""Search index: names and addresses in memory, ranked by how well they match a query."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cache
from heapq import heapify, heappop
from itertools import accumulate
from math import log
from operator import itemgetter
from typing import NamedTuple

from campus_api.domain.hours import Serving
from campus_api.domain.search.moment import LATER, NEVER, ON_THE_DAY, Moment, Timing
from campus_api.domain.search.similar_words import MIN_SIMILARITY, SINGULAR, STEM, SimilarWords
from campus_api.domain.search.words import KINDS, initials, significant, spellings, stem, synonym, with_phrases
from campus_api.domain.text import MAX_QUERY_LENGTH

# In the order of equal matches.
TYPES = ("location", "building", "dish")
MAX_RESULTS = 20

# The least similarity of an entry relative to the best match.
_MIN_RELATIVE_SIMILARITY = 0.82
# The words of a query beyond these are not compared.
_MAX_WORDS = 6
# A query of fewer letters is one of the first letters of a text.
_MIN_INSIDE_LENGTH = 3
# The similarity of a name by its initials, and the least number of these.
_INITIALS, _MIN_INITIALS = 0.95, 3

# Where an entry has a word, KIND for its type and its tags, and what the word weighs there.
_Field = IntEnum("_Field", "NAME ADDRESS KIND")
_WEIGHTS = {_Field.NAME: 1.0, _Field.ADDRESS: 0.9, _Field.KIND: 0.85}
# How an entry has the words of a query, the best first; of OTHERS it has only words that the best entry lacks.
_Match = IntEnum("_Match", "SAME SYNONYMS FROM_WORD_ON IN_WORD SIMILAR OTHERS")
# Where a text has a query: it is the query, begins with it, or has it from a word on or inside of one.
_WHOLE, _BEGINNING, _WORD, _INSIDE = range(4)


class Entry(NamedTuple):
    """A building, location or dish; `tags` are no names: the meals of a location, category and labels of a dish."""

    type: str
    id: int
    name: str | None
    aliases: tuple[str, ...] = ()
    address: str = ""
    servings: Collection[Serving] = ()
    tags: str = ""


class _Rank(NamedTuple):
    """How well an entry matches a query: the first field in which two differ decides, the smaller value is better.

    `is_part` is False if the query is a whole name of a place. `distance` is where the text has the query, or 3 less
    the similarity of their words, `rest` the share of the text that the query lacks. `other` is the number, from 1 on,
    of the first word of the query that this entry has and the best one lacks, or 0.
    """

    match: _Match
    is_part: bool
    field: _Field
    distance: float
    rest: float
    other: int = 0


class SearchIndex:
    """An index of entries, 1.5 kB for each; `meals` are the stems of food and of meals, `names` all texts, as words."""

    def __init__(self, entries: Iterable[Entry], meals: Collection[str] = ()) -> None:
        self._meals = meals
        # What decides between equal matches: those without a name come last.
        by_name = sorted(entries, key=lambda entry: (entry.name is None, entry.name or "", entry.id))
        self._entries = sorted(by_name, key=lambda entry: TYPES.index(entry.type))
        names = ((entry.name or entry.address, *entry.aliases) for entry in self._entries)
        self._lengths = [len("".join(each)) + 1 for each in names]
        self._texts: list[tuple[int, _Field, str]] = []
        self._by_name: dict[str, list[int]] = defaultdict(list)
        self._by_initials: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[str, dict[_Field, list[int]]] = defaultdict(lambda: defaultdict(list))
        for number, entry in enumerate(self._entries):
            for name in (entry.name or "", *entry.aliases):
                self._add(number, _Field.NAME, name)
            self._add(number, _Field.ADDRESS, entry.address)
            self._add(number, _Field.KIND, entry.tags)
            for word in KINDS[entry.type].split():
                self._by_word[word][_Field.KIND].append(number)
        self.names = {words for _, _, words in self._texts}
        # In one string, because most texts have the letters of a query nowhere.
        lines = ["\n" + words.replace(" ", "") for _, _, words in self._texts]
        self._letters = "".join(lines)
        self._starts = [*accumulate(map(len, lines), initial=0)]
        self._similar_words = SimilarWords(self._by_word)

    def _add(self, number: int, field: _Field, text: str) -> None:
        for words in filter(None, spellings(text)):
            self._texts.append((number, field, words))
            for word in set(words.split()):
                self._by_word[word][field].append(number)
            if field != _Field.NAME:
                continue
            if self._entries[number].type != "dish":
                self._by_name[words].append(number)
            letters = initials(words)
            if len(letters) >= _MIN_INITIALS:
                self._by_initials[letters].append(number)

    def timings(self, moment: Moment) -> list[Timing]:
        """Return the timings of all entries, those of their soonest servings; a place is there also without one."""
        timing = cache(moment.timing)
        there = LATER if moment.is_named else ON_THE_DAY
        soonest = (min(map(timing, each.servings)) if each.servings else (NEVER, "") for each in self._entries)
        pairs = zip(self._entries, soonest, strict=True)
        return [first if each.type == "dish" else (min(first[0], there), first[1] or "~") for each, first in pairs]

    def search(self, query: str, timings: Sequence[Timing], types: Collection[str] = TYPES) -> Iterator[Entry]:
        """Yield the entries of these types that match a query of up to 256 characters, the best first.

        `timings` are those of all entries: after the match, how soon an entry is decides, then its rank and its time.
        Next to the first result is the best one of each word that it does not have: "coffee near library" means two.
        """
        ranks: dict[int, _Rank] = {}
        for number, rank in self._candidates(query, types):
            if number not in ranks or rank < ranks[number]:
                ranks[number] = rank
        places = {}
        for number, rank in ranks.items():
            timing = timings[number]
            places[number] = (rank.match, rank.is_part, timing[0], rank, timing, number)
        best = []
        for other in sorted({rank.other for rank in ranks.values()}):
            numbers = [number for number, rank in ranks.items() if rank.other == other]
            best.append(min(numbers, key=places.__getitem__))
        yield from (self._entries[number] for number in best)
        heap = [*places.values()]
        heapify(heap)
        while heap:
            *_, number = heappop(heap)
            if number not in best:
                yield self._entries[number]

    def _candidates(self, query: str, types: Collection[str]) -> list[tuple[int, _Rank]]:
        """Return the entries that have words of a query, some of them again; similar ones only if few contain it."""
        spelled = (words[:MAX_QUERY_LENGTH] for words in spellings(query) if words)
        typed = dict.fromkeys(spelled, _Match.SAME)
        queries = {words: typed.get(words, _Match.SYNONYMS) for words in with_phrases(typed)}
        candidates = []
        for text, match in self._parts(queries | typed):
            pairs = self._containing(text, match)
            candidates += [pair for pair in pairs if self._entries[pair[0]].type in types]
        containing = {number for number, rank in candidates if rank.match <= _Match.FROM_WORD_ON}
        if len(containing) < MAX_RESULTS:
            for words, match in queries.items():
                candidates += self._similar(words, match, types)
        return candidates

    def _parts(self, queries: Mapping[str, _Match]) -> Iterable[tuple[str, _Match]]:
        """Return queries, also without words that say nothing, without those of meals, and all of these by synonyms."""
        parts: dict[str, _Match] = {}
        for query, match in queries.items():
            words = significant(query)
            not_meals = [word for word in words if stem(word) not in self._meals]
            for part in filter(None, (query, " ".join(words), " ".join(not_meals))):
                parts[part] = match
                parts.setdefault(" ".join(map(synonym, part.split())), _Match.SYNONYMS)
        return parts.items()

    def _containing(self, query: str, words_match: _Match) -> Iterator[tuple[int, _Rank]]:
        """Yield the entries of which a text contains a query, and those of the type that it names."""
        for number in self._by_word.get(query, {}).get(_Field.KIND, ()):
            yield number, _Rank(words_match, True, _Field.KIND, _WORD, 1.0)
        for number, field, text in self._texts_with(query):
            distance = _distance(query, text)
            rest = 1 - len(query) / len(text)
            if distance is None or (field == _Field.KIND and distance == _INSIDE):
                continue
            if field == _Field.KIND:
                distance, rest = _WORD, 1.0
            match = _Match.IN_WORD if distance == _INSIDE else _Match.FROM_WORD_ON
            if f" {query} " in f" {text} " or f" {query}s " in f" {text} ":
                match = words_match
            is_part = number not in self._by_name.get(query, ())
            yield number, _Rank(match, is_part, field, distance, rest)

    def _texts_with(self, query: str) -> Iterator[tuple[int, _Field, str]]:
        """Yield the texts with the letters of a query, where no spaces count; those of a short one at the beginning."""
        letters = query.replace(" ", "")
        part = letters if len(letters) >= _MIN_INSIDE_LENGTH else f"\n{letters}"
        position = self._letters.find(part)
        while position >= 0:
            number = bisect_right(self._starts, position) - 1
            yield self._texts[number]
            position = self._letters.find(part, self._starts[number + 1])

    def _similar(self, query: str, words_match: _Match, types: Collection[str]) -> Iterator[tuple[int, _Rank]]:
        """Yield the entries that have words like those of a query about as well as the best one, and others."""
        words = significant(query)[:_MAX_WORDS]
        similar_words = [self._words_like(word, words) for word in words]
        pairs = zip(words, similar_words, strict=True)
        by_word = [self._entries_with(*pair, types) for pair in pairs]
        totals = self._totals(by_word)
        best = max(totals, key=totals.__getitem__, default=None)
        matches = [(_Match.SIMILAR, totals)]
        other_of: dict[int, int] = {}
        for similar in by_word:
            if best not in similar and max(similar.values(), default=0) >= MIN_SIMILARITY:
                other_of = dict.fromkeys(similar, len(matches)) | other_of
                matches.append((_Match.OTHERS, similar))
        nearest = (max(similar, key=similar.__getitem__, default="") for similar in similar_words)
        named = self._by_name.get(" ".join(nearest), ())
        for match, similar in matches:
            minimum = _MIN_RELATIVE_SIMILARITY * max(similar.values(), default=0)
            for number, similarity in similar.items():
                if similarity < minimum:
                    continue
                # The average is no less than the least.
                least = min([each.get(number, 0) for each in by_word]) if similarity > _INITIALS else 0
                graded = _Match.SYNONYMS if least >= STEM else match
                if least >= SINGULAR:
                    graded = words_match
                distance = 3 - similarity
                rest = 1 - len(query) / self._lengths[number]
                is_part, other = number not in named, other_of.get(number, 0)
                yield number, _Rank(graded, is_part, _Field.NAME, distance, rest, other)

    def _words_like(self, word: str, words: Sequence[str]) -> Mapping[str, float]:
        """Return the words like one of a query; a number may be a room."""
        similar = self._similar_words.find(word, is_last=word == words[-1])
        is_room = not similar and len(words) > 1 and any(map(str.isdigit, word))
        return {"room": STEM / _WEIGHTS[_Field.KIND]} if is_room else similar

    def _entries_with(self, word: str, similar: Mapping[str, float], types: Collection[str]) -> dict[int, float]:
        """Return the similarity of each entry of these types to a word, by similar words."""
        best = dict.fromkeys(self._by_initials.get(word, ()), _INITIALS)
        weighted = [
            (similarity * _WEIGHTS[field], numbers)
            for text, similarity in similar.items()
            for field, numbers in self._by_word[text].items()
        ]
        for similarity, numbers in sorted(weighted):
            best |= dict.fromkeys(numbers, similarity)
        if types is TYPES:
            return best
        return {number: each for number, each in best.items() if self._entries[number].type in types}

    def _totals(self, by_word: Sequence[Mapping[int, float]]) -> dict[int, float]:
        """Return the similarities to all words, of which rare ones weigh more, without some irrelevant entries."""
        weights = [1 + log(len(self._entries) / len(similar)) if similar else 1 for similar in by_word]
        totals: dict[int, float] = defaultdict(float)
        total_weight = rest = sum(weights)
        pairs = zip(weights, by_word, strict=True)
        for weight, similar in sorted(pairs, key=itemgetter(0), reverse=True):
            # Once the rest of the words is too little, entries that have none of the rarer words are irrelevant.
            minimum = _MIN_RELATIVE_SIMILARITY * max(totals.values(), default=0)
            is_enough = rest / total_weight >= minimum
            for number in similar if is_enough else totals.keys() & similar.keys():
                totals[number] += similar[number] * weight / total_weight
            rest -= weight
        return totals


def _distance(query: str, text: str) -> int | None:
    """Return where a text has a query, None if only its letters are there, across words."""
    if text.startswith(query):
        return _WHOLE if text == query else _BEGINNING
    if f" {query}" in text:
        return _WORD
    words = text.split()
    letters = query.replace(" ", "")
    is_joined = any("".join(words[start:]).startswith(letters) for start in range(len(words)))
    return _INSIDE if query in text or is_joined else None
