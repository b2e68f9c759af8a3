"""Buildings of one or more exports: duplicates, parts of one building, and different buildings with one id."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from shapely.geometry import MultiPolygon, Point, Polygon

from campus_api.domain.building_fields import SERVED_FIELDS, TEXT_FIELDS, Building
from loaders.documents.buildings import BuildingDocuments, encode_building
from loaders.errors import InvalidValue
from loaders.readers.names import NameChecker
from loaders.readers.sources import Origin, namespace_hint
from loaders.result import BuildingRead, SourceLocation

# All are in memory; a campus has 1,000 to 2,000.
_MAX_BUILDINGS = 20_000
# Degrees: about 100 meters.
_NEAR = 0.001


@dataclass(frozen=True, slots=True)
class _Source:
    """The digest and the origin of a building."""

    digest: bytes
    origin: Origin
    missing: tuple[str, ...]
    mergeable: bool


class BuildingCollector:
    """Buildings with their sources by id."""

    def __init__(self, result: BuildingRead, max_buildings: int = _MAX_BUILDINGS) -> None:
        self.result = result
        self._max_buildings = max_buildings
        self._documents = BuildingDocuments()
        self._sources: dict[int, _Source] = {}
        self._conflicts: dict[int, dict[bytes, _Source]] = {}
        self._parts: dict[int, list[Building]] = {}
        self._names = NameChecker()

    def add(self, building: Building, origin: Origin, *, mergeable: bool) -> None:
        """Add a building, which may be merged with others of its id; InvalidValue if it is too large for MongoDB."""
        encoded = encode_building(building)
        source = _Source(encoded.digest, origin, _missing_fields(building), mergeable)
        first = self._sources.get(building.id)
        if first is None:
            self._documents.append(encoded)
            self._sources[building.id] = source
            self.result.require_size(len(self._sources), self._max_buildings, "buildings", *origin[1:])
            self._check_name(building, source)
        elif source.digest == first.digest or source.digest in self._conflicts.get(building.id, ()):
            self.result.duplicates += 1
        else:
            self._conflicts.setdefault(building.id, {first.digest: first})[source.digest] = source
            if mergeable and first.mergeable:
                self._parts.setdefault(building.id, []).append(building)

    def _check_name(self, building: Building, source: _Source) -> None:
        warning = self._names.check("name", building.id, building.name or "")
        if warning:
            self.result.add_warning(source.origin.file, source.origin.location, warning)

    def finish(self, assigned_texts: Callable[[Collection[int]], Mapping[int, str]] = lambda ids: {}) -> BuildingRead:
        """Merge buildings of several parts, reject those with conflicting ids, and return the result.

        `assigned_texts` returns the texts of the provider to which integers were assigned.
        """
        if self._parts:
            self._merge_parts()
        texts = assigned_texts(self._conflicts)
        for id_, sources in self._conflicts.items():
            error = InvalidValue("id", texts.get(id_, id_), _describe_conflict([*sources.values()]))
            for source in sources.values():
                self.result.add_error(source.origin.file, source.origin.location, error)
            del self._sources[id_]
        self._documents.exclude(self._conflicts)
        self.result.locations = {
            id_: (source.origin.file, source.origin.location) for id_, source in self._sources.items()
        }
        for source in self._sources.values():
            self.result.missing_counts.update(source.missing)
        self.result.records = self._documents
        if self._sources:
            for warning in self._names.check_all("name", "buildings"):
                self.result.add_warning(next(iter(self._sources.values())).origin.file, SourceLocation(), warning)
        return self.result

    def _merge_parts(self) -> None:
        ids = {id_ for id_ in self._parts if all(each.mergeable for each in self._conflicts[id_].values())}
        firsts = [building for building in self._documents if building.id in ids]
        merged = list(filter(None, (merge_parts([first, *self._parts[first.id]]) for first in firsts)))
        self._documents.exclude(building.id for building in merged)
        for building in merged:
            first = self._sources[building.id]
            self.result.merged += len(self._conflicts.pop(building.id)) - 1
            self._sources[building.id] = replace(first, missing=_missing_fields(building))
            try:
                self._documents.append(encode_building(building))
            except InvalidValue as error:
                self.result.add_error(first.origin.file, first.origin.location, error)
                del self._sources[building.id]


def _describe_conflict(sources: Sequence[_Source]) -> str:
    reason = f"is the id of {len(sources)} different buildings"
    first, *others = (source.origin for source in sources)
    other = next((each for each in others if each.profile != first.profile), None)
    return f"{reason}, in {first} and in {other}: {namespace_hint(other)}" if other else reason


def _missing_fields(building: Building) -> tuple[str, ...]:
    return tuple(field for field in SERVED_FIELDS if not getattr(building, field))


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
    texts: dict[str, Any] = {name: _first_text(parts, name) or field.unknown for name, field in TEXT_FIELDS.items()}
    return replace(
        first,
        **texts,
        point=max(parts, key=_area).point,
        polygons=tuple(dict.fromkeys(chain.from_iterable(part.polygons for part in parts))),
    )


def _first_text(parts: Iterable[Building], name: str) -> str | None:
    return next(filter(None, (getattr(part, name) for part in parts)), None)


def _area(building: Building) -> float:
    return sum(Polygon(ring).area for ring in building.polygons)
