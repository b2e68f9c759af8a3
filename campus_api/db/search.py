"""MongoDB filters for building searches: regular expressions on folded text."""

from collections.abc import Sequence
from typing import Any

from bson import Regex

from campus_api.domain.text import normalize_query, pattern

Query = dict[str, Any]

# MongoDB tries the texts one by one.
_MAX_TEXTS = 1000


def building_query(name: Sequence[str], address: Sequence[str]) -> Query | None:
    """Return a filter for the buildings whose name and address contain one of the texts each; None if there are none.

    A field without texts is not filtered; more than 1,000 different texts match nothing.
    """
    texts_by_field = {field: _fold(texts) for field, texts in (("name", name), ("address", address)) if texts}
    if not all(0 < len(texts) <= _MAX_TEXTS for texts in texts_by_field.values()):
        return None
    return {f"search.{field}": {"$in": _regexes(texts)} for field, texts in texts_by_field.items()}


def _fold(texts: Sequence[str]) -> list[str]:
    return sorted({query for text in texts if (query := normalize_query(text)) is not None})


def _regexes(texts: Sequence[str]) -> list[Regex]:
    return [Regex(pattern(text)) for text in texts]
