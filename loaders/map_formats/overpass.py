"""Elements of OpenStreetMap: Overpass JSON or XML, which has elements with the same members.

https://dev.overpass-api.de/output_formats.html#json, https://wiki.openstreetmap.org/wiki/OSM_XML
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import shapely
from shapely.geometry import LineString, MultiPolygon, Point, Polygon

from campus_api.domain.models import Position
from loaders.errors import InvalidValue, UnreadableFileError
from loaders.geo.coordinates import parse_position, require_list
from loaders.geo.crs import WGS84
from loaders.geo.footprint import Footprint
from loaders.geo.geojson import geometry_footprint
from loaders.map_formats.base import BuildingFormat, Feature
from loaders.profiles import BuildingProfile
from loaders.result import SourceLocation
from loaders.sources.content import xml_root
from loaders.sources.files import Export
from loaders.syntax.dtd import InvalidXml
from loaders.syntax.json_stream import JsonRecordReader, is_json
from loaders.syntax.xml_stream import XmlRecordReader

Element = dict[str, Any]

_XML_ROOT = "osm"
_TYPES = ("node", "way", "relation")
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

    @staticmethod
    def sniff(head: str) -> bool:
        return bool(_ELEMENTS.search(head)) if is_json(head) else xml_root(head) == _XML_ROOT

    def _raw_records(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        """Yield the elements with tags, after all elements have been read."""
        elements = _json_elements(export)
        if xml_root(export.head) == _XML_ROOT:
            self.title = "OpenStreetMap XML"
            elements = _OsmReader().read(export)
        tagged: list[tuple[SourceLocation, Any]] = []
        for number, (location, element) in enumerate(elements, start=1):
            if number > _MAX_ELEMENTS:
                raise UnreadableFileError(export.path, f"has over {_MAX_ELEMENTS:,} elements: request fewer")
            self._add(element)
            if not isinstance(element, dict) or element.get("tags"):
                tagged.append((location, element))
        yield from tagged

    def _parse(self, record: Any) -> Feature:
        """Return the tags, the id of the element, and "@id" with its type."""
        if not isinstance(record, dict) or not isinstance(record["tags"], dict):
            raise InvalidValue("element", record, "is not a JSON object with tags")
        ids = {"id": record.get("id"), "@id": f"{record.get('type')}/{record.get('id')}"}
        return Feature({**record["tags"], **ids}, partial(self._footprint, record), implied=ids)

    def _footprint(self, record: Mapping[str, Any]) -> Footprint:
        if "center" in record:
            return geometry_footprint(Point(_position(record["center"])), WGS84)
        if record.get("type") == "node":
            return geometry_footprint(Point(_position(record)), WGS84)
        if record.get("type") == "way":
            return geometry_footprint(_ring(self._line(record)), WGS84)
        if record.get("type") == "relation":
            return geometry_footprint(self._multipolygon(record), WGS84)
        raise InvalidValue("type", record.get("type"), "is not one of node, way, relation")

    def _add(self, element: Any) -> None:
        """Remember an element, which others may refer to before or after it."""
        if isinstance(element, dict) and element.get("type") in ("node", "way") and type(element.get("id")) is int:
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

    def _multipolygon(self, relation: Mapping[str, Any]) -> MultiPolygon:
        members = require_list("members", relation.get("members"))
        ways = [member for member in members if isinstance(member, dict) and member.get("type") == "way"]
        outer = self._rings([way for way in ways if way.get("role", "") in _OUTER_ROLES])
        inner = self._rings([way for way in ways if way.get("role") == "inner"])
        if not outer:
            raise InvalidValue("geometry", None, "has no outer way")
        return MultiPolygon(
            [(shell.exterior, [hole.exterior for hole in inner if shell.covers(hole)]) for shell in outer]
        )

    def _rings(self, members: Iterable[Mapping[str, Any]]) -> list[Polygon]:
        """Return the rings that ways form together."""
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


def _ring(line: list[Position]) -> Polygon:
    if len(line) < _MIN_CLOSED_LENGTH or line[0] != line[-1]:
        raise InvalidValue("geometry", None, "is a line, not a closed way")
    return Polygon(line)


def _position(point: Any) -> Position:
    """Return the longitude and latitude of a node; of a way that is cut off, points outside are null."""
    if not isinstance(point, dict):
        raise InvalidValue("geometry", point, "is not a node with lat and lon")
    return parse_position("a longitude and a latitude", [point.get("lon"), point.get("lat")])


class _OsmReader(XmlRecordReader[Element]):
    """Reader of each node, way and relation of XML."""

    def __init__(self) -> None:
        super().__init__()
        self._element: Element = {}
        self._location = SourceLocation()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in _TYPES:
            self._location = self.location
            self._element = {"type": name, **{key: _number(attributes.get(key, "")) for key in ("id", "lat", "lon")}}
            # What an editor has deleted, but not uploaded yet.
            self._element["deleted"] = attributes.get("action") == "delete" or attributes.get("visible") == "false"
        elif name == "tag":
            self._element.setdefault("tags", {})[attributes.get("k", "")] = attributes.get("v", "")
        elif name == "nd":
            self._element.setdefault("nodes", []).append(_number(attributes.get("ref", "")))
            if "lat" in attributes:
                self._element.setdefault("geometry", []).append(_xml_position(attributes))
        elif name == "member":
            reference = {"type": attributes.get("type"), "role": attributes.get("role", "")}
            self._element.setdefault("members", []).append({**reference, "ref": _number(attributes.get("ref", ""))})
        elif name == "center":
            self._element["center"] = _xml_position(attributes)
        elif name == "remark":
            raise InvalidXml("is incomplete, as it has a remark of the Overpass API")

    def end(self, name: str) -> None:
        if name in _TYPES and not self._element.pop("deleted"):
            self.records.append((self._location, self._element))


def _xml_position(attributes: dict[str, str]) -> dict[str, int | float | str]:
    return {"lat": _number(attributes.get("lat", "")), "lon": _number(attributes.get("lon", ""))}


def _number(text: str) -> int | float | str:
    """Return a number, or the text if it is none, which is invalid wherever it is used."""
    for parse in (int, float):
        try:
            return parse(text)
        except ValueError:
            continue
    return text
