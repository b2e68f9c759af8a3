"""What all formats of exports have in common."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from typing import Any, ClassVar

from loaders.errors import DataWarning
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
        # About the export as a whole.
        self.warnings: list[DataWarning] = []
        # The names and digests of the other files of the export.
        self.other_sources: list[dict[str, str]] = []

    @abstractmethod
    def records(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        """Yield each record, or the InvalidValue in place of one, with its location.

        UnreadableFileError if the export is not in this format.
        """
