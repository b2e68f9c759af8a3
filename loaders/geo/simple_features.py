"""Geometries in the well-known formats of OGC Simple Features, WKB and WKT, to footprints."""

import orjson
import shapely
from shapely.errors import ShapelyError
from shapely.geometry.base import BaseGeometry

from loaders.errors import InvalidValue
from loaders.geo.crs import CRS
from loaders.geo.footprint import Footprint
from loaders.geo.geojson import geojson_footprint

# The second is raised for curves.
_SHAPELY_ERRORS = (ShapelyError, NotImplementedError)


def wkb_footprint(wkb: bytes | None, crs: CRS) -> Footprint:
    """Return the footprint of a geometry; InvalidValue if it has no polygon and is not one point."""
    if wkb is None:
        raise InvalidValue("geometry", None, "is missing")
    try:
        geometry = shapely.from_wkb(wkb)
    except _SHAPELY_ERRORS as error:
        raise InvalidValue("geometry", None, f"cannot be read: {error}") from None
    return geometry_footprint(geometry, crs)


def wkt_footprint(wkt: str, crs: CRS) -> Footprint:
    """Return the footprint of a geometry; InvalidValue if it has no polygon and is not one point."""
    try:
        geometry = shapely.from_wkt(wkt)
    except _SHAPELY_ERRORS as error:
        raise InvalidValue("geometry", wkt, f"cannot be read as WKT: {error}") from None
    return geometry_footprint(geometry, crs)


def geometry_footprint(geometry: BaseGeometry, crs: CRS) -> Footprint:
    """Return the footprint of a geometry of shapely; InvalidValue if it has no polygon and is not one point."""
    return geojson_footprint(orjson.loads(shapely.to_geojson(geometry)), crs)
