"""Buildings as this API returns them at /map/buildings, and as `campus-load dump buildings` writes them."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from campus_api.domain.building_fields import TEXT_FIELDS
from campus_api.domain.models import Position
from loaders.errors import InvalidValue, UnreadableFileError
from loaders.export_format import export_errors
from loaders.geo.coordinates import parse_position, parse_ring
from loaders.geo.footprint import Footprint
from loaders.map_formats.base import BuildingFormat, Feature
from loaders.result import SourceLocation
from loaders.sources.files import Export
from loaders.syntax.json_stream import JsonRecordReader, is_json

_GEOMETRY = re.compile(r'"geometry"\s*:\s*\{\s*"(point|polygons)"\s*:\s*\[')
_BUILDINGS, _IDS = "buildings", "building_ids"
_AXES = "a latitude and a longitude in degrees"


class CampusBuildings(BuildingFormat):
    """An array of buildings, whose points and polygons are used as they are.

    A dump with assigned ids is an object with the lists `buildings` and `building_ids`.
    """

    name = "campus-buildings"
    title = "buildings of this API"
    files = "a dump of this API"

    @staticmethod
    def sniff(head: str) -> bool:
        return is_json(head) and bool(_GEOMETRY.search(head))

    def _raw_records(self, export: Export) -> Iterator[tuple[SourceLocation, Any]]:
        reader = JsonRecordReader(export, [_BUILDINGS, _IDS])
        for location, record in reader:
            if reader.list_name == _IDS:
                with export_errors(export, _IDS, location.line):
                    self.restore_id(record)
            else:
                yield location, record
        if reader.members and _BUILDINGS not in reader.members:
            raise UnreadableFileError(export.path, "is not a JSON array of buildings")
        self.read_database_id(export, reader.members)

    def _parse(self, record: Any) -> Feature:
        if not isinstance(record, dict):
            raise InvalidValue("building", record, "is not a JSON object")
        fields = {name: record.get(name) for name in ("id", *TEXT_FIELDS)}
        unread = record.keys() - fields.keys() - {"geometry"}
        return Feature(fields, partial(_parse_footprint, record.get("geometry")), unread=unread)


def _parse_footprint(geometry: Any) -> Footprint:
    polygons = geometry.get("polygons") if isinstance(geometry, dict) else None
    if not isinstance(geometry, dict) or not isinstance(polygons, list):
        raise InvalidValue("geometry", geometry, "is not an object with a point and polygons")
    point = _require_degrees(parse_position(_AXES, geometry.get("point")))
    rings = (parse_ring(_AXES, each) for each in polygons)
    return Footprint(point, tuple(tuple(map(_require_degrees, ring)) for ring in rings))


def _require_degrees(position: Position) -> Position:
    latitude, longitude = position
    if abs(latitude) > 90 or abs(longitude) > 180:
        raise InvalidValue("geometry", list(position), f"is not {_AXES}")
    return position
