"""What all formats of exports have in common."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar
from uuid import UUID

from loaders.errors import DataWarning, UnreadableFileError
from loaders.result import SourceLocation
from loaders.sources.files import Export


class ExportFormat(ABC):
    """A format of exports: its `name` in profiles, its `title` in texts, its `files` in `--help`.

    An instance reads one export. What the export says besides its records is complete after they have been read.
    """

    name: ClassVar[str]
    title: str
    files: ClassVar[str]

    def __init__(self) -> None:
        # The number of records with each element, column or member that is not read.
        self.unread: Counter[str] = Counter()
        # The integers of text ids in a dump.
        self.restored_ids: dict[str, int] = {}
        # The UUID of the database of a dump.
        self.database_id = ""
        # About the export as a whole.
        self.warnings: list[DataWarning] = []
        # The names and digests of the other files of the export.
        self.other_sources: list[dict[str, str]] = []

    def read_database_id(self, export: Export, members: Mapping[str, Any]) -> None:
        """Read the UUID of a dump; UnreadableFileError if it is none."""
        try:
            self.database_id = str(UUID(members["database_id"])) if members.get("database_id") else ""
        except (AttributeError, ValueError):
            raise UnreadableFileError(export.path, "has a database_id that is not a UUID") from None

    @abstractmethod
    def records(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        """Yield each record, or the InvalidValue in place of one, with its location.

        UnreadableFileError if the export is not in this format.
        """
