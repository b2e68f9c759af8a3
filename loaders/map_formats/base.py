"""What the formats of building exports have in common: features with fields by name and a footprint."""

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from loaders.errors import InvalidValue, UnreadableFileError, require_valid
from loaders.export_format import ExportFormat, export_errors
from loaders.geo.crs import CRS
from loaders.geo.footprint import Footprint
from loaders.map_formats.positions import is_geometry, numbered
from loaders.profiles import BuildingProfile
from loaders.profiles.building_settings import PositionFields
from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.syntax.json_stream import JsonRecordReader, require_all
from loaders.text import SHEET_COLUMN, in_one_language, is_blank

_MAX_DEPTH = 4
_NESTED = frozenset({dict, list})


@dataclass(frozen=True)
class Feature:
    """A record of an export: its fields, each under one name, and the function that parses its geometry.

    `other_names` has the field of each other name. `positions` are the fields that may have a position, of which
    the first one is read. The fields that are `implied` are no loss, whatever the profile reads; the `unread` members
    are never read.
    """

    fields: Mapping[str, Any]
    footprint: Callable[[], Footprint]
    other_names: Mapping[str, str] = field(default_factory=dict)
    positions: Sequence[PositionFields] = ()
    implied: Collection[str] = ()
    unread: Collection[str] = ()

    @cached_property
    def attributes(self) -> dict[str, Any]:
        """The values that are not null by every name that a profile may use for them, such as "name.en"."""
        filled = {name: value for name, value in self.fields.items() if not is_blank(value)}
        if not _NESTED.isdisjoint(map(type, filled.values())):
            nested = {name: value for name, value in filled.items() if type(value) in _NESTED}
            indexed = {name: numbered(value) for name, value in nested.items()}
            members = flatten(indexed, is_geometry)
            texts = {name: in_one_language(value) for name, value in flatten(nested, is_field)}
            filled = {**dict(members), **filled, **texts}
        others = {name: filled[field] for name, field in self.other_names.items() if field in filled}
        return filled | others if others else filled

    def ignored_fields(self, names: Collection[str]) -> Iterator[str]:
        """Yield the fields that are not null and have none of these names, and the members that are never read."""
        read = {self.other_names.get(name, name) for name in names}.union(self.implied, [SHEET_COLUMN])
        for name, value in self.fields.items():
            is_part = type(value) in _NESTED and any(each.startswith(f"{name}.") for each in names)
            if name in self.attributes and name not in read and not is_part:
                yield name
        yield from self.unread


def is_field(value: Any) -> bool:
    """Return whether an object is a value, and its members no fields."""
    return is_geometry(value) or in_one_language(value) is not value


def flatten(
    members: Mapping[Any, Any], is_whole: Callable[[Any], bool], prefix: str = "", depth: int = 1
) -> Iterator[tuple[str, Any]]:
    """Yield the members of objects, but for those that are whole, by their paths, such as "location.lat"."""
    for name, value in members.items():
        if isinstance(value, dict) and not is_whole(value) and depth < _MAX_DEPTH:
            yield from flatten(value, is_whole, f"{prefix}{name}.", depth + 1)
        else:
            yield f"{prefix}{name}", value


class BuildingFormat(ExportFormat):
    """A format of building exports; an instance may have a title that is more precise."""

    def __init__(self, profile: BuildingProfile) -> None:
        super().__init__()
        self._profile = profile
        # In which text has words whose encoding the export does not name.
        self.code_page = ""
        # The titles of fields, by name.
        self.aliases: Mapping[str, Any] = {}

    @staticmethod
    @abstractmethod
    def sniff(head: str) -> bool:
        """Return whether an export with these first characters is in this format."""

    @abstractmethod
    def _raw_records(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        """Yield each record as it is written, with its location; UnreadableFileError as of `records`."""

    @abstractmethod
    def _parse(self, record: Any) -> Feature:
        """Return the feature of a record; InvalidValue if it is none."""

    def records(self, export: Export) -> Iterator[tuple[SourceLocation, Feature | InvalidValue]]:
        """Yield each feature, or the InvalidValue in place of one, with its location."""
        for location, record in self._raw_records(export):
            try:
                yield location, self._parse(require_valid(record))
            except InvalidValue as error:
                yield location, error


class FeatureCollection(BuildingFormat):
    """A JSON object with a list of features; the members that say how to read them must come before the list."""

    description: ClassVar[str]
    list_names: ClassVar[Collection[str]]

    def __init__(self, profile: BuildingProfile) -> None:
        super().__init__(profile)
        self.members: Mapping[str, Any] = {}
        self.settings: Mapping[str, Any] = {}

    @staticmethod
    @abstractmethod
    def matches(members: Mapping[str, Any]) -> bool:
        """Return whether these can be the members of a document in this format."""

    @abstractmethod
    def _parse_settings(self) -> Mapping[str, Any]:
        """Return what the members before the list stand for, by their names; InvalidValue if they cannot be used."""

    @staticmethod
    def is_feature(record: Any) -> bool:
        """Return whether a record of an array or a sequence can be a feature."""
        return False

    def _raw_records(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        reader = JsonRecordReader(export, self.list_names)
        is_feature, number = False, 0
        for number, (location, record) in enumerate(reader, start=1):
            if number == 1:
                is_feature = self.is_feature(record)
                if reader.list_name is None and not is_feature:
                    break
                self.members = reader.members
                with export_errors(export):
                    self.settings = self._parse_settings()
            yield location, record
        if not is_feature and (reader.list_name is None or not self.matches(reader.members)):
            raise UnreadableFileError(export.path, f"is not {self.description}")
        if self.settings:
            self._check_late_members(export)
        require_all(export, number, reader.all_members, "features")

    def _check_late_members(self, export: Export) -> None:
        """Raise UnreadableFileError if members after the features say something else than assumed without them."""
        with export_errors(export):
            settings = self._parse_settings()
        for member, value in settings.items():
            if value != self.settings[member]:
                hint = ", or wkid in the profile say it (--wkid)" if isinstance(value, CRS) else ""
                reason = f"has its {member} after the features: it must come before them{hint}"
                raise UnreadableFileError(export.path, reason)


def object_member(name: str, record: Any) -> Mapping[str, Any]:
    """Return a member that is an object, {} if absent; InvalidValue if it or the record is anything else."""
    if not isinstance(record, dict):
        raise InvalidValue("feature", record, "is not a JSON object")
    value = record.get(name)
    if not isinstance(value, dict | None):
        raise InvalidValue(name, value, "is not a JSON object")
    return value or {}
