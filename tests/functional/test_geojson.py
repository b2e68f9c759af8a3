"""Buildings as GeoJSON, which clients request with Accept."""

import json
from io import BytesIO

import pyogrio
import pytest
import shapely

from tests.factories import RING, building, serving

ACCEPT = {"Accept": "application/geo+json"}
PATHS = ["/map/buildings", "/map/buildings?name=widener", "/map/buildings/1"]
EAST = tuple((latitude, longitude + 0.001) for latitude, longitude in RING)


@pytest.fixture
def loaded(service):
    service.serve_buildings(building(1), building(2, name="Pavilion", polygons=()), building(3, polygons=(RING, EAST)))
    return service


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("/map/buildings", "/map/buildings.geojson"),
        ("/map/buildings?name=widener", "/map/buildings.geojson?name=widener"),
        ("/map/buildings?address=yard&name=pav", "/map/buildings.geojson?address=yard&name=pav"),
        ("/map/buildings/1", "/map/buildings/1.geojson"),
    ],
)
@pytest.mark.parametrize("accept", [None, "*/*", "application/json"])
def test_geojson_has_a_url(loaded, path, url, accept):
    negotiated, response = loaded.app.get(path, headers=ACCEPT), loaded.app.get(url, headers={"Accept": accept or ""})

    assert (response.headers["Content-Type"], response.body) == ("application/geo+json", negotiated.body)
    assert response.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    "path",
    [
        "/map/buildings.geojson/1",
        "/map/buildings/1.geojson.geojson",
        "/map/buildings/1.json",
        "/map/buildings/9.geojson",
        "/map/buildings/.geojson",
        "/map/buildings/geojson",
        "/map/buildings.GEOJSON",
        "/dining/recipes.geojson",
        "/dining/recipes/1.geojson",
    ],
)
def test_other_paths_do_not_exist(loaded, path):
    assert loaded.app.get(path, status=404).headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("path", PATHS)
def test_accepting_geojson_returns_its_media_type(loaded, path):
    assert loaded.app.get(path, headers=ACCEPT).headers["Content-Type"] == "application/geo+json"


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "accept",
    [
        *(None, "*/*", "application/json, */*", "text/html"),
        *("application/geo+json;q=0", "application/geo+json;q=0.5, application/json"),
    ],
)
def test_other_accept_headers_return_json(loaded, path, accept):
    plain, response = loaded.app.get(path), loaded.app.get(path, headers={"Accept": accept} if accept else {})

    assert (response.headers["Content-Type"], response.body) == ("application/json", plain.body)


def test_the_list_is_a_feature_collection(loaded):
    response = loaded.app.get("/map/buildings", headers=ACCEPT)

    assert response.json["type"] == "FeatureCollection"
    assert [(each["type"], each["id"]) for each in response.json["features"]] == [("Feature", id_) for id_ in (1, 2, 3)]


def test_a_search_returns_a_feature_collection_of_its_matches(loaded):
    response = loaded.app.get("/map/buildings?name=pavilion", headers=ACCEPT)

    assert [each["properties"]["name"] for each in response.json["features"]] == ["Pavilion"]


def test_one_building_is_a_feature(loaded):
    response = loaded.app.get("/map/buildings/1", headers=ACCEPT)

    assert response.json == {
        "type": "Feature",
        "id": 1,
        "geometry": {"type": "MultiPolygon", "coordinates": [[[[lon, lat] for lat, lon in RING]]]},
        "properties": {
            "name": "Widener Library",
            "address": "Harvard Yard",
            "city": "Cambridge",
            "image": None,
            "point": {"type": "Point", "coordinates": [-71.117, 42.3742]},
        },
    }


def test_shapely_reads_valid_geometries(loaded):
    response = loaded.app.get("/map/buildings", headers=ACCEPT)

    geometries = shapely.get_parts(shapely.from_geojson(response.body))

    assert [shape.geom_type for shape in geometries] == ["MultiPolygon", "Point", "MultiPolygon"]
    assert shapely.is_valid(geometries).all()


@pytest.mark.usefixtures("all_gdal_drivers")
@pytest.mark.parametrize(("path", "ids"), [("/map/buildings", [1, 2, 3]), ("/map/buildings/1", [1])])
def test_gdal_reads_every_building_by_its_id(loaded, path, ids):
    response = loaded.app.get(path, headers=ACCEPT)

    metadata, fids, _, _ = pyogrio.raw.read(BytesIO(response.body), return_fids=True)

    assert (metadata["crs"], list(metadata["fields"])) == ("EPSG:4326", ["name", "address", "city", "image", "point"])
    assert fids.tolist() == ids


@pytest.mark.parametrize("path", PATHS)
def test_representations_are_cached_separately(loaded, path):
    first = [loaded.app.get(path, headers=headers) for headers in ({}, ACCEPT)]
    again = [loaded.app.get(path, headers=headers) for headers in ({}, ACCEPT)]

    assert first[0].headers["ETag"] != first[1].headers["ETag"]
    assert [(each.body, each.headers["ETag"]) for each in again] == [
        (each.body, each.headers["ETag"]) for each in first
    ]


def test_the_etag_of_json_does_not_match_geojson(loaded):
    tag = loaded.app.get("/map/buildings/1").headers["ETag"]

    response = loaded.app.get("/map/buildings/1", headers={**ACCEPT, "If-None-Match": tag}, status=200)

    assert response.json["type"] == "Feature"


def test_a_matching_etag_of_geojson_returns_304(loaded):
    tag = loaded.app.get("/map/buildings/1", headers=ACCEPT).headers["ETag"]

    again = loaded.app.get("/map/buildings/1", headers={**ACCEPT, "If-None-Match": tag}, status=304)

    assert (again.body, again.headers["Vary"]) == (b"", "Accept, Accept-Encoding")


def test_a_load_updates_geojson(loaded):
    loaded.app.get("/map/buildings/1", headers=ACCEPT)

    loaded.serve_buildings(building(1, name="Lamont Library"))

    assert loaded.app.get("/map/buildings/1", headers=ACCEPT).json["properties"]["name"] == "Lamont Library"


def test_an_unknown_building_is_a_problem_document(loaded):
    response = loaded.app.get("/map/buildings/9", headers=ACCEPT, status=404)

    assert response.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/dining/recipes", "/dining/recipes/1", "/dining/menus"])
def test_dining_has_no_geojson(loaded, path):
    loaded.serve_dining(serving(1))

    response = loaded.app.get(path, headers=ACCEPT)

    assert (response.headers["Content-Type"], "type" in json.dumps(response.json)) == ("application/json", False)
