from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import LinearRing, Polygon

from campus_api.domain import geojson

CLOCKWISE = [[42.0, -71.0], [42.1, -71.0], [42.1, -70.9], [42.0, -71.0]]
degrees = st.integers(-90_000_000, 90_000_000).map(lambda number: number / 1_000_000)
corners = st.tuples(degrees, degrees)
triangles = st.lists(corners, min_size=3, max_size=3, unique=True).map(lambda ring: [*ring, ring[0]])
rings = st.lists(corners, min_size=3).map(lambda ring: [*ring, ring[0]])


@given(ring=triangles | rings)
def test_every_ring_is_a_polygon_of_the_same_ring_counterclockwise(ring):
    geometry = {"point": (42.05, -70.95), "polygons": [ring, CLOCKWISE]}

    [[oriented], [other]] = geojson.feature({"id": 1, "geometry": geometry})["geometry"]["coordinates"]

    assert other == [[-71, 42], [-70.9, 42.1], [-71, 42.1], [-71, 42]]
    flipped = [[longitude, latitude] for latitude, longitude in ring]
    assert oriented in (flipped, flipped[::-1])
    if len(ring) == 4 and Polygon(ring).area > 1e-9:
        assert LinearRing(oriented).is_ccw
