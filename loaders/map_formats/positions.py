"""Positions in the fields of a record: which fields they are by their names and values, and their footprint."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from typing import Any

from campus_api.domain.models import Position
from loaders.errors import InvalidValue
from loaders.geo.coordinates import ANTARCTIC_LATITUDE, parse_ring, require_list
from loaders.geo.crs import CRS, WGS84, are_degrees
from loaders.geo.footprint import Footprint, point_footprint, polygon_footprint
from loaders.geo.geojson import geojson_footprint, well_known_footprint
from loaders.profiles.building_settings import PositionFields

# In lower case; those before others take precedence.
_GEOMETRIES = ("wkt", "wkt_geom", "the_geom", "geom", "wkb_geometry", "geometry")
_LONGITUDES = ("lon", "lng", "long", "longitude", "longitud", "longitudine", "längengrad", "долгота", "经度", "経度")
_LATITUDE = re.compile(r"lat(?!i)|latitud(?:ine|e)?|breitengrad|широта|纬度|緯度")
# The part of a name that says it is a latitude, and what the name of the longitude has there.
_AXES = (
    (_LATITUDE, _LONGITUDES),
    (re.compile(r"(?<![^\W\d_])y(?![^\W\d_])|(?<=coord)y|y(?=coord)"), ("x",)),
    (re.compile(r"northing"), ("easting",)),
)
_WKT = re.compile(r"\s*(SRID=[0-9]+;)?\s*(POINT|(MULTI)?POLYGON|GEOMETRYCOLLECTION)\s*Z?M?\s*\(", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)
# Metres or feet, which have more digits than degrees.
_THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?")
_DEGREES = r"[+-]?[0-9]{1,3}[.,][0-9]+"
_POSITION = "a latitude and a longitude"
_PAIR = re.compile(rf"\s*\(?\s*({_DEGREES})(?:\s*[,;]\s*|\s+)({_DEGREES})\s*\)?\s*")
# Unlike two prices, unless the name of the field says so.
_SIGN_OR_DECIMALS = re.compile(r"-|[.,][0-9]{3}")
_DOUBTFUL = (
    "may have the latitude or the longitude first: [fields] of the profile need"
    ' latitude = "{0}.0" and longitude = "{0}.1", or the reverse'
)
# The latitude first, or the longitude.
_ORDER = re.compile(r"(?P<latitude>lat.*l(on|ng))|l(on|ng).*lat", re.IGNORECASE)
_PAIR_NAME = re.compile(rf"(?i)[ck]oord|pos(ition)?\b|location|gps|point\b|cent(er|re|roid)\b|\bxy\b|{_ORDER.pattern}")


def find_positions(fields: Mapping[str, Any]) -> list[PositionFields]:
    """Return the fields of a position in a record, the best one first."""
    # Lists of positions say more than a position.
    outlines = [PositionFields(geometry=name) for name, value in fields.items() if _is_outline(value)]
    return [*outlines, *named_positions(tuple(fields)), *geometries(fields)]


# Most records of an export have the same fields.
@lru_cache
def named_positions(fields: tuple[str, ...]) -> Sequence[PositionFields]:
    """Return the fields of a position by the names of the fields."""
    names = {name.strip().casefold(): name for name in reversed(fields)}
    known = [PositionFields(geometry=names[name]) for name in _GEOMETRIES if name in names]
    return [*known, *_find_coordinates(names)]


def numbered(value: Any) -> Any:
    """Return the numbers of a list that may be a position by their index; any other value unchanged."""
    is_position = isinstance(value, list) and len(value) in (2, 3) and all(type(each) in (int, float) for each in value)
    return dict(enumerate(value)) if is_position else value


def _pair(value: Any) -> Any:
    """Return the first two numbers of a list that may be a position as text; any other value unchanged."""
    numbers = numbered(value)
    return f"{numbers[0]}, {numbers[1]}" if numbers is not value else value


def geometries(fields: Mapping[str, Any]) -> Iterator[PositionFields]:
    """Yield the fields whose values look like a geometry."""
    return (
        PositionFields(geometry=name)
        for name, value in fields.items()
        if is_geometry(value) or (isinstance(text := _pair(value), str) and is_position(text, name))
    )


def is_geometry(value: Any) -> bool:
    """Return whether a value looks like GeoJSON or WKT."""
    if isinstance(value, dict):
        return "type" in value and ("coordinates" in value or "geometries" in value)
    return isinstance(value, str) and bool(_WKT.match(value))


def is_position(text: str, name: str = "") -> bool:
    """Return whether the text of a field of this name is a latitude and a longitude."""
    return bool(_PAIR.fullmatch(text) and (_SIGN_OR_DECIMALS.search(text) or _PAIR_NAME.search(name)))


def _is_outline(value: Any) -> bool:
    """Return whether a value is a list of positions, or a list of such lists."""
    first: Any = value[0] if isinstance(value, list) and value else None
    if not isinstance(first, dict):
        return isinstance(first, list) and _is_outline(first)
    return bool(_corner(first)) and all(_NUMBER.fullmatch(str(each)) for each in first.values())


def _corner(value: Any) -> PositionFields | None:
    """Return the names of the latitude and the longitude of an object, None if it has none."""
    names = {name.strip().casefold(): name for name in value} if isinstance(value, dict) else {}
    return next(_find_coordinates(names), None)


def position_footprint(fields: PositionFields, attributes: Mapping[str, Any], crs: CRS) -> Footprint:
    """Return the footprint of a record; InvalidValue if it has no position."""
    values = {name: attributes.get(field) for name, field in fields.names.items()}
    if all(value is None for value in values.values()):
        raise InvalidValue("geometry", None, "is missing")
    if fields.geometry:
        return _geometry_footprint(fields.geometry, values["geometry"], crs)
    position = _position(fields, attributes, crs)
    if crs.is_projected and are_degrees([position]) and _LATITUDE.search(fields.latitude.casefold()):
        return point_footprint(position, WGS84)
    return point_footprint(position, crs)


def _position(fields: PositionFields, values: Mapping[str, Any], crs: CRS) -> Position:
    """Return the longitude and the latitude of a record."""
    latitude, longitude = (_number(name, values.get(name), crs) for name in (fields.latitude, fields.longitude))
    return longitude, latitude


def _find_coordinates(names: Mapping[str, str]) -> Iterator[PositionFields]:
    """Yield the pairs of names that differ only in their axis, such as BLDG_LAT and BLDG_LONG, the shortest first."""
    for axis, counterparts in _AXES:
        for match in chain.from_iterable(map(axis.finditer, sorted(names, key=len))):
            name, before, after = match.string, match.string[: match.start()], match.string[match.end() :]
            longitudes = (f"{before}{each}{after}" for each in counterparts)
            if longitude := next((each for each in longitudes if each in names), None):
                yield PositionFields(names[name], names[longitude])


def _geometry_footprint(field: str, value: Any, crs: CRS) -> Footprint:
    if _is_outline(value):
        return _outline_footprint(field, value, crs)
    text = _pair(value)
    if not isinstance(text, str):
        return geojson_footprint(value, crs)
    if pair := _PAIR.fullmatch(text):
        first, second = (_number(field, each, WGS84) for each in pair.groups())
        order = _ORDER.search(field)
        latitudes = [ANTARCTIC_LATITUDE <= each <= 90 for each in (first, second)]
        if text is not value and not order and all(latitudes):
            raise InvalidValue(field, value, _DOUBTFUL.format(field))
        is_longitude_first = (order and not order["latitude"]) or latitudes == [False, True]
        position = (first, second) if is_longitude_first else (second, first)
        return point_footprint(position, WGS84 if crs.is_projected else crs)
    return well_known_footprint(value, crs)


def _outline_footprint(field: str, value: list[Any], crs: CRS) -> Footprint:
    """Return the footprint of a list of objects with a latitude and a longitude, or of several such lists."""
    rings = value if isinstance(value[0], list) else [value]
    positions = [[_corner_position(field, corner, crs) for corner in require_list("positions", ring)] for ring in rings]
    if are_degrees(chain.from_iterable(positions)):
        crs = WGS84 if crs.is_projected else crs
    if [*map(len, positions)] == [1]:
        return point_footprint(positions[0][0], crs)
    # parse_ring takes lists, as of JSON.
    return polygon_footprint([[parse_ring(_POSITION, [*map(list, ring)])] for ring in positions], crs)


def _corner_position(field: str, corner: Any, crs: CRS) -> Position:
    if fields := _corner(corner):
        return _position(fields, corner, crs)
    raise InvalidValue(field, corner, f"is not {_POSITION}")


def _number(field: str, value: Any, crs: CRS) -> float:
    if isinstance(value, str):
        if crs.is_projected and _THOUSANDS.fullmatch(value.strip()):
            raise InvalidValue(field, value, "may have commas between thousands: write the number without them")
        if _NUMBER.fullmatch(value.strip()):
            return float(value.replace(",", "."))
    elif not isinstance(value, bool):
        with suppress(TypeError, OverflowError):
            return float(value)
    raise InvalidValue(field, value, "is not a number such as 44.4783")
