"""Elements of OpenStreetMap: Overpass JSON or XML, which has elements with the same members.

https://dev.overpass-api.de/output_formats.html#json, https://wiki.openstreetmap.org/wiki/OSM_XML
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any
from xml.parsers import expat

import shapely
import xmltodict
from shapely.geometry import LineString, Polygon

from campus_api.domain.models import Position
from loaders.errors import InvalidValue, UnreadableFileError
from loaders.geo.coordinates import Ring, parse_position, require_list
from loaders.geo.crs import WGS84
from loaders.geo.footprint import Footprint, point_footprint, polygon_footprint
from loaders.map_formats.base import BuildingFormat, Feature
from loaders.profiles import BuildingProfile
from loaders.result import SourceLocation
from loaders.sources.content import xml_root
from loaders.sources.dtd import WITHOUT_DTD, InvalidXml
from loaders.sources.files import CHUNK_SIZE, Export
from loaders.syntax.json_stream import JsonRecordReader, is_json

Element = dict[str, Any]

_XML_ROOT = "osm"
_TYPES = ("node", "way", "relation")
# Of XML, the members of an element that it may have several times.
_LISTS = ("tag", "nd", "member", "center")
_DELETED = {("action", "delete"), ("visible", "false")}
_ELEMENTS = re.compile(r'"elements"\s*:\s*\[')
# https://wiki.openstreetmap.org/wiki/Relation:multipolygon and Relation:building
_OUTER_ROLES = ("outer", "outline", "")
_MIN_CLOSED_LENGTH = 4
# Elements are held in memory, as they may be referred to before they come: half a million take half a gigabyte.
_MAX_ELEMENTS = 500_000


class Overpass(BuildingFormat):
    """Elements with tags; ways and relations refer to other elements unless they have their own geometry."""

    name = "overpass"
    title = "Overpass JSON"
    files = "Overpass JSON, OpenStreetMap XML (.osm)"

    def __init__(self, profile: BuildingProfile) -> None:
        super().__init__(profile)
        self._elements: dict[str, dict[int, Mapping[str, Any]]] = {"node": {}, "way": {}}
        self._number = 0
        self._tagged: list[tuple[SourceLocation, Any]] = []

    @staticmethod
    def sniff(head: str) -> bool:
        return bool(_ELEMENTS.search(head)) if is_json(head) else xml_root(head) == _XML_ROOT

    def _raw_records(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        """Yield the elements with tags, after all elements have been read."""
        if xml_root(export.head) == _XML_ROOT:
            self.title = "OpenStreetMap XML"
            self._read_xml(export)
        else:
            for location, element in _json_elements(export):
                self._add(export, location, element)
        yield from self._tagged

    def _read_xml(self, export: Export) -> None:
        def add(path: list[tuple[str, Any]], members: Any) -> bool:
            name, attributes = path[-1]
            if name == "remark":
                raise InvalidXml("is incomplete, as it has a remark of the Overpass API")
            # What an editor has deleted, but not uploaded yet, is no element.
            if name in _TYPES and attributes and not _DELETED & attributes.items():
                self._add(export, SourceLocation(record=self._number + 1), _element(name, members))
            return True

        chunks = (chunk for chunk in iter(lambda: export.text.read(CHUNK_SIZE), ""))
        try:
            xmltodict.parse(chunks, item_depth=2, item_callback=add, force_list=_LISTS, expat=WITHOUT_DTD)
        except expat.ExpatError as error:
            reason = f"is not XML: {expat.ErrorString(error.code)}"
            raise UnreadableFileError(export.path, reason, error.lineno) from None
        except InvalidXml as error:
            raise UnreadableFileError(export.path, str(error)) from None

    def _parse(self, record: Any) -> Feature:
        """Return the tags, the id of the element, and "@id" with its type."""
        if not isinstance(record, dict) or not isinstance(record["tags"], dict):
            raise InvalidValue("element", record, "is not a JSON object with tags")
        ids = {"id": record.get("id"), "@id": f"{record.get('type')}/{record.get('id')}"}
        return Feature({**record["tags"], **ids}, partial(self._footprint, record), implied=ids)

    def _footprint(self, record: Mapping[str, Any]) -> Footprint:
        if "center" in record or record.get("type") == "node":
            return point_footprint(_position(record.get("center", record)), WGS84)
        if record.get("type") == "way":
            line = self._line(record)
            if len(line) < _MIN_CLOSED_LENGTH or line[0] != line[-1]:
                raise InvalidValue("geometry", None, "is a line, not a closed way")
            return polygon_footprint([[tuple(line)]], WGS84)
        if record.get("type") == "relation":
            return polygon_footprint(self._polygons(record), WGS84)
        raise InvalidValue("type", record.get("type"), "is not one of node, way, relation")

    def _add(self, export: Export, location: SourceLocation, element: Any) -> None:
        """Remember an element, which others may refer to before or after it."""
        self._number += 1
        if self._number > _MAX_ELEMENTS:
            raise UnreadableFileError(export.path, f"has over {_MAX_ELEMENTS:,} elements: request fewer")
        if not isinstance(element, dict) or element.get("tags"):
            self._tagged.append((location, element))
        has_id = isinstance(element, dict) and type(element.get("id")) is int
        if has_id and element.get("type") in ("node", "way"):
            self._elements[element["type"]][element["id"]] = element

    def _line(self, way: Mapping[str, Any]) -> list[Position]:
        points = way.get("geometry")
        if points is None:
            points = [self._element("node", id_) for id_ in require_list("nodes", way.get("nodes"))]
        return [_position(point) for point in require_list("positions", points)]

    def _element(self, type_: str, id_: Any) -> Mapping[str, Any]:
        if type(id_) is not int or id_ not in self._elements[type_]:
            raise InvalidValue("geometry", f"{type_}/{id_}", "is not in the export: request it with `out geom`")
        return self._elements[type_][id_]

    def _polygons(self, relation: Mapping[str, Any]) -> list[list[Ring]]:
        """Return each outer ring followed by its holes."""
        members = require_list("members", relation.get("members"))
        ways = [member for member in members if isinstance(member, dict) and member.get("type") == "way"]
        outer = self._rings([way for way in ways if way.get("role", "") in _OUTER_ROLES])
        inner = self._rings([way for way in ways if way.get("role") == "inner"])
        if not outer:
            raise InvalidValue("geometry", None, "has no outer way")
        polygons = ([shell, *filter(shell.covers, inner)] for shell in outer)
        return [[tuple(ring.exterior.coords) for ring in rings] for rings in polygons]

    def _rings(self, members: Iterable[Mapping[str, Any]]) -> list[Polygon]:
        ways = [way if "geometry" in way else self._element("way", way.get("ref")) for way in members]
        lines = [self._line(way) for way in ways]
        if any(len(line) < 2 for line in lines):
            raise InvalidValue("geometry", None, "has a way of fewer than two nodes")
        rings, *unclosed = shapely.polygonize_full(list(map(LineString, lines)))
        if any(not lines.is_empty for lines in unclosed):
            raise InvalidValue("geometry", None, "has ways that do not form closed rings")
        return [Polygon(ring.exterior) for ring in rings.geoms]


def _json_elements(export: Export) -> Iterator[tuple[SourceLocation, Any]]:
    reader = JsonRecordReader(export, ["elements"])
    yield from reader
    if reader.list_name is None:
        raise UnreadableFileError(export.path, "is not Overpass JSON with a list of elements")
    if remark := reader.members.get("remark"):
        raise UnreadableFileError(export.path, f"is incomplete, as it has the remark {remark!r}")


def _position(point: Any) -> Position:
    """Return the longitude and latitude of a node; of a way that is cut off, points outside are null."""
    if not isinstance(point, dict):
        raise InvalidValue("geometry", point, "is not a node with lat and lon")
    return parse_position("a longitude and a latitude", [point.get("lon"), point.get("lat")])


def _element(type_: str, members: Element) -> Element:
    """Return an element of XML, whose attributes have the prefix @, as JSON has it."""
    tags, nodes, references, centers = (
        [each for each in members.get(name, ()) if isinstance(each, dict)] for name in _LISTS
    )
    element: Element = {"type": type_, **_numbers(members, "id", "lat", "lon")}
    others = {
        "tags": {tag.get("@k", ""): tag.get("@v", "") for tag in tags},
        "nodes": [_number(node.get("@ref", "")) for node in nodes],
        "geometry": [_numbers(node, "lat", "lon") for node in nodes if "@lat" in node],
        "members": list(map(_member, references)),
        "center": _numbers(centers[0], "lat", "lon") if centers else None,
    }
    return element | {name: value for name, value in others.items() if value}


def _member(members: Element) -> Element:
    reference = {"role": members.get("@role", ""), **_numbers(members, "ref")}
    return _element(members.get("@type", ""), members | {"member": ()}) | reference


def _numbers(members: Element, *names: str) -> Element:
    return {name: _number(members.get(f"@{name}", "")) for name in names}


def _number(text: str) -> int | float | str:
    """Return a number, or the text if it is none, which is invalid wherever it is used."""
    for parse in (int, float):
        with suppress(ValueError):
            return parse(text)
    return text
