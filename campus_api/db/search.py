"""MongoDB filters for building searches: a trigram index narrows the candidates, regular expressions decide."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from bson import Regex

from campus_api.domain.models import DatasetRecord
from campus_api.domain.text import decode_frequencies, normalize_query, pattern, trigrams

Query = dict[str, Any]

# MongoDB tries the texts one by one.
_MAX_TEXTS = 1000
# Cost of an index fetch relative to scanning one document.
_FETCH_COST = 16


def building_query(name: Sequence[str], address: Sequence[str], record: DatasetRecord) -> Query | None:
    """Return a filter for the buildings whose name and address contain one of the texts each; None if there are none.

    A field without texts is not filtered; more than 1,000 different texts match nothing. `record` is the record of the
    live buildings.
    """
    texts_by_field = {field: _fold(texts) for field, texts in (("name", name), ("address", address)) if texts}
    if not all(0 < len(texts) <= _MAX_TEXTS for texts in texts_by_field.values()):
        return None
    query: Query = {f"search.{field}": {"$in": _regexes(texts)} for field, texts in texts_by_field.items()}
    return query | _trigram_filter(texts_by_field, record)


def _fold(texts: Sequence[str]) -> list[str]:
    return sorted({query for text in texts if (query := normalize_query(text)) is not None})


def _regexes(texts: Sequence[str]) -> list[Regex]:
    return [Regex(pattern(text)) for text in texts]


def _trigram_filter(texts_by_field: Mapping[str, Sequence[str]], record: DatasetRecord) -> Query:
    """Return a filter on the rarest trigram of each text; empty if a collection scan costs no more.

    Of several trigrams of a text MongoDB would use only one, chosen by trial or by a plan cached for another text, so
    it gets the most selective one.
    """
    # Those that 1.0.0 restores with `undo` have no trigrams.
    if record.get("indexed") != record["collections"]["buildings"]:
        return {}
    frequencies = _frequencies(tuple(record["common_trigrams"]))
    candidates = (_rarest_trigrams(field, texts, frequencies) for field, texts in texts_by_field.items())
    building_count = record["counts"]["buildings"]
    fetches, rarest = min(filter(None, candidates), default=(building_count, []))
    return {"search.trigrams": {"$in": rarest}} if fetches * _FETCH_COST < building_count else {}


def _rarest_trigrams(field: str, texts: Sequence[str], frequencies: Mapping[str, int]) -> tuple[int, list[str]] | None:
    """Return the rarest trigram of each text and an estimate of their buildings; None if a text has no trigram."""
    rarest: set[str] = set()
    for text in texts:
        candidates = trigrams(field, text)
        if not candidates:
            return None
        rarest.add(min(candidates, key=lambda trigram: (frequencies.get(trigram, 0), trigram)))
    return sum(frequencies.get(trigram, 0) for trigram in rarest), sorted(rarest)


@lru_cache(maxsize=8)
def _frequencies(encoded: tuple[str, ...]) -> Mapping[str, int]:
    return decode_frequencies(encoded)
