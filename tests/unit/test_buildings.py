from campus_api.db.buildings import building_query


def test_a_thousand_texts_are_one_query_and_more_match_nothing():
    texts = [f"text {number}" for number in range(1001)]

    for field in ("name", "address"):
        others = {"name": ["oak"], "address": ["elm"]}
        query = building_query(others | {field: texts[1:]})
        assert len(query[f"search.{field}"]["$in"]) == 1000, field
        assert building_query(others | {field: texts})[f"search.{field}"] == {"$in": []}, field


def test_texts_with_equal_folded_forms_are_deduplicated():
    query = building_query({"name": ["CAFÉ", "cafe"], "address": ()})

    assert [regex.pattern for regex in query["search.name"]["$in"]] == ["cafe"]
