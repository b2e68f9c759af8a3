"""The buildings of a snapshot, and their searches: regular expressions on folded text."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from bson import Regex

from campus_api.db.connection import BUILDINGS
from campus_api.db.rows import building_row
from campus_api.db.snapshot import Snapshot, T
from campus_api.domain.building_fields import SERVED_FIELDS, TEXT_FIELDS, BuildingRow
from campus_api.domain.geography import BoundingBox, Position, distance
from campus_api.domain.text import normalize_query, pattern

_FIELDS = (*SERVED_FIELDS, "point", "polygons")
# MongoDB tries the texts one by one.
_MAX_TEXTS = 1000


class BuildingStore:
    """The buildings of a snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def get(self, id_: int) -> BuildingRow | None:
        """Return the building with an id."""
        return next(self._find({"_id": id_}), None)

    def search(
        self,
        *,
        encode: Callable[[BuildingRow], T],
        bbox: Sequence[BoundingBox] | None = None,
        near: Sequence[Position] | None = None,
        limit: int | None = None,
        **texts: Sequence[str] | None,
    ) -> list[T]:
        """Return the buildings whose fields contain one of the texts each, sorted by id: `search(name=["hall"])`.

        `bbox` are boxes of which the building must intersect one; with `near`, buildings have a `distance` in metres to
        the next of these positions, which sorts them. `limit` is the number of buildings.
        Every row is passed through `encode` as it is read: a large result would take ten times the memory as Python
        objects that it takes as JSON.
        """
        ranked = {}
        for row in self._find(building_query(texts)):
            point, polygons = row["geometry"]["point"], row["geometry"]["polygons"]
            if bbox is None or any(box.intersects(chain([point], *polygons)) for box in bbox):
                if near:
                    row["distance"] = round(min(distance(each, point) for each in near), 1)
                ranked[row.get("distance", 0), row["id"]] = encode(row)
        return [ranked[rank] for rank in sorted(ranked)][:limit]

    def _find(self, query: Mapping[str, Any]) -> Iterator[BuildingRow]:
        # Sorted in Python: for a sorted query MongoDB scans the _id index, which takes twice as long.
        return self._snapshot.find(BUILDINGS, query, _FIELDS, building_row)


def building_query(texts: Mapping[str, Sequence[str] | None]) -> dict[str, Any]:
    """Return a filter for the buildings whose fields contain one of the texts each.

    Letter case and accents are ignored; an exact field, such as `code`, is one of the texts, and a field without texts
    is not filtered. More than 1,000 different texts for a field match nothing.
    """
    query = {}
    for field, each in texts.items():
        if each:
            folded = _fold(each)
            is_exact = TEXT_FIELDS[field].is_exact
            query[f"search.{field}"] = {"$in": folded if is_exact else [Regex(pattern(text)) for text in folded]}
    return query


def _fold(texts: Sequence[str]) -> list[str]:
    folded = {query for query in map(normalize_query, texts) if query is not None}
    return sorted(folded) if len(folded) <= _MAX_TEXTS else []
