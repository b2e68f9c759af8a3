"""Buildings."""

from collections.abc import Iterator
from typing import Any

from conformance import expect
from conformance.target import BUILDINGS, Target

_FIELDS = {
    "id": expect.INTEGER,
    "name": expect.STRING_OR_NULL,
    "address": expect.STRING_OR_NULL,
    "city": expect.STRING_OR_NULL,
    "image": expect.STRING_OR_NULL,
    "geometry": expect.OBJECT,
}
# Inhabited latitudes; many longitudes are out of this range, so swapped axes are detected.
_MIN_LATITUDE = -60
_MAX_LATITUDE = 85


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
        for position in (building["geometry"]["point"], *_positions(building["geometry"]["polygons"])):
            is_pair = type(position) is list and len(position) == 2 and all(type(x) in (int, float) for x in position)
            expect.check(is_pair, response, "two numbers", position)
            is_valid = _MIN_LATITUDE <= position[0] <= _MAX_LATITUDE and -180 <= position[1] <= 180
            expect.check(is_valid, response, "latitude, longitude of an inhabited place", position)


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


def unknown_buildings_are_404(target: Target) -> None:
    """An unknown ID of a building is a 404."""
    expect.status(target.unknown_item(BUILDINGS), 404)


def _positions(value: Any) -> Iterator[Any]:
    """Yield the positions of a geometry, however deeply its polygons nest them."""
    if type(value) is list and any(type(part) is list for part in value):
        for part in value:
            yield from _positions(part)
    elif value != []:
        yield value
