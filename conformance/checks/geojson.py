"""Buildings as GeoJSON."""

from itertools import pairwise

from conformance import expect
from conformance.target import BUILDINGS, MENUS, NAMES

_TYPE = "application/geo+json"
_ACCEPT = {"Accept": _TYPE}
_PROPERTIES = {
    "name": expect.TEXT_OR_NULL,
    "address": expect.TEXT,
    "city": expect.TEXT,
    "image": expect.TEXT_OR_NULL,
    "point": (dict,),
}


def buildings_come_as_geojson(campus):
    """Who accepts application/geo+json gets the buildings as a FeatureCollection, by id."""
    answer = expect.status(campus.ask(BUILDINGS, headers=_ACCEPT), 200)
    expect.header(answer, "Content-Type", _TYPE)
    expect.shape(answer, answer.json, {"type": expect.TEXT, "features": expect.LIST})
    got = [(feature["type"], feature["id"]) for feature in answer.json["features"]]
    expected = [("Feature", building["id"]) for building in campus.some(BUILDINGS)[1]]
    is_right = answer.json["type"] == "FeatureCollection" and got == expected
    expect.that(is_right, answer, f"a FeatureCollection of {expected}", got)


def a_building_comes_as_a_feature(campus):
    """A building by its id comes as the Feature that it is in the collection."""
    for feature, building in _features(campus)[1][-1:]:
        answer = expect.status(campus.ask(f"{BUILDINGS}/{building['id']}", headers=_ACCEPT), 200)
        expect.header(answer, "Content-Type", _TYPE)
        expect.that(answer.json == feature, answer, str(feature), answer.json)


def a_search_comes_as_geojson(campus):
    """A search finds the same buildings as GeoJSON."""
    names = [building["name"] for building in campus.some(BUILDINGS)[1] if building["name"]]
    expect.given(names, "no building has a name")
    expected = [building["id"] for building in expect.items(campus.ask(BUILDINGS, ("name", names[0])))]
    answer = campus.ask(BUILDINGS, ("name", names[0]), headers=_ACCEPT)
    got = [feature["id"] for feature in answer.json["features"]]
    expect.that(got == expected, answer, str(expected), got)


def a_feature_has_every_property(campus):
    """The properties of a Feature are name, address, city and image of the building, and its point."""
    answer, features = _features(campus)
    for feature, building in features:
        expect.shape(answer, feature["properties"], _PROPERTIES)
        got = {name: feature["properties"][name] for name in _PROPERTIES if name != "point"}
        expect.that(got.items() <= building.items(), answer, str(building), got)


def longitude_comes_first(campus):
    """In GeoJSON the longitude comes first."""
    answer, features = _features(campus)
    for feature, building in features:
        point = {"type": "Point", "coordinates": building["geometry"]["point"][::-1]}
        expect.that(feature["properties"]["point"] == point, answer, str(point), feature["properties"]["point"])


def a_footprint_is_a_multipolygon(campus):
    """A footprint is a MultiPolygon with the positions of the polygons; without one the point is the geometry."""
    answer, features = _features(campus)
    for feature, building in features:
        wanted = [sorted(position[::-1] for position in ring) for ring in building["geometry"]["polygons"]]
        geometry = feature["geometry"]
        kind = "MultiPolygon" if wanted else "Point"
        expect.that(geometry["type"] == kind, answer, f"a {kind} of {building['id']}", geometry["type"])
        got = [sorted(ring) for ring in _rings(feature)]
        expect.that(got == wanted, answer, f"the positions of building {building['id']}", got)


def rings_are_closed(campus):
    """A ring of GeoJSON has at least four positions, and ends where it begins."""
    answer, features = _features(campus)
    for feature, _ in features:
        for ring in _rings(feature):
            expect.that(len(ring) >= 4 and ring[0] == ring[-1], answer, "a closed ring", ring)


def outer_rings_turn_counter_clockwise(campus):
    """An outer ring of GeoJSON turns counter-clockwise."""
    answer, features = _features(campus)
    for feature, _ in features:
        for ring in _rings(feature):
            expect.that(_turning(ring) >= 0, answer, "a ring that turns counter-clockwise", ring)


def json_comes_to_all_others(campus):
    """Who does not ask for GeoJSON, or rather takes JSON, gets JSON."""
    plain = expect.status(campus.ask(BUILDINGS), 200)
    for accepted in ("*/*", "application/json", "text/html", f"{_TYPE};q=0.5, application/json"):
        expect.same_body(campus.ask(BUILDINGS, headers={"Accept": accepted}), plain)


def only_buildings_come_as_geojson(campus):
    """What is no building comes as JSON, whatever is accepted."""
    for path in (MENUS, *NAMES):
        expect.same_body(campus.ask(path, headers=_ACCEPT), expect.status(campus.ask(path), 200))


def buildings_vary_by_accept(campus):
    """Vary of buildings names Accept and Accept-Encoding, in either form."""
    for headers in ({}, _ACCEPT):
        answer = campus.ask(BUILDINGS, headers=headers)
        names = [name.strip().lower() for name in expect.header(answer, "Vary").split(",")]
        expect.that({"accept", "accept-encoding"} <= {*names}, answer, "Accept and Accept-Encoding", names)


def each_form_has_its_own_etag(campus):
    """GeoJSON has an ETag of its own, with which a 304 comes; that of JSON is not it."""
    answer, tag = campus.ask(BUILDINGS, headers=_ACCEPT), expect.header(campus.ask(BUILDINGS), "ETag")
    own = expect.header(answer, "ETag")
    expect.that(own != tag, answer, f"another ETag than {tag}", own)
    expect.status(campus.ask(BUILDINGS, headers={**_ACCEPT, "If-None-Match": own}), 304)
    expect.status(campus.ask(BUILDINGS, headers={**_ACCEPT, "If-None-Match": tag}), 200)


def _features(campus):
    buildings = campus.some(BUILDINGS)[1]
    answer = expect.status(campus.ask(BUILDINGS, headers=_ACCEPT), 200)
    return answer, list(zip(answer.json["features"], buildings, strict=True))


def _rings(feature):
    geometry = feature["geometry"]
    return [ring for polygon in geometry["coordinates"] for ring in polygon] if geometry["type"] != "Point" else []


def _turning(ring):
    """Return twice the area, seen from the first position: negative when the ring turns clockwise."""
    near = [(x - ring[0][0], y - ring[0][1]) for x, y in ring]
    return sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairwise(near))
