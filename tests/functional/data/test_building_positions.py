"""Buildings in a box and near a position."""

import pytest

from tests.factories import building

# Of (latitude, longitude): the ID is the order from (42.37, -71.11).
POINTS = {1: (42.37, -71.11), 2: (42.371, -71.11), 3: (42.37, -71.112), 4: (-17.0, 179.99)}
FAR_RING = ((42.4, -71.2), (42.4, -71.1), (42.5, -71.1), (42.4, -71.2))


@pytest.fixture
def placed(service):
    placed = [building(id_, point=point, polygons=()) for id_, point in POINTS.items()]
    service.serve_buildings(*placed, building(5, point=(42.44, -71.12), polygons=(FAR_RING,)))
    return service


def ids(service, query):
    return [row["id"] for row in service.app.get(f"/map/buildings?{query}").json]


def test_a_box_has_the_buildings_that_it_intersects(placed):
    for query, expected in {
        "bbox=-71.111,42.3,-71.1,42.371": [1, 2],
        "bbox=-71.2,42.45,-71.19,42.46": [5],
        "bbox=-180,-90,180,90": [1, 2, 3, 4, 5],
        "bbox=-250,-85,110,85": [1, 2, 3, 5],
        "bbox=179,-18,-179,-16": [4],
        "bbox=-71.111,42.3,-500,-71.1,42.371,9000": [1, 2],
        "bbox=-71.111,42.3,-71.1,42.3705&bbox=179,-18,180,-16": [1, 4],
        "bbox=-71.111,42.3,-71.1,42.371&name=nothing": [],
        "bbox=&limit=2&limit=1": [1, 2],
    }.items():
        assert ids(placed, query) == expected, query


def test_the_nearest_building_comes_first_with_its_distance(placed):
    rows = placed.app.get("/map/buildings?near=42.37,-71.11&limit=3").json
    assert [(row["id"], row["distance"]) for row in rows] == [(1, 0.0), (2, 111.2), (3, 164.3)]
    assert "distance" not in placed.app.get("/map/buildings?limit=1").json[0]
    features = placed.app.get("/map/buildings.geojson?near=42.37,-71.112&limit=2").json["features"]
    assert [(each["id"], each["properties"]["distance"]) for each in features] == [(3, 0.0), (1, 164.3)]
    assert ids(placed, "near=42.371,-71.11&near=-17,179.99&limit=2") == [2, 4]
    assert ids(placed, "near=-17,-180&limit=1") == [4]
    assert placed.app.get("/map/buildings.csv?near=42.371,-71.11&limit=1").text.splitlines()[1].startswith("2,")


def test_malformed_parameters_are_reported_and_corrected_where_it_can_be_told(placed):
    for query, corrected in {
        **dict.fromkeys(("bbox=1,2,3", "bbox=a,b,c,d", "bbox=0,0,nan,1", "bbox=0,0,1e999,1", "bbox=-7_1.2,42,-7_1,43")),
        **dict.fromkeys(("near=4_2,-71", "near=%D9%A4%D9%A2,-71", "near=%CC%81", "near=42.37", "near=200,100")),
        **dict.fromkeys(("limit=-1", "limit=x", "limit=1.5", "code=%FF", f"code={'x' * 257}")),
        "bbox=35.6,139.7,35.7,139.8": "bbox=139.7,35.6,139.8,35.7",
        "bbox=35.6,139.7,5,35.7,139.8,9": "bbox=139.7,35.6,139.8,35.7",
        "bbox=0,10,1,5": "bbox=0,5,1,10",
        "near=139.7,35.6": "near=35.6,139.7",
        "near=-71.1,42.3": "near=42.3,-71.1",
        "bbox=42.3,-71.2,42.4,-71.1": "bbox=-71.2,42.3,-71.1,42.4",
        "near=42.37%3B%20-71.11": "near=42.37,-71.11",
        "limit=1.0&name=%FF&Near=x": "limit=1&name=%FF",
    }.items():
        for path in ("/map/buildings", "/map/buildings.csv", "/map/buildings.geojson"):
            problem = placed.app.get(f"{path}?{query}", status=400).json
            assert problem["errors"][0]["parameter"] == query.partition("=")[0], query
            url = corrected and f"{path}?{corrected.replace(',', '%2C')}"
            assert problem["corrected"] == url, query
            assert url is None or placed.app.get(url, status=200), query
    assert ids(placed, "limit=0") == ids(placed, "name=%FF") == []
