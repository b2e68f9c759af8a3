"""JSON documents with a list of features: GeoJSON and the responses of ArcGIS servers."""

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar

from loaders.errors import InvalidValue, UnreadableFileError
from loaders.profiles import BuildingProfile
from loaders.readers.features import BuildingFormat, Feature, export_errors
from loaders.result import BuildingRead, SourceLocation
from loaders.sources.files import Export
from loaders.sources.json_stream import JsonRecordReader


class FeatureCollection(BuildingFormat):
    """A JSON object with a list of features; `required_members` must be before the list."""

    description: ClassVar[str]
    list_names: ClassVar[Collection[str]]
    required_members: ClassVar[Collection[str]]

    def __init__(self, members: Mapping[str, Any], wkid: int | None) -> None:
        self.members = members

    @staticmethod
    @abstractmethod
    def matches(members: Mapping[str, Any]) -> bool:
        """Return whether these can be the members of a document in this format."""

    @staticmethod
    def is_feature(record: Any) -> bool:
        """Return whether a record of an array or a sequence can be a feature."""
        return False

    @classmethod
    def features(
        cls, export: Export, result: BuildingRead, profile: BuildingProfile
    ) -> Iterator[tuple[SourceLocation, Feature]]:
        """Yield each feature with its location; UnreadableFileError if the export is not in this format.

        Notes in the result whether the ArcGIS server truncated its response (`exceededTransferLimit`).
        """
        reader = JsonRecordReader(export, cls.list_names)
        opened = None
        members_before: frozenset[str] = frozenset()
        for location, record in reader:
            if opened is None:
                if reader.list_name is None and not cls.is_feature(record):
                    break
                with export_errors(export):
                    opened = cls(reader.members, profile.wkid)
                members_before = frozenset(reader.members)
            yield location, Feature(opened, record)
        if opened is None or reader.list_name is not None:
            cls._check_members(export, reader, late=reader.members.keys() - members_before if opened else set())
        result.is_truncated = any(
            members.get("exceededTransferLimit") is True
            for members in (reader.members, reader.members.get("properties"))
            if isinstance(members, dict)
        )

    @classmethod
    def _check_members(cls, export: Export, reader: JsonRecordReader, late: set[str]) -> None:
        if reader.list_name is None or not cls.matches(reader.members):
            raise UnreadableFileError(export.path, f"is not {cls.description}")
        for member in cls.required_members:
            if member in late:
                raise UnreadableFileError(export.path, f"has its {member} after the features: it must come before them")


def object_member(name: str, record: Any) -> Mapping[str, Any]:
    """Return a member that is an object, {} if absent; InvalidValue if it or the record is anything else."""
    if not isinstance(record, dict):
        raise InvalidValue("feature", record, "is not a JSON object")
    value = record.get(name)
    if not isinstance(value, dict | None):
        raise InvalidValue(name, value, "is not a JSON object")
    return value or {}
