"""Buildings as this API returns them at /map/buildings, and as `campus-load dump buildings` writes them."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from campus_api.domain.models import BUILDING_TEXT_FIELDS, Position
from loaders.errors import InvalidValue
from loaders.geo.coordinates import Ring, parse_position, parse_ring
from loaders.geo.footprint import Footprint
from loaders.map_formats.base import BuildingFormat, Feature
from loaders.profiles import BuildingProfile
from loaders.result import BuildingRead
from loaders.sources.files import Export, is_json
from loaders.sources.json_stream import read_array

_GEOMETRY = re.compile(r'"geometry"\s*:\s*\{\s*"(point|polygons)"\s*:\s*\[')
_AXES = "a latitude and a longitude in degrees"


class CampusBuildings(BuildingFormat):
    """An array of buildings, whose points and polygons are used as they are."""

    name = "campus-buildings"
    title = "buildings of this API"
    files = "a dump of this API"

    @staticmethod
    def sniff(head: str) -> bool:
        return is_json(head) and bool(_GEOMETRY.search(head))

    @classmethod
    def features(cls, export: Export, result: BuildingRead, profile: BuildingProfile) -> Iterator[Feature]:
        for location, record in read_array(export, "buildings"):
            yield location, cls(), record

    def attributes(self, record: Any) -> Mapping[str, Any]:
        if not isinstance(record, dict):
            raise InvalidValue("building", record, "is not a JSON object")
        return {name: record.get(name) for name in ("id", *BUILDING_TEXT_FIELDS)}

    def unread(self, record: Any, names: Collection[str]) -> Iterable[str]:
        return record.keys() - names - {"geometry"}

    def footprint(self, record: Mapping[str, Any]) -> Footprint:
        geometry = record.get("geometry")
        polygons = geometry.get("polygons") if isinstance(geometry, dict) else None
        if not isinstance(geometry, dict) or not isinstance(polygons, list):
            raise InvalidValue("geometry", geometry, "is not an object with a point and polygons")
        return Footprint(_parse_point(geometry.get("point")), tuple(map(_parse_polygon, polygons)))


def _parse_point(value: object) -> Position:
    return _require_degrees(parse_position(_AXES, value))


def _parse_polygon(value: object) -> Ring:
    return tuple(map(_require_degrees, parse_ring(_AXES, value)))


def _require_degrees(position: Position) -> Position:
    latitude, longitude = position
    if abs(latitude) > 90 or abs(longitude) > 180:
        raise InvalidValue("geometry", list(position), f"is not {_AXES}")
    return position
