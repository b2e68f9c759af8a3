"""MongoDB filters for building searches: regular expressions on folded text."""

from collections.abc import Mapping, Sequence
from typing import Any

from bson import Regex

from campus_api.domain.text import normalize_query, pattern

Query = dict[str, Any]

# MongoDB tries the texts one by one.
_MAX_TEXTS = 1000


def building_query(texts: Mapping[str, Sequence[str]]) -> Query | None:
    """Return a filter for the buildings whose fields contain one of the texts each; None if there are none.

    A field without texts is not filtered; more than 1,000 different texts match nothing.
    """
    folded = {field: _fold(each) for field, each in texts.items() if each}
    if not all(0 < len(each) <= _MAX_TEXTS for each in folded.values()):
        return None
    return {f"search.{field}": {"$in": [Regex(pattern(text)) for text in each]} for field, each in folded.items()}


def _fold(texts: Sequence[str]) -> list[str]:
    return sorted({query for text in texts if (query := normalize_query(text)) is not None})
