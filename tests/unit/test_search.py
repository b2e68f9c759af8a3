import pytest

from campus_api.db import search


def test_a_search_without_texts_is_a_query_for_all_buildings():
    assert search.building_query((), ()) == {}


@pytest.mark.parametrize("field", ["name", "address"])
def test_a_thousand_texts_are_one_query_and_more_match_nothing(field):
    texts = {"name": ["oak"], "address": ["elm"], field: [f"text {number}" for number in range(1000)]}

    query = search.building_query(**texts)

    assert len(query[f"search.{field}"]["$in"]) == 1000
    texts[field].append("another")
    assert search.building_query(**texts) is None


def test_a_field_whose_texts_are_all_too_long_matches_nothing():
    assert search.building_query(["oak"], ["x" * 257]) is None


def test_texts_with_equal_folded_forms_are_deduplicated():
    query = search.building_query(["CAFÉ", "cafe"], ())

    assert [regex.pattern for regex in query["search.name"]["$in"]] == ["cafe"]
