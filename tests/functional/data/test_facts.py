"""What recipes are made of, over HTTP."""

import pytest
from pyramid.request import Request

from tests.factories import facts, facts_row, serving
from tests.loaders.live import live_collection

PATH = "/dining/recipes/31001/facts"


def test_facts_are_those_of_the_export(service):
    service.serve_dining(serving(), facts={31001: facts()})

    assert service.app.get(PATH).json == facts_row(
        serving_size="5 OZL",
        calories=167,
        calories_from_fat=27,
        nutrients={
            **facts_row()["nutrients"],
            "total_fat": {"amount": 3, "unit": "g", "daily_value": 5},
            "sodium": {"amount": 14.8, "unit": "mg", "daily_value": None},
        },
        ingredients="Whole Grain Kashi Pilaf (Oats, Brown Rice)",
        allergens=["Sesame", "Wheat"],
        labels=[
            {"code": "VGN", "name": "vegan", "implies": [{"code": "VGT", "name": "vegetarian"}]},
            {"code": "XYZ", "name": None, "implies": []},
        ],
        as_of="2026-11-20",
    )


def test_unknown_facts_are_null(service):
    service.serve_dining(serving())

    assert service.app.get(PATH).json == facts_row()


def test_a_fact_that_a_stored_document_does_not_have_is_null(service):
    service.serve_dining(serving(), facts={31001: facts()})
    live_collection(service.database, "recipes").update_one({}, {"$set": {"facts": {"as_of": "2026-11-20"}}})

    assert service.app.get(PATH).json == facts_row(as_of="2026-11-20")


def test_a_recipe_has_no_facts_in_it(service):
    service.serve_dining(serving(), facts={31001: facts()})

    assert service.app.get("/dining/recipes/31001").json == {"id": 31001, "name": "Kashi Pilaf"}
    assert service.app.get("/dining/recipes").json == [{"id": 31001, "name": "Kashi Pilaf"}]


@pytest.mark.parametrize(
    "path",
    [
        *("/dining/recipes/999/facts", "/dining/recipes/x/facts", "/dining/recipes/facts", f"{PATH}/sodium"),
        *("/dining/recipes/31001/Facts", "/dining/locations/30/facts", "/dining/categories/23/facts"),
    ],
)
def test_only_recipes_have_facts(service, path):
    service.serve_dining(serving())

    assert service.app.get(path, status=404).json["detail"] == f"There is nothing at {path}."


@pytest.mark.parametrize("path", [f"{PATH}/", "/dining/recipes/0031001/facts", f"{PATH}?name=x"])
def test_other_urls_of_facts_are_equivalent(service, path):
    service.serve_dining(serving(), facts={31001: facts()})

    assert service.app.get(path).json == service.app.get(PATH).json


def test_facts_are_cached_until_the_next_load(service):
    service.serve_dining(serving(), facts={31001: facts()})
    tag = {"If-None-Match": service.app.get(PATH).headers["ETag"]}
    service.app.get(PATH, headers=tag, status=304)

    service.serve_dining(serving(), facts={31001: facts(calories=170)})

    assert service.app.get(PATH, headers=tag, status=200).json["calories"] == 170


def test_head_and_cors_are_as_for_other_resources(service):
    service.serve_dining(serving(), facts={31001: facts()})

    head, get = service.app.head(PATH), service.app.get(PATH)

    assert (head.body, head.headers["Content-Length"]) == (b"", str(len(get.body)))
    assert get.headers["Access-Control-Allow-Origin"] == "*"
    assert get.headers["Cache-Control"] == service.app.get("/dining/recipes/31001").headers["Cache-Control"]


def test_facts_of_a_recipe_that_a_load_has_removed_in_the_meantime_are_a_404(service):
    service.serve_dining(serving())
    recipe = service.cache.app.root_factory(Request.blank("/"))["dining"]["recipes"]["31001"]
    live_collection(service.database, "recipes").delete_one({"_id": 31001})

    with pytest.raises(KeyError):
        recipe["facts"]


def test_all_known_facts_are_listed_by_id(service):
    service.serve_dining(serving(), serving(2, "Soup"), serving(1, "Rice"), facts={31001: facts(), 1: facts()})

    rows = service.app.get("/dining/facts").json

    assert [row["id"] for row in rows] == [1, 31001]
    assert rows == [service.app.get(f"/dining/recipes/{row['id']}/facts").json for row in rows]


def test_facts_are_sorted_in_whatever_order_they_are_stored(service):
    service.serve_dining(*(serving(id_) for id_ in (1, 2)), facts={1: facts(), 2: facts()})
    recipes = live_collection(service.database, "recipes")

    recipes.insert_one(recipes.find_one_and_delete({"_id": 1}))

    assert [row["id"] for row in service.app.get("/dining/facts").json] == [1, 2]


def test_facts_of_several_recipes_are_listed(service):
    service.serve_dining(*(serving(id_) for id_ in range(5)), facts={id_: facts() for id_ in range(4)})

    rows = service.app.get(f"/dining/facts?recipe=3&recipe=1&recipe=4&recipe={10**40}&_=7").json

    assert [row["id"] for row in rows] == [1, 3]


def test_no_facts_are_an_empty_list(service):
    before = service.app.get("/dining/facts").json
    service.serve_dining(serving())

    assert (before, service.app.get("/dining/facts").json, service.app.get("/dining/facts?recipe=7").json) == (
        [],
        [],
        [],
    )


@pytest.mark.parametrize(
    ("query", "reason", "corrected"),
    [
        ("recipe=31001.0", "is not an integer", "?recipe=31001"),
        ("recipe=", "is empty", ""),
        ("recipes=1,2", "is not a parameter of facts: these are recipe", "?recipe=1&recipe=2"),
        ("id=1", "is not a parameter of facts: these are recipe", None),
    ],
)
def test_an_invalid_query_of_facts_is_reported(service, query, reason, corrected):
    service.serve_dining(serving(), facts={31001: facts()})
    service.app.get("/dining/facts")

    problem = service.app.get(f"/dining/facts?{query}", status=400).json

    assert problem["errors"][0]["reason"] == reason
    assert problem["corrected"] == (None if corrected is None else f"/dining/facts{corrected}")
