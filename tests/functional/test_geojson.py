"""Buildings as GeoJSON, for who asks for it by Accept."""

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


@pytest.mark.parametrize("path", PATHS)
def test_who_asks_for_geojson_gets_its_media_type(loaded, path):
    assert loaded.app.get(path, headers=ACCEPT).headers["Content-Type"] == "application/geo+json"


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("accept", [None, "*/*", "application/json, */*", "text/html", "application/geo+json;q=0"])
def test_who_does_not_ask_for_geojson_gets_json(loaded, path, accept):
    plain, answer = loaded.app.get(path), loaded.app.get(path, headers={"Accept": accept} if accept else {})

    assert (answer.headers["Content-Type"], answer.body) == ("application/json", plain.body)


def test_the_list_is_a_collection_of_features(loaded):
    answer = loaded.app.get("/map/buildings", headers=ACCEPT)

    assert answer.json["type"] == "FeatureCollection"
    assert [(each["type"], each["id"]) for each in answer.json["features"]] == [("Feature", id_) for id_ in (1, 2, 3)]


def test_a_search_is_a_collection_of_what_was_found(loaded):
    answer = loaded.app.get("/map/buildings?name=pavilion", headers=ACCEPT)

    assert [each["properties"]["name"] for each in answer.json["features"]] == ["Pavilion"]


def test_one_building_is_a_feature(loaded):
    answer = loaded.app.get("/map/buildings/1", headers=ACCEPT)

    assert answer.json == {
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
    answer = loaded.app.get("/map/buildings", headers=ACCEPT)

    found = shapely.get_parts(shapely.from_geojson(answer.body))

    assert [shape.geom_type for shape in found] == ["MultiPolygon", "Point", "MultiPolygon"]
    assert shapely.is_valid(found).all()


@pytest.mark.parametrize(("path", "ids"), [("/map/buildings", [1, 2, 3]), ("/map/buildings/1", [1])])
def test_gdal_reads_every_building_by_its_id(loaded, path, ids):
    answer = loaded.app.get(path, headers=ACCEPT)

    about, found, _, _ = pyogrio.raw.read(BytesIO(answer.body), return_fids=True)

    assert (about["crs"], list(about["fields"])) == ("EPSG:4326", ["name", "address", "city", "image", "point"])
    assert found.tolist() == ids


@pytest.mark.parametrize("path", PATHS)
def test_the_forms_are_kept_apart(loaded, path):
    first = [loaded.app.get(path, headers=headers) for headers in ({}, ACCEPT)]
    again = [loaded.app.get(path, headers=headers) for headers in ({}, ACCEPT)]

    assert first[0].headers["ETag"] != first[1].headers["ETag"]
    assert [(each.body, each.headers["ETag"]) for each in again] == [
        (each.body, each.headers["ETag"]) for each in first
    ]


def test_who_has_one_form_gets_the_other_whole(loaded):
    tag = loaded.app.get("/map/buildings/1").headers["ETag"]

    answer = loaded.app.get("/map/buildings/1", headers={**ACCEPT, "If-None-Match": tag}, status=200)

    assert answer.json["type"] == "Feature"


def test_who_has_geojson_gets_a_304(loaded):
    tag = loaded.app.get("/map/buildings/1", headers=ACCEPT).headers["ETag"]

    again = loaded.app.get("/map/buildings/1", headers={**ACCEPT, "If-None-Match": tag}, status=304)

    assert (again.body, again.headers["Vary"]) == (b"", "Accept, Accept-Encoding")


def test_a_load_changes_geojson_too(loaded):
    loaded.app.get("/map/buildings/1", headers=ACCEPT)

    loaded.serve_buildings(building(1, name="Lamont Library"))

    assert loaded.app.get("/map/buildings/1", headers=ACCEPT).json["properties"]["name"] == "Lamont Library"


def test_a_building_that_is_not_there_is_a_problem(loaded):
    answer = loaded.app.get("/map/buildings/9", headers=ACCEPT, status=404)

    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/dining/recipes", "/dining/recipes/1", "/dining/menus"])
def test_dining_has_no_geojson(loaded, path):
    loaded.serve_dining(serving(1))

    answer = loaded.app.get(path, headers=ACCEPT)

    assert (answer.headers["Content-Type"], "type" in json.dumps(answer.json)) == ("application/json", False)
