"""Coordinate reference systems: projected or geographic positions to WGS 84 longitude, latitude."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import pyproj
from pyproj.exceptions import ProjError

from campus_api.domain.models import Position
from loaders.errors import NOT_IN_DEGREES, InvalidValue

# 0.00000001 degree is about a millimetre; rounding makes results independent of the PROJ version.
DECIMALS = 8

_WGS84_CRS = pyproj.CRS.from_epsg(4326)
# Of Web Mercator.
_ALIASES = dict.fromkeys((102100, 102113, 900913, 3785), 3857)
_WKID = re.compile("[0-9]{1,9}")
# Parameters of PROJ strings, WKT and PROJJSON that name a file by its path.
_FILES = re.compile(
    r"(grids|init|file|model|catalog)\s*=\s*[^+\s]*[/\\]"
    r'|(PROJ4_GRIDS"|PARAMETERFILE\s*[\[(]\s*"[^"]*"|"value"\s*:)[\s,]*"[^"]*[/\\]',
    re.IGNORECASE,
)
# No position in degrees is beyond a full turn.
_FULL_TURN = 360

# PROJ must not download grids: a load yields the same positions online and offline.
pyproj.network.set_network_enabled(active=False)


@dataclass(frozen=True)
class CRS:
    """A coordinate reference system; without a transformer its positions are WGS 84 longitude, latitude already."""

    name: str
    transformer: pyproj.Transformer | None = None
    # Whether positions are in metres or feet.
    is_projected: bool = False

    @cached_property
    def has_number(self) -> bool:
        """Return whether it has a number of EPSG or Esri."""
        crs = self.transformer and self.transformer.source_crs
        return any(crs and crs.to_authority(name, min_confidence=100) for name in ("EPSG", "ESRI"))

    def to_wgs84(self, positions: Sequence[Position]) -> list[Position]:
        """Return the longitude and latitude of each x, y; InvalidValue if they are out of range, or in degrees."""
        # A projection without a number may have its origin on the campus.
        if self.is_projected and are_degrees(positions) and self.has_number:
            reason = f"is in degrees, not in metres or feet of its coordinate reference system {self.name}"
            raise InvalidValue("geometry", list(positions[0]), f"{reason}: set wkid = 4326")
        transformed = list(positions) if self.transformer is None else _transform(self.transformer, positions)
        for position, (longitude, latitude) in zip(positions, transformed, strict=True):
            # Negated so that NaN is out of range, too.
            if not (abs(longitude) <= 180 and abs(latitude) <= 90):
                raise InvalidValue("geometry", list(position), self._explain_out_of_range(position))
        return transformed

    def _explain_out_of_range(self, position: Position) -> str:
        if self.transformer is not None:
            return "is outside its coordinate reference system"
        if abs(position[0]) <= 90 < abs(position[1]) <= 180:
            return "has longitude and latitude swapped: no latitude is beyond 90 degrees"
        if min(map(abs, position)) > _FULL_TURN:
            return NOT_IN_DEGREES
        return "is not a longitude within 180 and a latitude within 90 degrees"


def are_degrees(positions: Iterable[Position]) -> bool:
    """Return whether all positions can be longitudes and latitudes."""
    return all(abs(longitude) <= 180 and abs(latitude) <= 90 for longitude, latitude in positions)


def _transform(transformer: pyproj.Transformer, positions: Sequence[Position]) -> list[Position]:
    x, y = zip(*positions, strict=True)
    pairs = zip(*transformer.transform(x, y), strict=True)
    return [(round(longitude, DECIMALS), round(latitude, DECIMALS)) for longitude, latitude in pairs]


WGS84 = CRS("WGS 84")


def crs_from_wkid(wkid: object) -> CRS:
    """Return the CRS of an EPSG or Esri number, an int or digits; InvalidValue if it is unknown."""
    digits = str(wkid) if type(wkid) is int and 0 < wkid < 10**9 else wkid
    if isinstance(digits, str) and _WKID.fullmatch(digits):
        code = _ALIASES.get(int(digits), int(digits))
        if crs := _look_up(f"EPSG:{code}") or _look_up(f"ESRI:{code}"):
            return crs
    raise InvalidValue("wkid", wkid, "is not a known coordinate reference system")


def crs_from_name(name: object) -> CRS:
    """Return the CRS of a name, such as the `crs` member of GeoJSON, or of WKT; InvalidValue if it is unknown.

    Positions are x, y or longitude, latitude whatever the axis order of its definition, as everywhere in GeoJSON.
    """
    crs = _look_up(name) if isinstance(name, str) else None
    if crs is None:
        raise InvalidValue("crs", name, "is not a known coordinate reference system")
    return crs


def crs_from_reference(reference: Mapping[str, Any]) -> CRS | None:
    """Return the CRS of an Esri spatial reference by its number or its WKT, None if it has neither.

    If both are present the numbers are equivalent: latestWkid is the newer one.
    """
    wkid = reference.get("wkid") or reference.get("latestWkid")
    if wkid:
        return crs_from_wkid(wkid)
    wkt = reference.get("wkt") or reference.get("wkt2")
    return crs_from_name(wkt) if wkt else None


# A look-up takes milliseconds, also if it fails, and every feature may name its own CRS.
@lru_cache
def _look_up(definition: str) -> CRS | None:
    if _FILES.search(definition):
        return None
    try:
        crs = pyproj.CRS.from_user_input(definition)
        if not (crs.is_geographic or crs.is_projected):
            return None
        if crs.equals(_WGS84_CRS, ignore_axis_order=True):
            return WGS84
        return CRS(crs.name, pyproj.Transformer.from_crs(crs, _WGS84_CRS, always_xy=True), crs.is_projected)
    except (ProjError, UnicodeError, RecursionError):
        # Also raised for the CRS of another celestial body. PROJJSON may be nested deeply.
        return None
