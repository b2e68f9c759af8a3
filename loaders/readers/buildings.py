"""Building exports to Building records."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from campus_api.domain import ids
from campus_api.domain.models import BUILDING_TEXT_FIELDS, Building
from loaders.documents.spool import BuildingSpool, encode_building
from loaders.errors import DataWarning, InvalidValue, UnreadableFileError
from loaders.profiles import BuildingProfile
from loaders.profiles.building_ids import AssignedIdSource, InvalidId
from loaders.readers.assigned_ids import IdAssigner
from loaders.readers.corrections import Corrector
from loaders.readers.features import Feature, iter_features
from loaders.readers.files import file_name, gc_disabled, open_export
from loaders.readers.near_duplicates import NearDuplicateNames
from loaders.readers.parts import merge_parts
from loaders.readers.result import ProgressCallback, ReadResult, SourceLocation, no_progress

# "%" is safe so that URLs that are already percent-encoded stay unchanged.
_URL_SAFE = "/%:?#[]@!$&'()*+,;=~"
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def read(
    paths: Iterable[Path],
    profile: BuildingProfile,
    track: ProgressCallback = no_progress,
    assigned_ids: Mapping[str, int] = MappingProxyType({}),
) -> ReadResult:
    """Read the buildings of GeoJSON or Esri JSON files; UnreadableFileError if a file is not in the profile's format,
    or if the last page of an ArcGIS server is missing.

    Identical duplicates are counted; different buildings with the same id are all rejected, unless the profile merges
    them. `assigned_ids` are the integers that text ids have in the database.
    """
    collector = _Collector(profile, assigned_ids)
    truncated = []
    paths = list(paths)
    for path in paths:
        with gc_disabled(), open_export(path, collector.result) as export:
            for location, feature in track(iter_features(export, collector.result, profile.format, profile.wkid)):
                collector.add(feature, file_name(path), location)
        truncated.append(collector.result.is_truncated)
    if all(truncated):
        reason = "is not the last page: the server set exceededTransferLimit and has more features; load all pages"
        raise UnreadableFileError(paths[-1], reason)
    return collector.finish()


@dataclass(frozen=True, slots=True)
class _Source:
    """The digest and the origin of a building whose record is on disk."""

    digest: bytes
    file: str
    location: SourceLocation
    missing: tuple[str, ...]


class _Collector:
    """Buildings spooled to disk, with their sources by id in memory."""

    def __init__(self, profile: BuildingProfile, assigned_ids: Mapping[str, int]) -> None:
        self._assigner = IdAssigner(assigned_ids)
        self.result = ReadResult(assigned_ids=self._assigner.new)
        self._profile = profile
        self._corrector = Corrector(profile.corrections)
        self._spool = BuildingSpool()
        self._sources: dict[int, _Source] = {}
        self._conflicts: dict[int, list[_Source]] = {}
        self._parts: dict[int, list[Building]] = {}
        self._names = NearDuplicateNames()

    def add(self, feature: Feature, file: str, location: SourceLocation) -> None:
        """Add the building of a feature unless the profile leaves it out, or an error to the result."""
        attributes: Mapping[str, Any] = {}
        try:
            attributes = feature.attributes
            if not self._profile.is_building(attributes):
                self.result.filtered += 1
                return
            id_ = self._parse_id(attributes)
            if self._corrector.retires(id_):
                return
            building, warnings = _parse_building(id_, feature, attributes, self._profile)
            self._add(self._corrector.correct(building), file, location)
        except InvalidValue as error:
            self.result.add_error(file, location, error)
            if isinstance(error, InvalidId):
                self.result.integer_fields.update(name for name, value in attributes.items() if _is_id(value))
        else:
            for warning in warnings:
                self.result.add_warning(file, location, DataWarning("building", building.id, warning))

    def _parse_id(self, attributes: Mapping[str, Any]) -> int:
        source = self._profile.id
        if isinstance(source, AssignedIdSource):
            return self._assigner.assign(source.text(attributes), source.first)
        return source.parse(attributes)

    def _add(self, building: Building, file: str, location: SourceLocation) -> None:
        encoded = encode_building(building)
        source = _Source(encoded.digest, file, location, _missing_fields(building))
        first = self._sources.get(building.id)
        if first is None:
            self._spool.append(building, encoded)
            self._sources[building.id] = source
            self._check_name(building, source)
        elif source.digest in {other.digest for other in self._conflicts.get(building.id, [first])}:
            self.result.duplicates += 1
        else:
            self._conflicts.setdefault(building.id, [first]).append(source)
            if self._profile.merge:
                self._parts.setdefault(building.id, []).append(building)

    def _check_name(self, building: Building, source: _Source) -> None:
        warning = self._names.check("name", building.id, building.name or "")
        if warning:
            self.result.add_warning(source.file, source.location, warning)

    def finish(self) -> ReadResult:
        """Merge buildings of several parts, reject those with conflicting ids, and return the result."""
        if self._parts:
            self._merge_parts()
        for id_, sources in self._conflicts.items():
            error = InvalidValue("id", id_, f"is the id of {len(sources)} different buildings")
            for source in sources:
                self.result.add_error(source.file, source.location, error)
            del self._sources[id_]
        self._spool.exclude(self._conflicts)
        self.result.locations = {id_: (source.file, source.location) for id_, source in self._sources.items()}
        for source in self._sources.values():
            self.result.missing_counts.update(source.missing)
        self._corrector.report(self.result)
        self.result.records = self._spool
        return self.result

    def _merge_parts(self) -> None:
        firsts = [building for building in self._spool if building.id in self._parts]
        merged = list(filter(None, (merge_parts([first, *self._parts[first.id]]) for first in firsts)))
        self._spool.exclude(building.id for building in merged)
        for building in merged:
            sources = self._conflicts.pop(building.id)
            self.result.merged += len(sources) - 1
            self._sources[building.id] = replace(sources[0], missing=_missing_fields(building))
            try:
                self._spool.append(building, encode_building(building))
            except InvalidValue as error:
                self.result.add_error(sources[0].file, sources[0].location, error)
                del self._sources[building.id]


def _parse_building(
    id_: int, feature: Feature, attributes: Mapping[str, Any], profile: BuildingProfile
) -> tuple[Building, tuple[str, ...]]:
    """Return the building and the warnings about its footprint."""
    footprint = feature.footprint
    building = Building(
        id=id_,
        name=profile.text("name", attributes) or None,
        address=profile.text("address", attributes),
        city=profile.text("city", attributes) or profile.city,
        image=_image_url(profile.raw_text("image", attributes), profile.image_base),
        point=footprint.point,
        polygons=footprint.polygons,
    )
    return building, footprint.warnings


def _is_id(value: object) -> bool:
    try:
        ids.from_export(value)
    except ValueError:
        return False
    return True


def _image_url(text: str, base: str) -> str | None:
    """Return the percent-encoded URL of a photo; file names are appended to `base`.

    InvalidValue for a URL of another scheme than http and https: a browser would run a `javascript:` URL.
    """
    if text.casefold().startswith(("http://", "https://")):
        return quote(text, safe=_URL_SAFE)
    if _SCHEME.match(text):
        raise InvalidValue("image", text, "is neither an http or https URL nor the name of a file")
    return base + quote(text) if text and base else text or None


def _missing_fields(building: Building) -> tuple[str, ...]:
    return tuple(field for field in BUILDING_TEXT_FIELDS if not getattr(building, field))
