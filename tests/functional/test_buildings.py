import pytest

from tests.factories import RING, building


def ids_of(answer):
    return [found["id"] for found in answer.json]


def test_a_building_has_all_its_fields(service):
    image = "https://example.edu/widener.jpg"
    service.serve_buildings(building(110, name="Widener Library", address="1 Harvard Yard", image=image))

    answer = service.app.get("/map/buildings/110")

    assert answer.json == {
        "id": 110,
        "name": "Widener Library",
        "address": "1 Harvard Yard",
        "city": "Cambridge",
        "image": image,
        "geometry": {"point": [42.3742, -71.117], "polygons": [[list(position) for position in RING]]},
    }


def test_name_and_image_are_null_when_absent(service):
    service.serve_buildings(building(name=None, image=None))

    [found] = service.app.get("/map/buildings").json

    assert (found["name"], found["image"]) == (None, None)


@pytest.mark.parametrize(
    "path", ["/map/buildings/1", "/dining/categories/1", "/dining/locations/1", "/dining/recipes/1"]
)
def test_before_any_load_every_id_is_a_404(service, path):
    service.app.get(path, status=404)


def test_a_building_known_by_a_point_has_no_polygons(service):
    service.serve_buildings(building(polygons=()))

    [found] = service.app.get("/map/buildings").json

    assert found["geometry"]["polygons"] == []


def test_buildings_come_by_id(service):
    service.serve_buildings(building(30), building(4), building(200))

    answer = service.app.get("/map/buildings")

    assert ids_of(answer) == [4, 30, 200]


def test_nothing_loaded_is_an_empty_list(service):
    assert service.app.get("/map/buildings").json == []


@pytest.mark.parametrize(
    "id_", ["110x", "-1", "1.0", "%EF%BC%91", "+1", "9" * 19, str(2**63), "9" * 5000, "%00", "%20"]
)
def test_what_is_no_id_is_not_found(service, id_):
    service.serve_buildings(building(1))

    service.app.get(f"/map/buildings/{id_}", status=404)


def test_a_query_does_not_change_one_building(service):
    service.serve_buildings(building(1))

    answer = service.app.get("/map/buildings/1?name=zzz&foo=%FF")

    assert answer.json["id"] == 1


def test_a_load_replaces_what_was_answered_before(service):
    service.serve_buildings(building(1))
    before = ids_of(service.app.get("/map/buildings"))

    service.serve_buildings(building(2))

    assert (before, ids_of(service.app.get("/map/buildings"))) == ([1], [2])
