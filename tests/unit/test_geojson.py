from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import LinearRing, Polygon

from campus_api.domain import geojson
from campus_api.domain.building_fields import SERVED_FIELDS

CLOCKWISE = [[42.0, -71.0], [42.1, -71.0], [42.1, -70.9], [42.0, -71.0]]
degrees = st.integers(-90_000_000, 90_000_000).map(lambda number: number / 1_000_000)
corners = st.tuples(degrees, degrees)
triangles = st.lists(corners, min_size=3, max_size=3, unique=True).map(lambda ring: [*ring, ring[0]])
rings = st.lists(corners, min_size=3).map(lambda ring: [*ring, ring[0]])


def building(id_=1, *, polygons=(), point=(42.05, -70.95), **fields):
    geometry = {"point": list(point), "polygons": list(polygons)}
    return {"id": id_, **dict.fromkeys(SERVED_FIELDS, "text"), "geometry": geometry, **fields}


def test_a_building_is_a_feature_with_its_id_and_properties():
    feature = geojson.feature(building(7, image="https://example.edu/7.jpg", polygons=[CLOCKWISE]))

    assert feature == {
        "type": "Feature",
        "id": 7,
        "geometry": {"type": "MultiPolygon", "coordinates": [[[[-71, 42], [-70.9, 42.1], [-71, 42.1], [-71, 42]]]]},
        "properties": {
            "id": 7,
            **dict.fromkeys(SERVED_FIELDS, "text"),
            "image": "https://example.edu/7.jpg",
            "point": {"type": "Point", "coordinates": [-70.95, 42.05]},
        },
    }


def test_a_building_without_a_footprint_is_at_its_point():
    feature = geojson.feature(building())

    assert feature["geometry"] == feature["properties"]["point"] == {"type": "Point", "coordinates": [-70.95, 42.05]}


def test_several_rings_are_several_polygons():
    [*first], second = CLOCKWISE, [[latitude + 1, longitude] for latitude, longitude in CLOCKWISE]

    feature = geojson.feature(building(polygons=[first, second]))

    assert [len(polygon) for polygon in feature["geometry"]["coordinates"]] == [1, 1]


@given(ring=triangles | rings)
def test_every_ring_is_the_same_ring_counterclockwise(ring):
    [[oriented]] = geojson.feature(building(polygons=[ring]))["geometry"]["coordinates"]
    flipped = [[longitude, latitude] for latitude, longitude in ring]
    assert oriented in (flipped, flipped[::-1])
    if len(ring) == 4 and Polygon(ring).area > 1e-9:
        assert LinearRing(oriented).is_ccw
