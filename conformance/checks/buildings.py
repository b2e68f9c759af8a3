"""Buildings."""

from operator import itemgetter
from typing import Any

from conformance import expect
from conformance.expect import Response
from conformance.target import BUILDINGS, Row, Target

_FIELDS = {
    "id": expect.INTEGER,
    "name": expect.STRING_OR_NULL,
    "address": expect.STRING,
    "city": expect.STRING,
    "image": expect.STRING_OR_NULL,
    "geometry": expect.OBJECT,
}
# Inhabited latitudes; many longitudes are out of this range, so swapped axes are detected.
_MIN_LATITUDE = -60
_MAX_LATITUDE = 85
_TOLERANCE = 1e-6


def buildings_are_a_list(target: Target) -> None:
    """The list of buildings is a JSON array."""
    expect.items(target.request(BUILDINGS))


def buildings_have_all_fields(target: Target) -> None:
    """A building has id, name, address, city, image and geometry of the documented types; unknown values are null."""
    response, buildings = target.non_empty_list(BUILDINGS)
    for building in buildings:
        expect.has_fields(response, building, _FIELDS)


def geometries_have_point_and_polygons(target: Target) -> None:
    """A geometry has a point and a list of polygons."""
    response, buildings = target.non_empty_list(BUILDINGS)
    for building in buildings:
        expect.has_fields(response, building["geometry"], {"point": expect.ARRAY, "polygons": expect.ARRAY})


def positions_are_latitude_and_longitude(target: Target) -> None:
    """A position is a latitude and a longitude in degrees."""
    response, buildings = target.non_empty_list(BUILDINGS)
    for building in buildings:
        for position in (building["geometry"]["point"], *_positions(building)):
            is_pair = type(position) is list and len(position) == 2 and all(type(x) in (int, float) for x in position)
            expect.check(is_pair, response, "two numbers", position)
            is_valid = _MIN_LATITUDE <= position[0] <= _MAX_LATITUDE and -180 <= position[1] <= 180
            expect.check(is_valid, response, "latitude, longitude of an inhabited place", position)


def polygons_are_closed(target: Target) -> None:
    """A polygon has at least four positions, and the first and last are equal."""
    response, polygons = _polygons(target)
    for polygon in polygons:
        expect.check(len(polygon) >= 4 and polygon[0] == polygon[-1], response, "a closed polygon", polygon)


def points_are_within_polygon_bounds(target: Target) -> None:
    """The point of a building is within the bounding box of its polygons."""
    _polygons(target)
    response, buildings = target.non_empty_list(BUILDINGS)
    for building in buildings:
        point = building["geometry"]["point"]
        for axis, coordinates in enumerate(zip(*_positions(building), strict=True)):
            low, high = min(coordinates), max(coordinates)
            is_within = low - _TOLERANCE <= point[axis] <= high + _TOLERANCE
            expect.check(is_within, response, f"{low} to {high} in the point of {building['id']}", point[axis])


def buildings_are_sorted_by_id(target: Target) -> None:
    """Buildings are sorted by ID."""
    response, buildings = target.non_empty_list(BUILDINGS)
    expect.ordered(response, buildings, itemgetter("id"), "buildings sorted by ID")


def building_ids_are_unique(target: Target) -> None:
    """Building IDs are unique."""
    response, buildings = target.non_empty_list(BUILDINGS)
    expect.unique(response, [building["id"] for building in buildings], "unique IDs")


def buildings_match_the_list(target: Target) -> None:
    """A building equals its entry in the list."""
    _, buildings = target.non_empty_list(BUILDINGS)
    for building in (buildings[0], buildings[len(buildings) // 2], buildings[-1]):
        response = expect.status(target.request(f"{BUILDINGS}/{building['id']}"), 200)
        expect.check(response.json == building, response, str(building), response.json)


def _positions(building: Row) -> list[Any]:
    return [position for polygon in building["geometry"]["polygons"] for position in polygon]


def _polygons(target: Target) -> tuple[Response, list[Any]]:
    response, buildings = target.non_empty_list(BUILDINGS)
    polygons = [polygon for building in buildings for polygon in building["geometry"]["polygons"]]
    expect.require(polygons, "no building has a footprint")
    return response, polygons
