"""Buildings: their fields, order and IDs."""

from tests.factories import building
from tests.loaders.live import live_collection, reverse


def test_an_absent_name_or_image_is_null_and_an_absent_footprint_empty(service):
    image = "https://example.edu/1.jpg"
    service.serve_buildings(building(1, name=None, image=None, polygons=()), building(2, image=image))
    # As an older version stored it.
    live_collection(service.database, "buildings").update_one({"_id": 2}, {"$unset": {"city": "", "image": ""}})

    # One by one: the whole list may have been rendered before.
    first, second = (service.app.get(f"/map/buildings/{id_}").json for id_ in (1, 2))

    assert (first["name"], first["image"], first["geometry"]["polygons"]) == (None, None, [])
    assert (second["name"], second["city"], second["image"]) == ("Widener Library", "", None)


def test_a_code_is_exact_whatever_its_letter_case(service):
    service.serve_buildings(building(1, code="ESJ"), building(2, code="ESJ2"), building(3, code="Ény"), building(4))

    for query, ids in (("code=esj", [1]), ("code=eny&code=ESJ2", [2, 3]), ("code=ES", []), ("code=", [1, 2, 3, 4])):
        assert [row["id"] for row in service.app.get(f"/map/buildings?{query}").json] == ids, query


def test_buildings_are_sorted_by_id(service):
    service.serve_buildings(building(30), building(4), building(200))

    reverse(live_collection(service.database, "buildings"))

    assert [row["id"] for row in service.app.get("/map/buildings").json] == [4, 30, 200]
