"""Buildings, and their search by name and address."""

from urllib.parse import quote

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


def test_name_and_image_are_null_when_absent(service):
    service.serve_buildings(building(1, name=None, image=None), building(2, image="https://example.edu/1.jpg"))
    # As an older version stored it.
    live_collection(service.database, "buildings").update_one({"_id": 2}, {"$unset": {"city": "", "image": ""}})

    first, second = service.app.get("/map/buildings").json

    assert (first["name"], first["image"]) == (None, None)
    assert (second["name"], second["city"], second["image"]) == ("Widener Library", "", None)


def test_a_building_without_a_footprint_has_no_polygons(service):
    service.serve_buildings(building(polygons=()))

    [row] = service.app.get("/map/buildings").json

    assert row["geometry"]["polygons"] == []


def test_buildings_are_sorted_by_id(service):
    service.serve_buildings(building(30), building(4), building(200))
    stored = live_collection(service.database, "buildings")

    stored.insert_one(stored.find_one_and_delete({"_id": 4}))

    assert ids(service) == [4, 30, 200]


def test_a_list_is_empty_before_the_first_load(service):
    assert service.app.get("/map/buildings").json == []


def test_invalid_and_unknown_ids_return_404(service):
    service.serve_buildings(building(1))

    for id_ in ("2", "110x", "-1", "%EF%BC%91", "%201", "1%0A", "1%C3", "%00", "%7Bid%7D", "1/name", 2**63, 1 + 2**64):
        assert service.app.get(f"/map/buildings/{id_}", status="*").status_int == 404, id_


def test_accents_are_ignored(service):
    service.serve_buildings(building(1, name="Café Gato Rojo"), building(2, name="Coffee House"))

    for text in ("cafe", "Caf%C3%A9", "CAF%C3%89", "cafe%CC%81"):
        assert ids(service, f"name={text}") == [1], text


def test_name_and_address_must_both_match(service):
    service.serve_buildings(
        building(1, name="Sever Hall", address="Harvard Yard"),
        building(2, name="Sever Annex", address="Broadway"),
        building(3, name="Weld Hall", address="Harvard Yard"),
    )

    assert ids(service, "name=sever&address=yard") == [1]


def test_repeated_texts_are_alternatives(service):
    service.serve_buildings(building(1, name="Weld"), building(2, name="Grays"), building(3, name="Sever"))

    assert ids(service, "name=weld&name=grays&name=weld") == [1, 2]


def test_empty_texts_are_ignored(service):
    service.serve_buildings(building(1), building(2, name=None))

    for query in ("name=", "name=&address=", "name", "name=%CC%81"):
        assert ids(service, query) == [1, 2], query


def test_a_text_is_never_a_regular_expression(service):
    service.serve_buildings(building(1, name="Widener Library"))

    for text in (".*", "(", "[a-z]", "^W", "\\w", "|", "$", "a{1}", "\0", "zzz"):
        assert ids(service, f"name={quote(text)}") == [], text


def test_an_unmatchable_text_does_not_affect_other_texts(service):
    service.serve_buildings(building(1, name="a" * 300), building(2, name="Weld"))

    for text in ("%FF", "%C3", "a" * 257, "%CC%81" * 257):
        assert ids(service, f"name={text}") == [], text
        assert ids(service, f"name={text}&name=weld") == [2], text
    assert ids(service, f"name={'a' * 256}") == [1]


def test_unknown_parameters_are_ignored(service):
    service.serve_buildings(building(1))

    for query in ("foo=bar", "name[$ne]=x", "%FF=%FF", "NAME=zzz", "&&&", "=", "meal=lunch"):
        assert ids(service, query) == [1], query
    assert service.app.get("/map/buildings/1?name=zzz&foo=%FF").json["id"] == 1


def test_a_thousand_texts_are_all_searched_and_more_match_nothing(service):
    service.serve_buildings(building(1, name="last"), building(2, name="none of these"))
    texts = [f"name=text{number}" for number in range(1000)]

    # Repeated texts do not count.
    assert ids(service, "&".join([*texts[1:], "name=last", "name=LAST"])) == [1]
    assert ids(service, "&".join([*texts, "name=last"])) == []
