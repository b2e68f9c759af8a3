"""The buildings of a snapshot, and their searches: regular expressions on folded text."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bson import Regex

from campus_api.db.connection import BUILDINGS
from campus_api.db.rows import building_row
from campus_api.db.snapshot import Snapshot
from campus_api.domain.building_fields import TEXT_FIELDS, BuildingRow
from campus_api.domain.text import normalize_query, pattern

Query = dict[str, Any]

_FIELDS = (*TEXT_FIELDS, "point", "polygons")
# MongoDB tries the texts one by one.
_MAX_TEXTS = 1000


class BuildingStore:
    """The buildings of a snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def get(self, id_: int) -> BuildingRow | None:
        """Return the building with an id."""
        return next(self._find({"_id": id_}), None)

    def search(self, *, encode: Callable[[BuildingRow], Any] = lambda row: row, **texts: Sequence[str]) -> list[Any]:
        """Return the buildings whose fields contain one of the texts each, sorted by id: `search(name=["hall"])`.

        Letter case and accents are ignored; a field without texts is not filtered. More than 1,000 different texts for
        a field match nothing. Every row is passed through `encode` as it is read: a large result would take ten times
        the memory as Python objects that it takes as JSON.
        """
        query = building_query(texts)
        by_id = {} if query is None else {row["id"]: encode(row) for row in self._find(query)}
        return [by_id[id_] for id_ in sorted(by_id)]

    def _find(self, query: Query) -> Iterator[BuildingRow]:
        # Sorted in Python: for a sorted query MongoDB scans the _id index, which takes twice as long.
        return self._snapshot.find(BUILDINGS, query, _FIELDS, building_row)


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
