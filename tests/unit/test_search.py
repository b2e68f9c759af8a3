import pytest

from campus_api.db import search
from campus_api.domain.text import encode_frequencies


def live(buildings=1000, *, indexed="buildings_1", **common):
    """Return the record of 1,000 buildings, with the frequencies of the common trigrams of their names."""
    trigrams = {f"n{trigram}": number for trigram, number in common.items()}
    record = {"collections": {"buildings": "buildings_1"}, "indexed": indexed, "counts": {"buildings": buildings}}
    return {**record, "common_trigrams": encode_frequencies(trigrams)}


def trigrams_of(record, **texts):
    """Return which trigrams the query uses."""
    query = search.building_query(texts.get("name", ()), texts.get("address", ()), record)
    return query.get("search.trigrams", {}).get("$in")


def test_the_rarest_trigram_of_a_text_is_used():
    assert trigrams_of(live(hal=512, all=256), name=["halls"]) == ["nlls"]


def test_of_equally_rare_trigrams_the_first_in_the_alphabet_is_used():
    assert trigrams_of(live(), name=["wigglesworth"]) == ["nesw"]


def test_each_alternative_has_its_trigram():
    assert trigrams_of(live(), name=["oak", "elm"]) == ["nelm", "noak"]


def test_the_field_with_the_rarer_trigrams_is_used():
    assert trigrams_of(live(oak=512), name=["oak"], address=["elm"]) == ["aelm"]


def test_a_text_without_trigrams_needs_the_other_field():
    assert trigrams_of(live(), name=["ok"], address=["elm"]) == ["aelm"]


@pytest.mark.parametrize(("common", "trigrams"), [(64, None), (0, ["noak"])])
def test_trigrams_of_a_sixteenth_of_all_buildings_are_not_used(common, trigrams):
    assert trigrams_of(live(1024, oak=common), name=["oak"]) == trigrams


def test_the_frequencies_of_alternatives_are_added():
    assert trigrams_of(live(2047, oak=64, elm=64), name=["oak", "elm"]) is None


def test_any_number_of_rare_alternatives_uses_the_index():
    texts = [f"{number}oak" for number in range(100, 300)]

    assert len(trigrams_of(live(), name=texts)) > 100


def test_buildings_of_an_older_version_have_no_trigrams():
    assert trigrams_of(live(indexed=None), name=["oak"]) is None


def test_a_search_without_texts_is_a_query_for_all_buildings():
    assert search.building_query((), (), live()) == {}


@pytest.mark.parametrize("field", ["name", "address"])
def test_a_thousand_texts_are_one_query_and_more_match_nothing(field):
    texts = {"name": ["oak"], "address": ["elm"], field: [f"text {number}" for number in range(1000)]}

    query = search.building_query(**texts, record=live())

    assert len(query[f"search.{field}"]["$in"]) == 1000
    texts[field].append("another")
    assert search.building_query(**texts, record=live()) is None


def test_a_field_whose_texts_are_all_too_long_matches_nothing():
    assert search.building_query(["oak"], ["x" * 257], live()) is None


def test_texts_with_equal_folded_forms_are_deduplicated():
    query = search.building_query(["CAFÉ", "cafe"], (), live())

    assert [regex.pattern for regex in query["search.name"]["$in"]] == ["cafe"]
