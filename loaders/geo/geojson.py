"""GeoJSON geometries (RFC 7946), and WKB and WKT of OGC Simple Features, to footprints."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson
import shapely
from shapely.errors import ShapelyError

from campus_api.domain.models import Position
from loaders.errors import InvalidValue
from loaders.geo.coordinates import Ring, parse_position, parse_ring, require_list
from loaders.geo.crs import CRS, WGS84, crs_from_wkid
from loaders.geo.footprint import Footprint, point_footprint, polygon_footprint

_AXES = "a longitude and a latitude"
# GEOS parses them recursively: some ten thousand in each other overflow the stack.
_MAX_COLLECTIONS = 100
# In WKT and in hexadecimal WKB of either byte order.
_COLLECTIONS = {False: re.compile("COLLECTION"), True: re.compile("010[4-7]0000|0{8}0[4-7]")}


def geojson_footprint(geometry: object, crs: CRS = WGS84) -> Footprint:
    """Return the footprint of all polygons of a geometry, or else of its one point; InvalidValue if it has neither."""
    polygons: list[list[Ring]] = []
    points: list[Position] = []
    for geometry_type, coordinates in _flatten(geometry):
        if geometry_type == "Polygon":
            polygons.append([parse_ring(_AXES, ring) for ring in require_list("rings", coordinates)])
        elif geometry_type == "Point":
            points.append(parse_position(_AXES, coordinates))
    if polygons:
        return polygon_footprint(polygons, crs)
    if len(points) != 1:
        raise InvalidValue("geometry", None, "is not one point and has no polygon")
    return point_footprint(points[0], crs)


def _flatten(geometry: object) -> Iterator[tuple[str, Any]]:
    """Yield the type and coordinates of every geometry in a collection, with multi-geometries split."""
    if not isinstance(geometry, Mapping):
        raise InvalidValue("geometry", geometry, "is missing" if geometry is None else "is not a GeoJSON geometry")
    geometry_type = geometry.get("type")
    coordinates = geometry.get("coordinates")
    if geometry_type == "GeometryCollection":
        for member in require_list("geometries", geometry.get("geometries")):
            yield from _flatten(member)
    elif geometry_type in ("MultiPolygon", "MultiPoint"):
        yield from ((geometry_type.removeprefix("Multi"), part) for part in require_list("parts", coordinates))
    elif geometry_type in ("Polygon", "Point", "LineString", "MultiLineString"):
        yield geometry_type, coordinates
    else:
        raise InvalidValue("geometry", geometry_type, "is not a GeoJSON geometry type")


def well_known_footprint(well_known: bytes | str | None, crs: CRS) -> Footprint:
    """Return the footprint of WKB or WKT, or of those of PostGIS; InvalidValue if it is neither a polygon nor a point.

    A number of theirs says the coordinate reference system.
    """
    if well_known is None:
        raise InvalidValue("geometry", None, "is missing")
    text = well_known if isinstance(well_known, str) else ""
    is_hex = text.lstrip()[:1].isdigit()
    if len(_COLLECTIONS[is_hex].findall(text.upper())) > _MAX_COLLECTIONS:
        raise InvalidValue("geometry", text, f"has over {_MAX_COLLECTIONS} geometry collections")
    srid, _, wkt = text.rpartition(";")
    try:
        geometry = shapely.from_wkt(wkt) if wkt and not is_hex else shapely.from_wkb(well_known)
    except (ShapelyError, NotImplementedError) as error:
        # The second is raised for curves.
        raise InvalidValue("geometry", text or None, f"cannot be read: {error}") from None
    if number := text and (srid.rpartition("=")[2] or shapely.get_srid(geometry)):
        crs = crs_from_wkid(str(number))
    return geojson_footprint(orjson.loads(shapely.to_geojson(geometry)), crs)
