import pytest

from tests.factories import building


def ids_of(response):
    return [item["id"] for item in response.json]


@pytest.mark.parametrize("text", ["wigglesworth", "WIGGLES", "worth+a", "glesw"])
def test_name_matches_substrings_case_insensitively(service, text):
    service.serve_buildings(building(1, name="Wigglesworth A"), building(2, name="Widener Library"))

    response = service.app.get(f"/map/buildings?name={text}")

    assert ids_of(response) == [1]


@pytest.mark.parametrize("text", ["cafe", "Caf%C3%A9", "CAF%C3%89", "cafe%CC%81"])
def test_accents_are_ignored(service, text):
    service.serve_buildings(building(1, name="Café Gato Rojo"), building(2, name="Coffee House"))

    response = service.app.get(f"/map/buildings?name={text}")

    assert ids_of(response) == [1]


def test_address_matches_substrings(service):
    service.serve_buildings(
        building(1, address="45 Quincy Street"), building(2, name="Quincy House", address="58 Plympton")
    )

    response = service.app.get("/map/buildings?address=quincy")

    assert ids_of(response) == [1]


def test_name_and_address_must_both_match(service):
    service.serve_buildings(
        building(1, name="Sever Hall", address="Harvard Yard"),
        building(2, name="Sever Annex", address="Broadway"),
        building(3, name="Weld Hall", address="Harvard Yard"),
    )

    response = service.app.get("/map/buildings?name=sever&address=yard")

    assert ids_of(response) == [1]


def test_repeated_texts_are_alternatives(service):
    service.serve_buildings(building(1, name="Weld"), building(2, name="Grays"), building(3, name="Sever"))

    response = service.app.get("/map/buildings?name=weld&name=grays&name=weld")

    assert ids_of(response) == [1, 2]


@pytest.mark.parametrize("query", ["name=", "name=&address=", "name", "name=%CC%81"])
def test_empty_texts_are_ignored(service, query):
    service.serve_buildings(building(1), building(2, name=None))

    response = service.app.get(f"/map/buildings?{query}")

    assert ids_of(response) == [1, 2]


def test_a_null_name_matches_no_text(service):
    service.serve_buildings(building(1, name=None), building(2, name="None"))

    response = service.app.get("/map/buildings?name=n")

    assert ids_of(response) == [2]


@pytest.mark.parametrize("text", [".*", "(", "[a-z]", "^W", "\\w", "|", "$", "a{1}", "%00", "zzz"])
def test_a_text_is_never_a_regular_expression(service, text):
    service.serve_buildings(building(1, name="Widener Library"))

    response = service.app.get("/map/buildings", {"name": text} if text != "%00" else "name=%00")

    assert response.json == []


@pytest.mark.parametrize("text", ["f. kennedy (school)", "#2", "a+b", "50%", "back\\slash"])
def test_special_characters_match_literally(service, text):
    service.serve_buildings(building(1, name="John F. Kennedy (School) #2 a+b 50% back\\slash"), building(2))

    response = service.app.get("/map/buildings", {"name": text})

    assert ids_of(response) == [1]


@pytest.mark.parametrize("text", ["%FF", "%C3", "a" * 257, "%CC%81" * 257])
def test_an_unmatchable_text_does_not_affect_other_texts(service, text):
    service.serve_buildings(building(1, name="a" * 300), building(2, name="Weld"))

    unmatchable = service.app.get(f"/map/buildings?name={text}")
    with_another = service.app.get(f"/map/buildings?name={text}&name=weld")

    assert (ids_of(unmatchable), ids_of(with_another)) == ([], [2])


def test_a_text_of_256_characters_is_searched(service):
    service.serve_buildings(building(1, name="a" * 300), building(2))

    response = service.app.get(f"/map/buildings?name={'a' * 256}")

    assert ids_of(response) == [1]


@pytest.mark.parametrize("query", ["foo=bar", "name[$ne]=x", "%FF=%FF", "NAME=zzz", "&&&", "=", "meal=lunch"])
def test_unknown_parameters_are_ignored(service, query):
    service.serve_buildings(building(1))

    response = service.app.get(f"/map/buildings?{query}")

    assert ids_of(response) == [1]


@pytest.mark.parametrize(("others", "ids"), [(999, [1]), (1000, [])])
def test_a_thousand_texts_are_all_searched_and_more_match_nothing(service, others, ids):
    service.serve_buildings(building(1, name="last"), building(2, name="none of these"))
    texts = [f"text{number}" for number in range(others)] + ["last", "LAST"]

    response = service.app.get("/map/buildings?" + "&".join(f"name={text}" for text in texts))

    assert ids_of(response) == ids
