"""What recipes are made of."""

from tests.factories import facts, facts_row, serving
from tests.loaders.live import live_collection, reverse

PATH = "/dining/recipes/31001/facts"


def test_unknown_facts_are_null(service):
    service.serve_dining(serving(), serving(2, "Soup"), facts={2: facts()})
    live_collection(service.database, "recipes").update_one({"_id": 2}, {"$set": {"facts": {"as_of": "2026-11-20"}}})

    assert service.app.get(PATH).json == facts_row()
    # Stored by another version, without the other fields.
    assert service.app.get("/dining/recipes/2/facts").json == facts_row(id=2, name="Soup", as_of="2026-11-20")


def test_all_known_facts_are_listed_by_id_in_whatever_order_they_are_stored(service):
    service.serve_dining(serving(), serving(2, "Soup"), serving(1, "Rice"), facts={31001: facts(), 1: facts()})
    reverse(live_collection(service.database, "recipes"))

    rows = service.app.get("/dining/facts").json

    assert [row["id"] for row in rows] == [1, 31001]
    assert rows == [service.app.get(f"/dining/recipes/{row['id']}/facts").json for row in rows]
    lines = service.app.get("/dining/recipes.csv").text.splitlines()
    assert [line.split(",")[0] for line in lines] == ["id", "1", "2", "31001"]


def test_facts_of_several_recipes_are_listed_but_for_those_that_have_none(service):
    service.serve_dining(*(serving(id_) for id_ in range(5)), facts={id_: facts() for id_ in range(4)})

    rows = service.app.get(f"/dining/facts?recipe=3&recipe=1&recipe=4&recipe={10**40}&_=7").json

    assert [row["id"] for row in rows] == [1, 3]
    assert service.app.get("/dining/facts?recipe=4&recipe=7").json == []
