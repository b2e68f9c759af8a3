"""Buildings as GeoJSON."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from conformance import expect
from conformance.expect import Response
from conformance.target import BUILDINGS, MENUS, NAMED_ENTITIES, Row, Target

_TYPE = "application/geo+json"
_ACCEPT = {"Accept": _TYPE}
_PROPERTIES = {
    "name": expect.STRING_OR_NULL,
    "address": expect.STRING,
    "city": expect.STRING,
    "image": expect.STRING_OR_NULL,
    "point": expect.OBJECT,
}


def buildings_are_a_feature_collection(target: Target) -> None:
    """With Accept: application/geo+json, the buildings are a FeatureCollection sorted by ID."""
    response = expect.status(target.request(BUILDINGS, headers=_ACCEPT), 200)
    expect.header(response, "Content-Type", _TYPE)
    expect.has_fields(response, response.json, {"type": expect.STRING, "features": expect.ARRAY})
    actual = [(feature["type"], feature["id"]) for feature in response.json["features"]]
    expected = [("Feature", building["id"]) for building in target.non_empty_list(BUILDINGS)[1]]
    is_expected = response.json["type"] == "FeatureCollection" and actual == expected
    expect.check(is_expected, response, f"a FeatureCollection of {expected}", actual)


def one_building_is_a_feature(target: Target) -> None:
    """A single building is the same Feature as in the collection."""
    for feature, building in _features(target)[1][-1:]:
        response = expect.status(target.request(f"{BUILDINGS}/{building['id']}", headers=_ACCEPT), 200)
        expect.header(response, "Content-Type", _TYPE)
        expect.check(response.json == feature, response, str(feature), response.json)


def searches_support_geojson(target: Target) -> None:
    """A search returns the same buildings as GeoJSON."""
    names = [building["name"] for building in target.non_empty_list(BUILDINGS)[1] if building["name"]]
    expect.require(names, "no building has a name")
    expected = [building["id"] for building in expect.items(target.request(BUILDINGS, ("name", names[0])))]
    response = target.request(BUILDINGS, ("name", names[0]), headers=_ACCEPT)
    actual = [feature["id"] for feature in response.json["features"]]
    expect.check(actual == expected, response, str(expected), actual)


def features_have_all_properties(target: Target) -> None:
    """A Feature has the name, address, city, image and point of its building as properties."""
    response, features = _features(target)
    for feature, building in features:
        expect.has_fields(response, feature["properties"], _PROPERTIES)
        actual = {name: feature["properties"][name] for name in _PROPERTIES if name != "point"}
        expect.check(actual.items() <= building.items(), response, str(building), actual)


def longitude_precedes_latitude(target: Target) -> None:
    """GeoJSON positions are longitude, then latitude."""
    response, features = _features(target)
    for feature, building in features:
        point = {"type": "Point", "coordinates": building["geometry"]["point"][::-1]}
        expect.check(feature["properties"]["point"] == point, response, str(point), feature["properties"]["point"])


def footprints_are_multipolygons(target: Target) -> None:
    """A footprint is a MultiPolygon of the same positions; without one, the geometry is a Point."""
    response, features = _features(target)
    for feature, building in features:
        expected = [sorted(position[::-1] for position in ring) for ring in building["geometry"]["polygons"]]
        geometry_type = feature["geometry"]["type"]
        expected_type = "MultiPolygon" if expected else "Point"
        is_expected = geometry_type == expected_type
        expect.check(is_expected, response, f"a {expected_type} of {building['id']}", geometry_type)
        actual = [sorted(ring) for ring in _rings(feature)]
        expect.check(actual == expected, response, f"the positions of building {building['id']}", actual)


def rings_are_closed(target: Target) -> None:
    """A linear ring has at least four positions, and the first and last are equal."""
    response, features = _features(target)
    for feature, _ in features:
        for ring in _rings(feature):
            expect.check(len(ring) >= 4 and ring[0] == ring[-1], response, "a closed ring", ring)


def exterior_rings_are_counterclockwise(target: Target) -> None:
    """Exterior rings are counterclockwise."""
    response, features = _features(target)
    for feature, _ in features:
        for ring in _rings(feature):
            expect.check(_signed_area(ring) >= 0, response, "a counterclockwise ring", ring)


def json_is_the_default(target: Target) -> None:
    """JSON is the default representation."""
    plain = expect.status(target.request(BUILDINGS), 200)
    for accepted in ("*/*", "application/json", "text/html", f"{_TYPE};q=0.5, application/json"):
        expect.same_body(target.request(BUILDINGS, headers={"Accept": accepted}), plain)


def other_resources_are_never_geojson(target: Target) -> None:
    """Resources other than buildings are JSON, whatever the Accept header."""
    for path in (MENUS, *NAMED_ENTITIES):
        expect.same_body(target.request(path, headers=_ACCEPT), expect.status(target.request(path), 200))


def buildings_vary_on_accept(target: Target) -> None:
    """Vary of buildings includes Accept and Accept-Encoding in both representations."""
    for headers in ({}, _ACCEPT):
        response = target.request(BUILDINGS, headers=headers)
        names = [name.strip().lower() for name in expect.header(response, "Vary").split(",")]
        expect.check({"accept", "accept-encoding"} <= {*names}, response, "Accept and Accept-Encoding", names)


def each_representation_has_its_own_etag(target: Target) -> None:
    """GeoJSON has its own ETag, and the ETag of JSON does not match it."""
    json_etag = expect.header(target.request(BUILDINGS), "ETag")
    response = target.request(BUILDINGS, headers=_ACCEPT)
    etag = expect.header(response, "ETag")
    expect.check(etag != json_etag, response, f"an ETag other than {json_etag}", etag)
    expect.status(target.request(BUILDINGS, headers={**_ACCEPT, "If-None-Match": etag}), 304)
    expect.status(target.request(BUILDINGS, headers={**_ACCEPT, "If-None-Match": json_etag}), 200)


def _features(target: Target) -> tuple[Response, list[tuple[Row, Row]]]:
    """Return the GeoJSON response, and each Feature with its building."""
    buildings = target.non_empty_list(BUILDINGS)[1]
    response = expect.status(target.request(BUILDINGS, headers=_ACCEPT), 200)
    return response, list(zip(response.json["features"], buildings, strict=True))


def _rings(feature: Row) -> list[Any]:
    geometry = feature["geometry"]
    if geometry["type"] == "Point":
        return []
    return [ring for polygon in geometry["coordinates"] for ring in polygon]


def _signed_area(ring: Sequence[Sequence[float]]) -> float:
    """Return twice the signed area, relative to the first position; negative if the ring is clockwise."""
    relative = [(x - ring[0][0], y - ring[0][1]) for x, y in ring]
    return sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairwise(relative))
