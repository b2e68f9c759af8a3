import pytest

from tests.factories import RING, building


def ids_of(response):
    return [item["id"] for item in response.json]


def test_a_building_has_all_its_fields(service):
    image = "https://example.edu/widener.jpg"
    service.serve_buildings(building(110, name="Widener Library", address="1 Harvard Yard", image=image))

    response = service.app.get("/map/buildings/110")

    assert response.json == {
        "id": 110,
        "name": "Widener Library",
        "address": "1 Harvard Yard",
        "city": "Cambridge",
        "image": image,
        "geometry": {"point": [42.3742, -71.117], "polygons": [[list(position) for position in RING]]},
    }


def test_name_and_image_are_null_when_absent(service):
    service.serve_buildings(building(name=None, image=None))

    [item] = service.app.get("/map/buildings").json

    assert (item["name"], item["image"]) == (None, None)


@pytest.mark.parametrize(
    "path", ["/map/buildings/1", "/dining/categories/1", "/dining/locations/1", "/dining/recipes/1"]
)
def test_every_id_is_a_404_before_the_first_load(service, path):
    service.app.get(path, status=404)


def test_a_building_without_a_footprint_has_no_polygons(service):
    service.serve_buildings(building(polygons=()))

    [item] = service.app.get("/map/buildings").json

    assert item["geometry"]["polygons"] == []


def test_buildings_are_sorted_by_id(service):
    service.serve_buildings(building(30), building(4), building(200))

    response = service.app.get("/map/buildings")

    assert ids_of(response) == [4, 30, 200]


def test_a_list_is_empty_before_the_first_load(service):
    assert service.app.get("/map/buildings").json == []


@pytest.mark.parametrize(
    "id_",
    [
        *("110x", "-1", "1.0", "%EF%BC%91", "+1", "9" * 19, str(2**63), "9" * 5000, "%00", "%20"),
        *("0x1", "1e0", "1_", "%201", "1%0A", "-0", ".1", "%D9%A1", "1%C3", "null", "%7Bid%7D", "1/name"),
        *(f"{1 + 2**32}", f"{1 + 2**64}"),
    ],
)
def test_invalid_ids_return_404(service, id_):
    service.serve_buildings(building(1))

    service.app.get(f"/map/buildings/{id_}", status=404)


def test_query_parameters_of_one_building_are_ignored(service):
    service.serve_buildings(building(1))

    response = service.app.get("/map/buildings/1?name=zzz&foo=%FF")

    assert response.json["id"] == 1


def test_a_load_replaces_the_previous_buildings(service):
    service.serve_buildings(building(1))
    before = ids_of(service.app.get("/map/buildings"))

    service.serve_buildings(building(2))

    assert (before, ids_of(service.app.get("/map/buildings"))) == ([1], [2])
