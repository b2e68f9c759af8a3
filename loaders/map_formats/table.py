"""Tables with a geometry in each row: CSV with a header, or JSON objects in an array or one per line."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from loaders.errors import InvalidValue, UnreadableFileError
from loaders.geo.crs import CRS, WGS84, crs_from_wkid
from loaders.geo.footprint import Footprint
from loaders.map_formats.base import BuildingFormat, Feature, export_errors, is_null
from loaders.map_formats.positions import geometries, is_geometry, named_positions, position_footprint
from loaders.profiles import BuildingProfile
from loaders.profiles.positions import PositionSource
from loaders.profiles.values import source_names
from loaders.result import BuildingRead
from loaders.sources.files import Export
from loaders.syntax.csv_rows import DELIMITERS, SEPARATOR_LINE, csv_head
from loaders.syntax.json_stream import is_json, read_array
from loaders.syntax.rows import csv_objects, program_rows, require_object, require_unique

_KEY = re.compile(r'"([^"\\]{1,80})"\s*:')
# GeoJSON, as an object or text, or WKT.
_GEOMETRY_MEMBER = re.compile(
    r':\s*("\s*((MULTI)?POLYGON|POINT)[\sZM]*\(|"?\{\s*\\?"type\\?"\s*:\s*\\?"(Multi)?(Point|Polygon)\b)', re.IGNORECASE
)
_MAX_DEPTH = 4


class _ParsedRecord(NamedTuple):
    """The values of a record that are not null, by name, and the sources of its position."""

    filled: dict[str, Any]
    positions: list[PositionSource]


class Table(BuildingFormat):
    """Rows with a latitude and a longitude, or a geometry as WKT or GeoJSON; in degrees, or in the profile's CRS."""

    name = "table"
    title = "table"
    files = "a table with latitude and longitude or WKT (CSV or JSON)"

    def __init__(self, title: str, crs: CRS) -> None:
        self.title = title
        self._crs = crs
        # The positions that fields with these names have.
        self._positions: dict[tuple[str, ...], list[PositionSource]] = {}
        # No record yet, not even null.
        self._record: Any = object()
        self._parsed = _ParsedRecord({}, [])

    @staticmethod
    def sniff(head: str) -> bool:
        if is_json(head):
            return bool(named_positions(_KEY.findall(head))) or bool(_GEOMETRY_MEMBER.search(head))
        return bool(named_positions(_header(head))) or any(map(is_geometry, chain.from_iterable(_rows(head))))

    @classmethod
    def features(cls, export: Export, result: BuildingRead, profile: BuildingProfile) -> Iterator[Feature]:
        with export_errors(export):
            crs = WGS84 if profile.wkid is None else crs_from_wkid(profile.wkid)
        if profile.rows:
            opened = cls("JSON objects", crs)
            for location, record in program_rows(export, profile.rows, _required_fields(profile)):
                yield location, opened, record
            return
        if not is_json(export.head):
            yield from cls._csv_features(export, crs, profile)
            return
        opened = cls("JSON objects", crs)
        for location, record in read_array(export, "objects", lambda page: result.add_page(*page)):
            yield location, opened, record

    @classmethod
    def _csv_features(cls, export: Export, crs: CRS, profile: BuildingProfile) -> Iterator[Feature]:
        names, rows = csv_objects(export, _delimiter(export.head))
        require_unique(export, names, names)
        if profile.position is None and not cls.sniff(export.head):
            reason = "has no columns named lat and lon, or wkt: name them in [fields] of the profile"
            raise UnreadableFileError(export.path, reason, 1)
        opened = cls("CSV", crs)
        for location, row in rows:
            yield location, opened, row

    def attributes(self, record: Any) -> Mapping[str, Any]:
        """Return the values that are not null; those of nested objects by their path, such as "location.lat"."""
        return self._parse(record).filled

    def ignored_fields(self, record: Any, names: Collection[str]) -> Iterable[str]:
        sources = [{*each.fields.values()} for each in self.positions(record)]
        is_named = any(source.issubset(names) for source in sources)
        return super().ignored_fields(record, names if is_named or not sources else sources[0].union(names))

    def footprint(self, record: Any) -> Footprint:
        sources = self.positions(record)
        if not sources:
            raise InvalidValue("geometry", None, "is missing")
        return position_footprint(sources[0], self.attributes(record), self._crs)

    def positions(self, record: Any) -> list[PositionSource]:
        """Return the sources of the position that have a value, or else all."""
        return self._parse(record).positions

    def _parse(self, record: Any) -> _ParsedRecord:
        """Return the values and the positions of a record; of the last one without parsing it again."""
        if record is not self._record:
            members = dict(_flatten(require_object(record)))
            filled = {name: value for name, value in members.items() if not is_null(value)}
            positions = [*self._named_positions(filled), *geometries(filled)] or self._named_positions(members)
            self._parsed = _ParsedRecord(filled, positions)
            self._record = record
        return self._parsed

    def _named_positions(self, members: Mapping[str, Any]) -> list[PositionSource]:
        names = tuple(members)
        if names not in self._positions:
            self._positions[names] = named_positions(names)
        return self._positions[names]


def _required_fields(profile: BuildingProfile) -> list[list[str]]:
    """Return the names of each field that the profile has, of which a record must have one."""
    position = [[each] for each in profile.position.fields.values()] if profile.position else []
    sources = [*profile.fields.values(), profile.id.sources, *position]
    names = [list(chain.from_iterable(map(source_names, each))) for each in sources]
    return [each for each in names if each]


def _flatten(members: Mapping[str, Any], prefix: str = "", depth: int = 1) -> Iterator[tuple[str, Any]]:
    for name, value in members.items():
        if isinstance(value, dict) and not is_geometry(value) and depth < _MAX_DEPTH:
            yield from _flatten(value, f"{prefix}{name}.", depth + 1)
        else:
            yield f"{prefix}{name}", value


def _rows(head: str) -> list[list[str]]:
    return csv_head(_from_header(head), _delimiter(head))


def _header(head: str) -> list[str]:
    return next(iter(_rows(head)), [])


def _delimiter(head: str) -> str:
    """Return the delimiter with which the header has most columns."""
    return max(DELIMITERS, key=lambda delimiter: len(next(iter(csv_head(_from_header(head), delimiter)), [])))


def _from_header(head: str) -> str:
    return SEPARATOR_LINE.sub("", head).lstrip()
