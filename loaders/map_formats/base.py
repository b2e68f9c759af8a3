"""What the formats of building exports have in common: features with attributes by name and a footprint."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from loaders.errors import InvalidValue, UnreadableFileError
from loaders.geo.footprint import Footprint
from loaders.profiles import BuildingProfile
from loaders.profiles.positions import PositionSource
from loaders.result import BuildingRead, SourceLocation
from loaders.sources.files import Export
from loaders.syntax.json_stream import JsonRecordReader

# What GIS programs and databases write for an empty value, and Excel for an error, in lower case.
_NULLS = ("", "null", "<null>", "(null)", r"\n", "#n/a", "#name?", "#ref!", "#value!", "#div/0!", "#null!", "#num!")


# Where a record is, what the export says about all of its records, and the record.
Feature = tuple[SourceLocation, "BuildingFormat", Any]


class BuildingFormat(ABC):
    """A format of building exports: its `name` in profiles, its `title` in texts, its `files` in `--help`.

    An instance has what an export says about all of its records, and may have a title that is more precise.
    """

    name: ClassVar[str]
    title: str
    files: ClassVar[str]
    aliases: Mapping[str, Any] = {}

    @staticmethod
    @abstractmethod
    def sniff(head: str) -> bool:
        """Return whether an export with these first characters is in this format."""

    @classmethod
    @abstractmethod
    def features(cls, export: Export, result: BuildingRead, profile: BuildingProfile) -> Iterator[Feature]:
        """Yield each feature with its location; UnreadableFileError if the export is not in this format.

        Adds the page to the result if the export is the response of a server.
        """

    @abstractmethod
    def attributes(self, record: Any) -> Mapping[str, Any]:
        """Return the values of a record by every name that a profile may use for them."""

    @abstractmethod
    def footprint(self, record: Any) -> Footprint:
        """Return the point and the polygons of a record."""

    def positions(self, record: Any) -> list[PositionSource]:
        """Return the sources of the position, if it is in the attributes of a record; the first one is read."""
        return []

    def fields(self, record: Any) -> Mapping[str, Any]:
        """Return the values of a record, each under one name."""
        return self.attributes(record)

    def filled_attributes(self, record: Any) -> Mapping[str, Any]:
        """Return the values that are not null by every name that a profile may use for them."""
        return {name: value for name, value in self.attributes(record).items() if not is_null(value)}

    def ignored_fields(self, record: Any, names: Collection[str]) -> Iterable[str]:
        """Return the values that are not null and that have none of these names, and members that are never read."""
        return (name for name, value in self.fields(record).items() if name not in names and not is_null(value))

    def spatial_reference(self, record: Any) -> str | None:
        """Return the spatial reference that the export names for a record."""
        return None


def is_null(value: object) -> bool:
    """Return whether a value is absent: None, blank text, the word "Null" or an error of Excel."""
    return value is None or (isinstance(value, str) and value.strip().casefold() in _NULLS)


@contextmanager
def export_errors(export: Export) -> Iterator[None]:
    """Turn an InvalidValue about the whole export, such as its CRS, into UnreadableFileError."""
    try:
        yield
    except InvalidValue as error:
        raise UnreadableFileError(export.path, str(error)) from None


class FeatureCollection(BuildingFormat):
    """A JSON object with a list of features; what its `required_members` say must be known before the list."""

    description: ClassVar[str]
    list_names: ClassVar[Collection[str]]
    required_members: ClassVar[Collection[str]]

    def __init__(self, members: Mapping[str, Any], wkid: int | None) -> None:
        self.members = members

    @staticmethod
    @abstractmethod
    def matches(members: Mapping[str, Any]) -> bool:
        """Return whether these can be the members of a document in this format."""

    @abstractmethod
    def settings(self) -> Mapping[str, Any]:
        """Return what the required members stand for, by their names: a CRS by its number, if it has one."""

    @staticmethod
    def is_feature(record: Any) -> bool:
        """Return whether a record of an array or a sequence can be a feature."""
        return False

    @classmethod
    def features(cls, export: Export, result: BuildingRead, profile: BuildingProfile) -> Iterator[Feature]:
        """Yield each feature with its location; UnreadableFileError if the export is not in this format.

        Adds the page to the result.
        """
        reader = JsonRecordReader(export, cls.list_names, cls.required_members)
        opened = None
        first = None
        for location, record in reader:
            if opened is None:
                first = record
                if reader.list_name is None and not cls.is_feature(record):
                    break
                with export_errors(export):
                    opened = cls(reader.members, profile.wkid)
            yield location, opened, record
        if opened is None or reader.list_name is not None:
            cls._check_members(export, reader, first)
        if opened is not None:
            with export_errors(export):
                opened.check_late_members(export, cls(reader.members, profile.wkid))
        result.add_page(*reader.page)

    @classmethod
    def _check_members(cls, export: Export, reader: JsonRecordReader, first: Any) -> None:
        if reader.list_name is None or not (cls.matches(reader.members) or cls.is_feature(first)):
            raise UnreadableFileError(export.path, f"is not {cls.description}")

    def check_late_members(self, export: Export, complete: "FeatureCollection") -> None:
        """Raise UnreadableFileError if members after the features say something else than assumed without them."""
        for member, value in complete.settings().items():
            if value != self.settings()[member]:
                hint = f", or set wkid = {value} in the profile (--wkid {value})" if isinstance(value, str) else ""
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
