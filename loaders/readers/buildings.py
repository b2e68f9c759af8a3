"""Building exports to Building records."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from campus_api.domain import ids
from campus_api.domain.models import BUILDING_TEXT_FIELDS, Building
from loaders.documents.spool import BuildingSpool, encode_building
from loaders.errors import DataWarning, InvalidValue, UnreadableFileError
from loaders.profiles import BuildingProfile
from loaders.readers.features import Feature
from loaders.readers.files import file_name, gc_disabled, open_export
from loaders.readers.formats import building_format
from loaders.readers.near_duplicates import NearDuplicateNames
from loaders.readers.result import ProgressCallback, ReadResult, SourceLocation, no_progress

# "%" is safe so that URLs that are already percent-encoded stay unchanged.
_URL_SAFE = "/%:?#[]@!$&'()*+,;=~"
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def read(paths: Iterable[Path], profile: BuildingProfile, track: ProgressCallback = no_progress) -> ReadResult:
    """Read the buildings of GeoJSON or Esri JSON files; UnreadableFileError if a file is not in the profile's format,
    or if the last page of an ArcGIS server is missing.

    Identical duplicates are counted; different buildings with the same id are all rejected.
    """
    collector = _Collector(profile)
    format_class = building_format(profile)
    truncated = []
    paths = list(paths)
    for path in paths:
        with gc_disabled(), open_export(path, collector.result) as export:
            for location, feature in track(format_class.features(export, collector.result, profile)):
                collector.add(feature, file_name(path), location)
        truncated.append(collector.result.is_truncated)
    if all(truncated):
        reason = "is not the last page: the server set exceededTransferLimit and has more features; load all pages"
        raise UnreadableFileError(paths[-1], reason)
    return collector.finish()


class _InvalidId(InvalidValue):
    """A missing or invalid building id."""


@dataclass(frozen=True, slots=True)
class _Source:
    """The digest and the origin of a building whose record is on disk."""

    digest: bytes
    file: str
    location: SourceLocation
    missing: tuple[str, ...]


class _Collector:
    """Buildings spooled to disk, with their sources by id in memory."""

    def __init__(self, profile: BuildingProfile) -> None:
        self.result = ReadResult()
        self._profile = profile
        self._spool = BuildingSpool()
        self._sources: dict[int, _Source] = {}
        self._conflicts: dict[int, list[_Source]] = {}
        self._names = NearDuplicateNames()

    def add(self, feature: Feature, file: str, location: SourceLocation) -> None:
        """Add the building of a feature, or an error to the result."""
        attributes: Mapping[str, Any] = {}
        try:
            attributes = feature.attributes
            building, warnings = _parse_building(feature, attributes, self._profile)
            self._add(building, file, location)
        except InvalidValue as error:
            self.result.add_error(file, location, error)
            if isinstance(error, _InvalidId):
                self.result.integer_fields.update(name for name, value in attributes.items() if _is_id(value))
        else:
            for warning in warnings:
                self.result.add_warning(file, location, DataWarning("building", building.id, warning))

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

    def _check_name(self, building: Building, source: _Source) -> None:
        warning = self._names.check("name", building.id, building.name or "")
        if warning:
            self.result.add_warning(source.file, source.location, warning)

    def finish(self) -> ReadResult:
        """Reject the buildings with conflicting ids and return the result."""
        for id_, sources in self._conflicts.items():
            error = InvalidValue("id", id_, f"is the id of {len(sources)} different buildings")
            for source in sources:
                self.result.add_error(source.file, source.location, error)
            del self._sources[id_]
        self._spool.exclude(self._conflicts)
        self.result.locations = {id_: (source.file, source.location) for id_, source in self._sources.items()}
        for source in self._sources.values():
            self.result.missing_counts.update(source.missing)
        self.result.records = self._spool
        return self.result


def _parse_building(
    feature: Feature, attributes: Mapping[str, Any], profile: BuildingProfile
) -> tuple[Building, tuple[str, ...]]:
    """Return the building and the warnings about its footprint."""
    id_ = _parse_id(attributes, profile)
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


def _parse_id(attributes: Mapping[str, Any], profile: BuildingProfile) -> int:
    for field in profile.fields["id"]:
        value = attributes.get(field)
        if value is None or (isinstance(value, str) and not value.strip()):
            continue
        try:
            return ids.from_export(value)
        except ValueError as error:
            raise _InvalidId(field, value, str(error)) from None
    raise _InvalidId(" or ".join(profile.fields["id"]), None, "is missing: a building needs an integer id")


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
