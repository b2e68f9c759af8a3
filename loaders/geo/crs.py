"""Spatial references: the x, y of a provider -> longitude, latitude in degrees (WGS 84)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import pyproj
from pyproj.exceptions import ProjError

from campus_api.models import Position
from loaders.errors import InvalidValue

# 0.00000001 degree is about a millimetre: what is computed should not differ between versions of a library.
DECIMALS = 8

_WGS_84 = pyproj.CRS.from_epsg(4326)
_WEB_MERCATOR = 3857
_ALIASES = dict.fromkeys((102100, 102113, 900913, 3785), _WEB_MERCATOR)
_DIGITS = re.compile("[0-9]{1,9}")
# No position on earth has a number of degrees beyond a full turn.
_FULL_TURN = 360

# A load gives the same positions with and without the internet.
pyproj.network.set_network_enabled(active=False)


@dataclass(frozen=True)
class CRS:
    """A spatial reference; without a transformer its positions are longitude, latitude (WGS 84) already."""

    name: str
    transformer: pyproj.Transformer | None = None

    def to_wgs84(self, positions: Sequence[Position]) -> list[Position]:
        """Return the longitude and latitude of each x, y; InvalidValue when one of them is nowhere on earth."""
        degrees = list(positions) if self.transformer is None else self._transformed(positions)
        for position, (longitude, latitude) in zip(positions, degrees, strict=True):
            # Written so that NaN, which compares as False, is outside too.
            if not (abs(longitude) <= 180 and abs(latitude) <= 90):
                raise InvalidValue("geometry", list(position), self._why_outside(position))
        return degrees

    def _transformed(self, positions: Sequence[Position]) -> list[Position]:
        columns = zip(*positions, strict=True)
        longitudes, latitudes = self.transformer.transform(*columns)
        pairs = zip(longitudes, latitudes, strict=True)
        return [(round(longitude, DECIMALS), round(latitude, DECIMALS)) for longitude, latitude in pairs]

    def _why_outside(self, position: Position) -> str:
        if self.transformer is not None:
            return "lies outside its spatial reference"
        if abs(position[0]) <= 90 < abs(position[1]) <= 180:
            return "is a longitude and a latitude that are swapped: no latitude is beyond 90 degrees"
        if min(map(abs, position)) > _FULL_TURN:
            return "is in metres or feet, not in degrees: which spatial reference is it (--wkid, 3857 for web maps)?"
        return "is not a longitude within 180 and a latitude within 90 degrees"


WGS84 = CRS("WGS 84")


def crs_from_wkid(wkid: object) -> CRS:
    """Return the reference of an EPSG or Esri number, an int or digits; InvalidValue when there is none."""
    digits = str(wkid) if type(wkid) is int and 0 < wkid < 10**9 else wkid
    if isinstance(digits, str) and _DIGITS.fullmatch(digits):
        code = _ALIASES.get(int(digits), int(digits))
        found = _reference(f"EPSG:{code}") or _reference(f"ESRI:{code}")
        if found:
            return found
    raise InvalidValue("wkid", wkid, "is not a spatial reference that is known")


def crs_from_name(name: object) -> CRS:
    """Return the reference that the `crs` of a GeoJSON file names; InvalidValue when there is none.

    Positions are x, y or longitude, latitude whatever the order of its definition, as everywhere in GeoJSON.
    """
    found = _reference(name) if isinstance(name, str) else None
    if found is None:
        raise InvalidValue("crs", name, "is not a spatial reference that is known")
    return found


# To look one up takes milliseconds, to find that there is none as well: every feature may name its own.
@lru_cache
def _reference(definition: str) -> CRS | None:
    try:
        system = pyproj.CRS.from_user_input(definition)
        if not (system.is_geographic or system.is_projected):
            return None
        if system.equals(_WGS_84, ignore_axis_order=True):
            return WGS84
        return CRS(system.name, pyproj.Transformer.from_crs(system, _WGS_84, always_xy=True))
    except (ProjError, UnicodeError):
        # Also for other bodies than the earth.
        return None
