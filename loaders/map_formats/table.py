"""Tables with a geometry in each row: CSV with a header, or JSON objects in an array or one per line."""

import csv
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from loaders.errors import InvalidValue, UnreadableFileError
from loaders.geo.crs import CRS, WGS84, crs_from_wkid
from loaders.geo.footprint import Footprint, point_footprint
from loaders.geo.geojson import geojson_footprint, wkt_footprint
from loaders.map_formats.base import BuildingFormat, Feature, export_errors
from loaders.profiles import BuildingProfile
from loaders.result import BuildingRead
from loaders.sources.files import DELIMITERS, Export, csv_rows, duplicate_column, is_json, row_members
from loaders.sources.json_stream import read_array

# Common names in lower case; those before others take precedence.
_LATITUDES = ("lat", "latitude", "y")
_LONGITUDES = ("lon", "lng", "long", "longitude", "x")
_GEOMETRIES = ("wkt", "wkt_geom", "the_geom", "geom", "geometry")
_POSITIONS = {*_LATITUDES, *_LONGITUDES, *_GEOMETRIES}


class Table(BuildingFormat):
    """Rows with a latitude and a longitude, or a geometry as WKT or GeoJSON; in degrees, or in the profile's CRS."""

    name = "table"
    title = "table"
    files = "a table with latitude and longitude or WKT (CSV or JSON)"

    def __init__(self, header: Sequence[str] | None, crs: CRS) -> None:
        self.title = "JSON objects" if header is None else "CSV"
        self._header = header
        self._crs = crs

    @staticmethod
    def sniff(head: str) -> bool:
        if is_json(head):
            folded = head.casefold()
            return _has_position(name for name in (*_LATITUDES, *_LONGITUDES, *_GEOMETRIES) if f'"{name}"' in folded)
        return _has_position(_header(head))

    @classmethod
    def features(cls, export: Export, result: BuildingRead, profile: BuildingProfile) -> Iterator[Feature]:
        with export_errors(export):
            crs = WGS84 if profile.wkid is None else crs_from_wkid(profile.wkid)
        if not is_json(export.head):
            yield from cls._csv_features(export, crs)
            return
        opened = cls(None, crs)
        for location, record in read_array(export, "objects"):
            yield location, opened, record

    @classmethod
    def _csv_features(cls, export: Export, crs: CRS) -> Iterator[Feature]:
        rows = csv_rows(export, _delimiter(export.head))
        _, header = next(rows, (None, []))
        names = [name.strip() for name in header]
        if not _has_position(names):
            reason = f"has no columns named {_LATITUDES[0]} and {_LONGITUDES[0]}, or {_GEOMETRIES[0]}"
            raise UnreadableFileError(export.path, reason, 1)
        if duplicate := next((name for name, count in Counter(names).items() if count > 1), None):
            raise duplicate_column(export, duplicate)
        opened = cls(names, crs)
        for location, row in rows:
            yield location, opened, row

    def attributes(self, record: Any) -> Mapping[str, Any]:
        members = row_members(record, self._header)
        return {name: value for name, value in members.items() if value not in (None, "")}

    def unread(self, record: Any, names: Collection[str]) -> Iterable[str]:
        return (name for name in super().unread(record, names) if name.casefold() not in _POSITIONS)

    def footprint(self, record: Any) -> Footprint:
        values = {name.casefold(): value for name, value in self.attributes(record).items()}
        geometry = _first(_GEOMETRIES, values)
        if isinstance(geometry, str):
            return wkt_footprint(geometry, self._crs)
        if geometry is not None:
            return geojson_footprint(geometry, self._crs)
        latitude, longitude = _first(_LATITUDES, values), _first(_LONGITUDES, values)
        if latitude is None and longitude is None:
            raise InvalidValue("geometry", None, "is missing")
        return point_footprint((_degrees("longitude", longitude), _degrees("latitude", latitude)), self._crs)


def _has_position(names: Iterator[str] | Sequence[str]) -> bool:
    folded = {name.strip().casefold() for name in names}
    return not folded.isdisjoint(_GEOMETRIES) or not (folded.isdisjoint(_LATITUDES) or folded.isdisjoint(_LONGITUDES))


def _header(head: str) -> list[str]:
    line = head.lstrip().partition("\n")[0]
    return next(csv.reader([line], delimiter=_delimiter(head)), [])


def _delimiter(head: str) -> str:
    """Return the most frequent delimiter of the first line."""
    return max(DELIMITERS, key=head.lstrip().partition("\n")[0].count)


def _first(names: Sequence[str], values: Mapping[str, Any]) -> Any:
    return next((values[name] for name in names if name in values), None)


def _degrees(field: str, value: Any) -> float:
    try:
        if not isinstance(value, bool):
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise InvalidValue(field, value, "is not a number")
