"""OpenStreetMap XML, https://wiki.openstreetmap.org/wiki/OSM_XML, as the elements that Overpass JSON has."""

from collections.abc import Iterator
from typing import Any

from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.syntax.xml_stream import InvalidXml, XmlRecordReader

_ELEMENTS = ("node", "way", "relation")

Element = dict[str, Any]


def read_elements(export: Export) -> Iterator[tuple[SourceLocation, Element]]:
    """Yield each node, way and relation with its location; UnreadableFileError if it is incomplete."""
    return _OsmReader().read(export)


class _OsmReader(XmlRecordReader[Element]):
    def __init__(self) -> None:
        super().__init__()
        self._element: Element = {}
        self._location = SourceLocation()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in _ELEMENTS:
            self._location = self.location
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
            raise InvalidXml("is incomplete, as it has a remark of the Overpass API")

    def end(self, name: str) -> None:
        if name in _ELEMENTS and not self._element.pop("deleted"):
            self.records.append((self._location, self._element))


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
