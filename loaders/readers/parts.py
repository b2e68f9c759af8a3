"""Buildings that an export has in several parts, each with its own footprint."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from shapely.geometry import Polygon

from campus_api.domain.models import Building


def merge_parts(parts: Sequence[Building]) -> Building | None:
    """Return one building with the footprints of all parts; None if their names or addresses differ.

    The point is that of the largest part, the city and the image are the first ones that are not empty.
    """
    first = parts[0]
    if any((part.name, part.address) != (first.name, first.address) for part in parts):
        return None
    return replace(
        first,
        city=next((part.city for part in parts if part.city), ""),
        image=next((part.image for part in parts if part.image), None),
        point=max(parts, key=_area).point,
        polygons=tuple(dict.fromkeys(chain.from_iterable(part.polygons for part in parts))),
    )


def _area(building: Building) -> float:
    return sum(Polygon(ring).area for ring in building.polygons)
