"""Building exports -> Building records; reads files, writes nothing."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from campus_api import ids
from campus_api.models import Building
from loaders.documents.spool import Spool, encode
from loaders.errors import DataWarning, InvalidValue
from loaders.profiles import BuildingProfile
from loaders.readers.features import Feature, features
from loaders.readers.files import file_name, gc_disabled, open_export
from loaders.readers.near_duplicates import NearDuplicateNames
from loaders.readers.result import ProgressCallback, ReadResult, SourceLocation, no_progress

# What a percent-encoded URL may hold as it is: the encoding of a name that is encoded already must not change.
_SAFE_IN_A_URL = "/%:?#[]@!$&'()*+,;=~"
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_MAY_LACK = ("name", "address", "city", "image")


def read(paths: Iterable[Path], profile: BuildingProfile, track: ProgressCallback = no_progress) -> ReadResult:
    """Return every building of GeoJSON or Esri JSON; UnreadableFileError for a file that is not what the profile says.

    Features that say the same again are counted; those that say something else of the same id are all bad.
    """
    reader = _Reader(profile)
    for path in paths:
        with gc_disabled(), open_export(path, reader.reading) as export:
            for place, feature in track(features(export, reader.reading, profile.format, profile.wkid)):
                reader.add(feature, file_name(path), place)
    return reader.finish()


class _BadId(InvalidValue):
    """An id that no building can have."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is remembered of a building while others are read."""

    digest: bytes
    file: str
    location: SourceLocation
    lacking: tuple[str, ...]


class _Reader:
    """The buildings read so far, on the disk, and what of them must be remembered."""

    def __init__(self, profile: BuildingProfile) -> None:
        self.reading = ReadResult()
        self._profile = profile
        self._spool = Spool()
        self._seen: dict[int, _Seen] = {}
        self._conflicts: dict[int, list[_Seen]] = {}
        self._lookalikes = NearDuplicateNames()

    def add(self, feature: Feature, file: str, place: SourceLocation) -> None:
        """Take a feature, which may be bad or say the same as one before."""
        attributes: Mapping[str, Any] = {}
        try:
            attributes = feature.attributes
            building, warnings = _building(feature, attributes, self._profile)
            self._add(building, file, place)
        except InvalidValue as bad:
            self.reading.add_error(file, place, bad)
            if isinstance(bad, _BadId):
                self.reading.integer_fields.update(name for name, value in attributes.items() if _is_id(value))
        else:
            for warning in warnings:
                self.reading.add_warning(file, place, DataWarning("building", building.id, warning))

    def _add(self, building: Building, file: str, place: SourceLocation) -> None:
        encoded = encode(building)
        new, first = _Seen(encoded.digest, file, place, _lacking(building)), self._seen.get(building.id)
        if first is None:
            self._spool.append(building, encoded)
            self._seen[building.id] = new
            self._look_alike(building, new)
        elif new.digest in {seen.digest for seen in self._conflicts.get(building.id, [first])}:
            self.reading.duplicates += 1
        else:
            self._conflicts.setdefault(building.id, [first]).append(new)

    def _look_alike(self, building: Building, new: _Seen) -> None:
        odd = self._lookalikes.check("name", building.id, building.name or "")
        if odd:
            self.reading.add_warning(new.file, new.location, odd)

    def finish(self) -> ReadResult:
        """Return what was read, without the buildings that share an id."""
        for id_, conflicts in self._conflicts.items():
            error = InvalidValue("id", id_, f"is the id of {len(conflicts)} different buildings")
            for seen in conflicts:
                self.reading.add_error(seen.file, seen.location, error)
            del self._seen[id_]
        self._spool.leave_out(self._conflicts)
        self.reading.locations = {id_: (seen.file, seen.location) for id_, seen in self._seen.items()}
        for seen in self._seen.values():
            self.reading.missing_counts.update(f"without {field}" for field in seen.lacking)
        self.reading.records = self._spool
        return self.reading


def _building(
    feature: Feature, attributes: Mapping[str, Any], profile: BuildingProfile
) -> tuple[Building, tuple[str, ...]]:
    id_ = _id(attributes, profile)
    place = feature.footprint
    building = Building(
        id=id_,
        name=profile.text("name", attributes) or None,
        address=profile.text("address", attributes),
        city=profile.text("city", attributes) or profile.city,
        image=_url(profile.raw_text("image", attributes), profile.image_base),
        point=place.point,
        polygons=place.polygons,
    )
    return building, place.warnings


def _id(attributes: Mapping[str, Any], profile: BuildingProfile) -> int:
    for field in profile.fields["id"]:
        value = attributes.get(field)
        if value is None or (isinstance(value, str) and not value.strip()):
            continue
        try:
            return ids.from_export(value)
        except ValueError as error:
            raise _BadId(field, value, str(error)) from None
    raise _BadId(" or ".join(profile.fields["id"]), None, "is missing: a building needs an integer id")


def _is_id(value: object) -> bool:
    try:
        ids.from_export(value)
    except ValueError:
        return False
    return True


def _url(text: str, base: str) -> str | None:
    """Return a photo's URL: one of its own with what no URL may hold encoded, or `base` and a file name.

    BadValue for a URL of another scheme than http and https: a browser would run what `javascript:` has.
    """
    if text.casefold().startswith(("http://", "https://")):
        return quote(text, safe=_SAFE_IN_A_URL)
    if _SCHEME.match(text):
        raise BadValue("image", text, "is neither an http or https URL nor the name of a file")
    return base + quote(text) if text and base else text or None


def _lacking(building: Building) -> tuple[str, ...]:
    return tuple(field for field in _MAY_LACK if not getattr(building, field))
