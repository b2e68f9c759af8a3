"""Buildings: their fields, order and IDs."""

from tests.factories import RING, building
from tests.loaders.live import live_collection


def ids(service, query=""):
    return [row["id"] for row in service.app.get(f"/map/buildings?{query}").json]


def test_a_building_has_all_its_fields(service):
    image = "https://example.edu/widener.jpg"
    service.serve_buildings(building(110, name="Widener Library", address="1 Harvard Yard", image=image), building(2))

    response = service.app.get("/map/buildings/110")

    assert response.json == {
        "id": 110,
        "name": "Widener Library",
        "address": "1 Harvard Yard",
        "city": "Cambridge",
        "image": image,
        "geometry": {"point": [42.3742, -71.117], "polygons": [[list(position) for position in RING]]},
    }


def test_an_absent_name_or_image_is_null_and_an_absent_footprint_empty(service):
    image = "https://example.edu/1.jpg"
    service.serve_buildings(building(1, name=None, image=None, polygons=()), building(2, image=image))
    # As an older version stored it.
    live_collection(service.database, "buildings").update_one({"_id": 2}, {"$unset": {"city": "", "image": ""}})

    first, second = service.app.get("/map/buildings").json

    assert (first["name"], first["image"], first["geometry"]["polygons"]) == (None, None, [])
    assert (second["name"], second["city"], second["image"]) == ("Widener Library", "", None)


def test_buildings_are_sorted_by_id(service):
    service.serve_buildings(building(30), building(4), building(200))
    stored = live_collection(service.database, "buildings")

    stored.insert_one(stored.find_one_and_delete({"_id": 4}))

    assert ids(service) == [4, 30, 200]


def test_unknown_parameters_are_ignored(service):
    service.serve_buildings(building(1))

    for query in ("foo=bar", "name[$ne]=x", "%FF=%FF", "NAME=zzz", "&&&", "=", "meal=lunch"):
        assert ids(service, query) == [1], query
    assert service.app.get("/map/buildings/1?name=zzz&foo=%FF").json["id"] == 1
