"""Records of an XML export, which is parsed incrementally."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Generic, TypeVar
from xml.parsers import expat

from loaders.errors import UnreadableFileError
from loaders.result import SourceLocation
from loaders.sources.files import CHUNK_SIZE, Export
from loaders.syntax.dtd import InvalidXml, ignore_dtd

T = TypeVar("T")


class XmlRecordReader(ABC, Generic[T]):
    """Incremental parser of one export. A DTD is not read, and must not define entities, which could be huge.

    `start` and `end` append each record to `records`, and raise InvalidXml. `location` is that of the current element.
    """

    def __init__(self) -> None:
        self.records: list[tuple[SourceLocation, T]] = []
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self.start
        self._parser.EndElementHandler = self.end
        self._parser.CharacterDataHandler = self.add_text
        ignore_dtd(self._parser)

    def read(self, export: Export) -> Iterator[tuple[SourceLocation, T]]:
        """Yield the records with their locations; UnreadableFileError if the export is invalid."""
        try:
            while chunk := export.text.read(CHUNK_SIZE):
                yield from self._parse(chunk)
            yield from self._parse("", is_last=True)
        except expat.ExpatError as error:
            reason = f"is not XML: {expat.ErrorString(error.code)}"
            raise UnreadableFileError(export.path, reason, error.lineno) from None
        except InvalidXml as error:
            raise UnreadableFileError(export.path, str(error), self.location.line) from None

    @property
    def location(self) -> SourceLocation:
        """Return the current line."""
        return SourceLocation(self._parser.CurrentLineNumber)

    @abstractmethod
    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element; `name` has its namespace and a blank before it, if it has one."""

    @abstractmethod
    def end(self, name: str) -> None:
        """Handle the end of an element."""

    def add_text(self, text: str) -> None:
        """Handle a part of the text of an element."""

    def _parse(self, chunk: str, *, is_last: bool = False) -> list[tuple[SourceLocation, T]]:
        """Return the records that end in a chunk."""
        self.records = []
        self._parser.Parse(chunk, is_last)
        return self.records
