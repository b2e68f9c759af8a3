"""What all formats of exports have in common, and dumps of both data sets."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, ClassVar, TypeVar
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from loaders.errors import DataWarning, InvalidValue, UnreadableFileError, require_valid
from loaders.result import SourceLocation
from loaders.sources.files import Export

# Far below the greatest integer that every JSON parser takes, which leaves room for those that follow.
_MAX_ASSIGNED = 2 * 10**15

T = TypeVar("T")


class AssignedIdRecord(Struct):
    """A text id, and the integer that was assigned to it."""

    text: Annotated[str, Meta(min_length=1)]
    id: Annotated[int, Meta(ge=0, le=_MAX_ASSIGNED)]


def decode(record: Any, type_: type[T]) -> T:
    """Return a record as a type; InvalidValue names the member that is invalid."""
    try:
        return msgspec.convert(require_valid(record), type_)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        raise InvalidValue(path.rstrip("`") or "record", None, f"is invalid: {reason}") from None


@contextmanager
def export_errors(export: Export, list_name: str = "", line: int | None = None) -> Iterator[None]:
    """Turn an InvalidValue about the whole export, such as its CRS, or a list of it into UnreadableFileError."""
    try:
        yield
    except InvalidValue as error:
        reason = f"has an invalid record in {list_name}: {error}" if list_name else str(error)
        raise UnreadableFileError(export.path, reason, line) from None


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
        self.restored_ids: dict[str, int] = {}
        self._restored_integers: set[int] = set()
        self.database_id = ""
        # About the export as a whole.
        self.warnings: list[DataWarning] = []
        # The names and digests of the other files of the export.
        self.other_sources: list[dict[str, str]] = []

    def restore_id(self, record: Any) -> None:
        """Add a text id of a dump; InvalidValue if the record is invalid or repeats the text or the integer."""
        assigned = decode(record, AssignedIdRecord)
        if assigned.text in self.restored_ids or assigned.id in self._restored_integers:
            raise InvalidValue(assigned.text, assigned.id, "has the text or the integer of another record")
        self.restored_ids[assigned.text] = assigned.id
        self._restored_integers.add(assigned.id)

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
