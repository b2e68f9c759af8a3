"""Buildings."""

from conformance import expect
from conformance.target import BUILDINGS

_MEMBERS = {
    "id": expect.INTEGER,
    "name": expect.TEXT_OR_NULL,
    "address": expect.TEXT,
    "city": expect.TEXT,
    "image": expect.TEXT_OR_NULL,
    "geometry": (dict,),
}
# Somebody lives at each latitude in between; a longitude in its place is often beyond.
_SOUTH, _NORTH = -60, 85
_NEARBY = 1e-6


def buildings_are_a_list(campus):
    """The buildings are a JSON list."""
    expect.items(campus.ask(BUILDINGS))


def a_building_has_every_member(campus):
    """A building has id, name, address, city, image and geometry, each of its type; what is unknown is null."""
    answer, buildings = campus.some(BUILDINGS)
    for building in buildings:
        expect.shape(answer, building, _MEMBERS)


def a_geometry_has_point_and_polygons(campus):
    """The geometry of a building has a point and a list of polygons."""
    answer, buildings = campus.some(BUILDINGS)
    for building in buildings:
        expect.shape(answer, building["geometry"], {"point": expect.LIST, "polygons": expect.LIST})


def positions_are_latitude_and_longitude(campus):
    """A position is latitude, then longitude, in degrees."""
    answer, buildings = campus.some(BUILDINGS)
    for building in buildings:
        for position in (building["geometry"]["point"], *sum(building["geometry"]["polygons"], [])):
            is_pair = type(position) is list and len(position) == 2 and all(type(x) in (int, float) for x in position)
            expect.that(is_pair, answer, "two numbers", position)
            is_place = _SOUTH <= position[0] <= _NORTH and -180 <= position[1] <= 180
            expect.that(is_place, answer, "latitude, longitude of an inhabited place", position)


def polygons_are_closed(campus):
    """A polygon has at least four positions, and ends where it begins."""
    answer, polygons = _polygons(campus)
    for polygon in polygons:
        expect.that(len(polygon) >= 4 and polygon[0] == polygon[-1], answer, "a closed polygon", polygon)


def a_point_lies_among_its_polygons(campus):
    """The point of a building lies within the bounds of its polygons."""
    _polygons(campus)
    answer, buildings = campus.some(BUILDINGS)
    for building in buildings:
        positions = sum(building["geometry"]["polygons"], [])
        for axis in (0, 1) if positions else ():
            along, at = [position[axis] for position in positions], building["geometry"]["point"][axis]
            is_within = min(along) - _NEARBY <= at <= max(along) + _NEARBY
            expect.that(is_within, answer, f"{min(along)} to {max(along)} in the point of {building['id']}", at)


def buildings_come_by_id(campus):
    """Buildings come in the order of their ids."""
    answer, buildings = campus.some(BUILDINGS)
    expect.ordered(answer, buildings, lambda building: building["id"], "buildings by id")


def no_building_comes_twice(campus):
    """Each building has an id of its own."""
    answer, buildings = campus.some(BUILDINGS)
    expect.different(answer, [building["id"] for building in buildings], "each id once")


def a_building_is_the_one_of_the_list(campus):
    """A building by its id is the same as in the list."""
    _, buildings = campus.some(BUILDINGS)
    for building in (buildings[0], buildings[len(buildings) // 2], buildings[-1]):
        answer = expect.status(campus.ask(f"{BUILDINGS}/{building['id']}"), 200)
        expect.that(answer.json == building, answer, str(building), answer.json)


def _polygons(campus):
    answer, buildings = campus.some(BUILDINGS)
    polygons = sum([building["geometry"]["polygons"] for building in buildings], [])
    expect.given(polygons, "no building has a footprint")
    return answer, polygons
