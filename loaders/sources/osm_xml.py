"""OpenStreetMap XML, https://wiki.openstreetmap.org/wiki/OSM_XML, as the elements that Overpass JSON has."""

from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from loaders.errors import UnreadableFileError
from loaders.result import SourceLocation
from loaders.sources.files import CHUNK_SIZE, Export

_ELEMENTS = ("node", "way", "relation")

Element = dict[str, Any]


def read_elements(export: Export) -> Iterator[tuple[SourceLocation, Element]]:
    """Yield each node, way and relation with its location; UnreadableFileError if it is incomplete."""
    parser = _Parser()
    try:
        while chunk := export.text.read(CHUNK_SIZE):
            yield from parser.parse(chunk)
        yield from parser.parse("", is_last=True)
    except expat.ExpatError as error:
        reason = f"is not XML: {expat.ErrorString(error.code)}"
        raise UnreadableFileError(export.path, reason, error.lineno) from None
    except _IncompleteXml as error:
        raise UnreadableFileError(export.path, str(error), parser.line) from None


class _IncompleteXml(ValueError):
    """XML with a remark that the server did not write all of it."""


class _Parser:
    """Incremental parser of the XML, which begins with the root element: no DTD can define huge entities."""

    def __init__(self) -> None:
        self._elements: list[tuple[SourceLocation, Element]] = []
        self._element: Element = {}
        self._location = SourceLocation()
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end

    @property
    def line(self) -> int:
        """Return the current line."""
        return self._parser.CurrentLineNumber

    def parse(self, chunk: str, *, is_last: bool = False) -> list[tuple[SourceLocation, Element]]:
        """Return the elements that end in a chunk."""
        self._elements = []
        self._parser.Parse(chunk, is_last)
        return self._elements

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name in _ELEMENTS:
            self._location = SourceLocation(self.line)
            self._element = {"type": name, **{key: _number(attributes.get(key, "")) for key in ("id", "lat", "lon")}}
            # What an editor has deleted, but not uploaded yet.
            self._element["deleted"] = attributes.get("action") == "delete" or attributes.get("visible") == "false"
        elif name == "tag":
            self._element.setdefault("tags", {})[attributes.get("k", "")] = attributes.get("v", "")
        elif name == "nd":
            self._element.setdefault("nodes", []).append(_number(attributes.get("ref", "")))
            if "lat" in attributes:
                self._element.setdefault("geometry", []).append(_position(attributes))
        elif name == "member":
            reference = {"type": attributes.get("type"), "role": attributes.get("role", "")}
            self._element.setdefault("members", []).append({**reference, "ref": _number(attributes.get("ref", ""))})
        elif name == "center":
            self._element["center"] = _position(attributes)
        elif name == "remark":
            raise _IncompleteXml("is incomplete, as it has a remark of the Overpass API")

    def _end(self, name: str) -> None:
        if name in _ELEMENTS and not self._element.pop("deleted"):
            self._elements.append((self._location, self._element))


def _position(attributes: dict[str, str]) -> dict[str, int | float | str]:
    return {"lat": _number(attributes.get("lat", "")), "lon": _number(attributes.get("lon", ""))}


def _number(text: str) -> int | float | str:
    """Return a number, or the text if it is none, which is invalid wherever it is used."""
    for parse in (int, float):
        try:
            return parse(text)
        except ValueError:
            continue
    return text
