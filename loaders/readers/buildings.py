"""Building exports to Building records."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from campus_api.domain.building_fields import TEXT_FIELDS, Building
from loaders.errors import DataWarning, InvalidValue, UnreadableFileError, require_valid
from loaders.map_formats.base import Feature
from loaders.map_formats.positions import position_footprint
from loaders.profiles import BuildingProfile
from loaders.profiles.building_ids import AssignedId, IdAssigner, InvalidId
from loaders.profiles.values import fields_of
from loaders.readers import building_format, read_records
from loaders.readers.collector import BuildingCollector
from loaders.readers.corrections import Corrector
from loaders.readers.sources import FIRST_ASSIGNED, Origin
from loaders.result import BuildingRead, Origins, ProgressCallback, SourceLocation, no_progress
from loaders.sources.files import file_name, sheet_name
from loaders.text import MAX_SHOWN, explain_mojibake

# "%" is safe so that URLs that are already percent-encoded stay unchanged.
_URL_SAFE = "/%:?#[]@!$&'()*+,;=~"
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
# Images in a data URL (RFC 2397) cannot be scripts, unlike SVG.
_IMAGE_URL = re.compile(r"https?://[^/?#]|data:image/(?:png|jpeg|gif|webp);base64,[a-z0-9+/]+=*\Z", re.IGNORECASE)
_HTML = re.compile(r"&(#[0-9]+|#x[0-9a-f]+|[a-z][a-z0-9]*);|</?[a-z][^<>]*>", re.IGNORECASE)
# A text id of one word, not that of OpenStreetMap, such as "way/27".
_CODE = re.compile(r"[^\s/]{1,16}")


def read(
    providers: Sequence[tuple[BuildingProfile, Sequence[Path]]],
    track: ProgressCallback = no_progress,
    assigned_ids: Mapping[str, int] = MappingProxyType({}),
    origins: Origins = MappingProxyType({}),
    first_id: int = 1,
) -> BuildingRead:
    """Read the buildings of map exports, each with the profile of its provider.

    Identical duplicates are counted; different buildings with the same id are all rejected, unless the profiles merge
    them. `assigned_ids` are the integers that text ids have in the database, of which new ones are `first_id` or more,
    `origins` the URLs of downloads.
    UnreadableFileError if a file is not in the format of its profile, or has no records, or is a page of several.
    """
    has_native = not all(profile.assigns_ids for profile, _ in providers)
    assigner = IdAssigner(assigned_ids, FIRST_ASSIGNED if has_native and len(providers) > 1 else first_id)
    collector = BuildingCollector(BuildingRead(assigned_ids=assigner.new, origins=origins))
    for profile, paths in providers:
        _ProviderReader(profile, assigner, collector).read(paths, track)
    return collector.finish()


class _ProviderReader:
    def __init__(self, profile: BuildingProfile, assigner: IdAssigner, collector: BuildingCollector) -> None:
        self._profile = profile
        self._assigner = assigner
        self._collector = collector
        self._corrector = Corrector(profile.corrections)
        self._result = collector.result
        # The names of the fields that have a value in any record.
        self._filled: set[str] = set()

    def read(self, paths: Sequence[Path], track: ProgressCallback) -> None:
        profile = self._profile
        format_class = building_format(profile)
        for path in paths:
            has_records = False
            file = file_name(path)
            export = format_class(profile)
            records = read_records(path, export, self._result, profile.encoding, profile.format)
            for location, feature in track(records):
                has_records = True
                self._add(feature, file, location)
            if not (has_records or sheet_name(path)):
                raise UnreadableFileError(path, "has no records")
            if not has_records:
                self._result.add_warnings(file, [DataWarning(file, None, "has no records")])
        self._corrector.report(self._result)
        self._result.add_warnings(file_name(paths[-1]), self._check_fields())

    def _check_fields(self) -> Iterator[DataWarning]:
        """Yield a warning for each field that a profile names and whose expressions have no value in any record."""
        for field, expressions in self._profile.fields.items():
            names = {name for each in expressions for name in fields_of(each)}
            if field in self._profile.own_fields and names and self._filled and self._filled.isdisjoint(names):
                yield DataWarning(f"fields.{field}", " or ".join(expressions), "has no value in any record")

    def _add(self, record: Feature | InvalidValue, file: str, location: SourceLocation) -> None:
        attributes: Mapping[str, Any] = {}
        try:
            feature: Feature = require_valid(record)
            attributes = feature.attributes
            if not all(condition.matches(attributes) for condition in self._profile.filter):
                self._result.filtered += 1
                return
            self._filled.update(attributes)
            self._result.unread.update(feature.ignored_fields(self._profile.names))
            id_, provider_id = self._parse_id(attributes)
            if self._corrector.retires(id_):
                return
            building, warnings = _parse_building(id_, feature, self._profile)
            if building.code is None and isinstance(provider_id, str) and _CODE.fullmatch(provider_id):
                building = replace(building, code=provider_id)
            origin = Origin(self._profile.name, file, location)
            corrected = self._corrector.correct(building)
            self._collector.add(corrected, origin, provider_id, mergeable=self._profile.merge)
        except InvalidValue as error:
            self._result.add_error(file, location, error)
            if self._profile.format == "table":
                self._result.lists.update(_lists_of_objects({error.field: error.value, **attributes}))
            if isinstance(error, InvalidId):
                self._result.invalid_ids += 1
        else:
            for warning in warnings:
                self._result.add_warning(file, location, DataWarning("building", provider_id, warning))

    def _parse_id(self, attributes: Mapping[str, Any]) -> tuple[int, int | str]:
        """Return the id, and what it is in the export."""
        profile = self._profile
        if isinstance(profile.id, AssignedId):
            text = profile.id.text(attributes)
            return self._assigner.assign(text, profile.namespace), text
        id_ = profile.id.parse(attributes)
        return (self._assigner.assign(str(id_), profile.namespace, FIRST_ASSIGNED) if profile.namespace else id_), id_


def _parse_building(id_: int, feature: Feature, profile: BuildingProfile) -> tuple[Building, tuple[str, ...]]:
    attributes = feature.attributes
    position = profile.position
    footprint = position_footprint(position, attributes, profile.crs) if position else feature.footprint()
    texts: dict[str, Any] = {
        name: _parse_text(name, attributes, profile) or field.unknown for name, field in TEXT_FIELDS.items()
    }
    building = Building(id=id_, **texts, point=footprint.point, polygons=footprint.polygons)
    return building, (*footprint.warnings, *_text_warnings(building, attributes, profile))


def _parse_text(name: str, attributes: Mapping[str, Any], profile: BuildingProfile) -> str | None:
    if TEXT_FIELDS[name].is_image:
        return image_url(profile.raw_text(name, attributes), profile.image_base)
    if TEXT_FIELDS[name].is_served:
        return profile.text(name, attributes) or (profile.city if name == "city" else None)
    words = profile.text(name, {field: _join(value) for field, value in attributes.items()})
    return ";".join(filter(None, map(str.strip, words.split(";"))))


def _join(value: Any) -> Any:
    """Return the words of a list or an object, such as the tags of OpenStreetMap, with semicolons between them."""
    if not isinstance(value, list | dict):
        return value
    values = value.values() if isinstance(value, dict) else value
    return ";".join(each for each in values if isinstance(each, str) and each.isprintable())


def _text_warnings(building: Building, attributes: Mapping[str, Any], profile: BuildingProfile) -> Iterator[str]:
    """Yield a warning for an image that is no URL, and for each text in a wrong encoding or with HTML."""
    for name, field in TEXT_FIELDS.items():
        text = getattr(building, name) or ""
        if field.is_image:
            image = profile.raw_text(name, attributes)[:MAX_SHOWN]
            if image and not text:
                yield f"{name} {image!r} is not the http, https or data URL of an image and is left out"
            continue
        if reason := explain_mojibake(text):
            yield f"{name} {text[:MAX_SHOWN]!r} {reason}"
        if _HTML.search(text):
            yield f"{name} {text[:MAX_SHOWN]!r} has HTML, which is published as text"


def _lists_of_objects(values: Mapping[str, Any]) -> list[str]:
    lists = {name: value for name, value in values.items() if isinstance(value, list)}
    return [name for name, value in lists.items() if any(isinstance(each, dict) for each in value)]


def image_url(text: str, base: str) -> str | None:
    """Return the percent-encoded URL of a photo, None if it is none; file names are appended to `base`.

    It is an http or https URL, or a data URL. Pages link to it: a browser would run a `javascript:` URL.
    """
    if _IMAGE_URL.match(text):
        return quote(text, safe=_URL_SAFE)
    url = base + quote(text)
    return url if text and not _SCHEME.match(text) and _IMAGE_URL.match(url) else None
