"""What a search asks of MongoDB: an index of trigrams in front, then regular expressions that verify."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from bson import Regex

from campus_api.domain.text import pattern, searched, trigrams, unpacked

Query = dict[str, Any]

# MongoDB tries the texts of a search one by one: many take several queries, too many none.
_TEXTS_IN_A_QUERY = 250
_TEXTS_IN_A_SEARCH = 1000
# To fetch a building by the index takes this many times as long as to pass by it, or some more.
_FETCH = 16


def queries(name: Sequence[str], address: Sequence[str], live: Mapping[str, Any]) -> Iterator[Query]:
    """Yield queries: a building meets one if and only if its name and address contain one of the given texts each.

    No texts for a field ask nothing of it; more than 1,000 different texts match nothing. `live` is the record of
    the live buildings.
    """
    for names, addresses in product(_batches(name), _batches(address)):
        given = {field: texts for field, texts in (("name", names), ("address", addresses)) if texts is not None}
        query: Query = {f"search.{field}": {"$in": _regexes(texts)} for field, texts in given.items()}
        yield query | _by_index(given, live)


def _batches(texts: Sequence[str]) -> list[list[str] | None]:
    if not texts:
        return [None]
    folded = sorted({found for text in texts if (found := searched(text)) is not None})
    if len(folded) > _TEXTS_IN_A_SEARCH:
        return []
    return [folded[start : start + _TEXTS_IN_A_QUERY] for start in range(0, len(folded), _TEXTS_IN_A_QUERY)]


def _regexes(texts: Sequence[str]) -> list[Regex]:
    return [Regex(pattern(text)) for text in texts]


def _by_index(given: Mapping[str, Sequence[str]], live: Mapping[str, Any]) -> Query:
    """Return the trigrams of which a building must have one; nothing where to try every building is as good.

    Of all trigrams of a text MongoDB would use one in its index, and find out which by trying, or remember one of
    another text: so it gets the one that the fewest buildings have.
    """
    # Buildings that an older version has loaded have no trigrams.
    if live.get("indexed") != live["collections"]["buildings"]:
        return {}
    common = _unpacked(tuple(live["common_trigrams"]))
    choices = filter(None, (_rarest(field, texts, common) for field, texts in given.items()))
    fetched, rarest = min(choices, default=(live["counts"]["buildings"], []))
    return {"search.trigrams": {"$in": rarest}} if fetched * _FETCH < live["counts"]["buildings"] else {}


def _rarest(field: str, texts: Sequence[str], common: Mapping[str, int]) -> tuple[int, list[str]] | None:
    """Return about how many buildings have the rarest trigrams of the texts, and these; None if a text has none."""
    rarest: set[str] = set()
    for text in texts:
        candidates = trigrams(field, text)
        if not candidates:
            return None
        rarest.add(min(candidates, key=lambda trigram: (common.get(trigram, 0), trigram)))
    return sum(common.get(trigram, 0) for trigram in rarest), sorted(rarest)


@lru_cache(maxsize=8)
def _unpacked(common: Sequence[str]) -> Mapping[str, int]:
    return unpacked(common)
