"""Buildings of one or more exports: duplicates, parts of one building, and different buildings with one id."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from shapely.geometry import MultiPolygon, Point, Polygon

from campus_api.domain.building_fields import SERVED_FIELDS, TEXT_FIELDS, Building
from loaders.errors import InvalidValue
from loaders.readers.names import NameChecker
from loaders.readers.sources import Origin, namespace_hint
from loaders.result import BuildingRead

# All of them, and the parts of merged ones, are in memory; a campus has 1,000 to 2,000.
_MAX_BUILDINGS = 20_000
# Of 35 bytes each, in a document of MongoDB, which has at most 16 MB.
_MAX_POSITIONS = 400_000
# Degrees: about 100 meters.
_NEAR = 0.001


class _Candidate(NamedTuple):
    origin: Origin
    provider_id: int | str
    mergeable: bool


class BuildingCollector:
    """Different buildings, or parts of them, by id."""

    def __init__(self, result: BuildingRead, max_buildings: int = _MAX_BUILDINGS) -> None:
        self.result = result
        self._max_buildings = max_buildings
        self._candidates: dict[int, dict[Building, _Candidate]] = {}
        self._number = 0
        self._names = NameChecker()

    def add(self, building: Building, origin: Origin, provider_id: int | str, *, mergeable: bool) -> None:
        """Add a building, which may be merged with others of its id; InvalidValue if it is too large for MongoDB."""
        _require_storable(building)
        candidates = self._candidates.setdefault(building.id, {})
        if building in candidates:
            self.result.duplicates += 1
            return
        self._number += 1
        self.result.require_size(self._number, self._max_buildings, "buildings", *origin[1:])
        if not candidates and (warning := self._names.check("name", building.id, building.name or "")):
            self.result.add_warning(*origin[1:], warning)
        candidates[building] = _Candidate(origin, provider_id, mergeable)

    def finish(self) -> BuildingRead:
        """Merge buildings of several parts, reject those with conflicting ids, and return the result."""
        for id_, candidates in self._candidates.items():
            try:
                building = self._merge(candidates)
            except InvalidValue as error:
                for origin, *_ in candidates.values():
                    self.result.add_error(origin.file, origin.location, error)
                continue
            first = next(iter(candidates.values())).origin
            self.result.records.append(building)
            self.result.locations[id_] = first.file, first.location
            self.result.missing_counts.update(name for name in SERVED_FIELDS if not getattr(building, name))
        if self.result.records:
            file, _ = next(iter(self.result.locations.values()))
            self.result.add_warnings(file, self._names.check_all("name", "buildings"))
        return self.result

    def _merge(self, candidates: Mapping[Building, _Candidate]) -> Building:
        """Return the building with an id; InvalidValue if there are several that are not parts of one."""
        first, *others = candidates
        if not others:
            return first
        merged = merge_parts([first, *others]) if all(each.mergeable for each in candidates.values()) else None
        if merged is None:
            raise InvalidValue("id", candidates[first].provider_id, _describe_conflict([*candidates.values()]))
        _require_storable(merged)
        self.result.merged += len(others)
        return merged


def _require_storable(building: Building) -> None:
    positions = sum(map(len, building.polygons))
    if positions > _MAX_POSITIONS:
        reason = f"has {positions:,} positions; MongoDB can store {_MAX_POSITIONS:,} of a building"
        raise InvalidValue("building", building.id, reason)


def _describe_conflict(candidates: Sequence[_Candidate]) -> str:
    reason = f"is the id of {len(candidates)} different buildings"
    first, *others = (each.origin for each in candidates)
    other = next((each for each in others if each.profile != first.profile), None)
    return f"{reason}, in {first} and in {other}: {namespace_hint(other)}" if other else reason


def merge_parts(parts: Sequence[Building]) -> Building | None:
    """Return one building with the footprints of all parts; None if they may be of several buildings.

    Their names or addresses differ, or they have neither, or a point is at no footprint. The point is that of the
    largest part, each text the first one that is not empty.
    """
    first = parts[0]
    is_named = first.name or first.address
    if not is_named or any((part.name, part.address) != (first.name, first.address) for part in parts):
        return None
    footprints = MultiPolygon([Polygon(ring) for part in parts for ring in part.polygons])
    # The distance to no footprint is NaN.
    if not all(part.polygons or footprints.distance(Point(part.point)) < _NEAR for part in parts):
        return None
    texts: dict[str, Any] = {
        name: next(filter(None, (getattr(part, name) for part in parts)), field.unknown)
        for name, field in TEXT_FIELDS.items()
    }
    return replace(
        first,
        **texts,
        point=max(parts, key=lambda part: sum(Polygon(ring).area for ring in part.polygons)).point,
        polygons=tuple(dict.fromkeys(chain.from_iterable(part.polygons for part in parts))),
    )
