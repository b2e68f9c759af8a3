import pytest

from tests.factories import building


def ids_of(answer):
    return [found["id"] for found in answer.json]


@pytest.mark.parametrize("text", ["wigglesworth", "WIGGLES", "worth+a", "glesw"])
def test_a_part_of_the_name_finds_whatever_its_case(service, text):
    service.serve_buildings(building(1, name="Wigglesworth A"), building(2, name="Widener Library"))

    answer = service.app.get(f"/map/buildings?name={text}")

    assert ids_of(answer) == [1]


@pytest.mark.parametrize("text", ["cafe", "Caf%C3%A9", "CAF%C3%89", "cafe%CC%81"])
def test_accents_do_not_matter(service, text):
    service.serve_buildings(building(1, name="Café Gato Rojo"), building(2, name="Coffee House"))

    answer = service.app.get(f"/map/buildings?name={text}")

    assert ids_of(answer) == [1]


def test_a_part_of_the_address_finds(service):
    service.serve_buildings(
        building(1, address="45 Quincy Street"), building(2, name="Quincy House", address="58 Plympton")
    )

    answer = service.app.get("/map/buildings?address=quincy")

    assert ids_of(answer) == [1]


def test_name_and_address_must_both_match(service):
    service.serve_buildings(
        building(1, name="Sever Hall", address="Harvard Yard"),
        building(2, name="Sever Annex", address="Broadway"),
        building(3, name="Weld Hall", address="Harvard Yard"),
    )

    answer = service.app.get("/map/buildings?name=sever&address=yard")

    assert ids_of(answer) == [1]


def test_repeated_texts_are_alternatives(service):
    service.serve_buildings(building(1, name="Weld"), building(2, name="Grays"), building(3, name="Sever"))

    answer = service.app.get("/map/buildings?name=weld&name=grays&name=weld")

    assert ids_of(answer) == [1, 2]


@pytest.mark.parametrize("query", ["name=", "name=&address=", "name", "name=%CC%81"])
def test_a_text_that_says_nothing_counts_as_not_given(service, query):
    service.serve_buildings(building(1), building(2, name=None))

    answer = service.app.get(f"/map/buildings?{query}")

    assert ids_of(answer) == [1, 2]


def test_a_building_without_a_name_is_found_by_no_name(service):
    service.serve_buildings(building(1, name=None), building(2, name="None"))

    answer = service.app.get("/map/buildings?name=n")

    assert ids_of(answer) == [2]


@pytest.mark.parametrize("text", [".*", "(", "[a-z]", "^W", "\\w", "|", "$", "a{1}", "%00", "zzz"])
def test_a_text_is_never_a_regular_expression(service, text):
    service.serve_buildings(building(1, name="Widener Library"))

    answer = service.app.get("/map/buildings", {"name": text} if text != "%00" else "name=%00")

    assert answer.json == []


@pytest.mark.parametrize("text", ["f. kennedy (school)", "#2", "a+b", "50%", "back\\slash"])
def test_special_characters_are_found_as_they_are(service, text):
    service.serve_buildings(building(1, name="John F. Kennedy (School) #2 a+b 50% back\\slash"), building(2))

    answer = service.app.get("/map/buildings", {"name": text})

    assert ids_of(answer) == [1]


@pytest.mark.parametrize("text", ["%FF", "%C3", "a" * 257, "%CC%81" * 257])
def test_what_cannot_match_is_one_alternative_of_several(service, text):
    service.serve_buildings(building(1, name="a" * 300), building(2, name="Weld"))

    nothing = service.app.get(f"/map/buildings?name={text}")
    other = service.app.get(f"/map/buildings?name={text}&name=weld")

    assert (ids_of(nothing), ids_of(other)) == ([], [2])


def test_a_text_of_256_characters_still_finds(service):
    service.serve_buildings(building(1, name="a" * 300), building(2))

    answer = service.app.get(f"/map/buildings?name={'a' * 256}")

    assert ids_of(answer) == [1]


@pytest.mark.parametrize("query", ["foo=bar", "name[$ne]=x", "%FF=%FF", "NAME=zzz", "&&&", "=", "meal=lunch"])
def test_unknown_parameters_are_ignored(service, query):
    service.serve_buildings(building(1))

    answer = service.app.get(f"/map/buildings?{query}")

    assert ids_of(answer) == [1]


@pytest.mark.parametrize(("others", "found"), [(999, [1]), (1000, [])])
def test_a_thousand_texts_are_all_searched_and_more_match_nothing(service, others, found):
    service.serve_buildings(building(1, name="last"), building(2, name="none of these"))
    texts = [f"text{number}" for number in range(others)] + ["last", "LAST"]

    answer = service.app.get("/map/buildings?" + "&".join(f"name={text}" for text in texts))

    assert ids_of(answer) == found
