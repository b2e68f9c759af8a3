"""Categories, locations and recipes: the same behaviour three times."""

import pytest

from tests.factories import serving
from tests.loaders.live import live_collection

KINDS = ["categories", "locations", "recipes"]


@pytest.fixture
def dining(service):
    service.serve_dining(
        serving(48006, "Rice", location=30, category=17),
        serving(31001, "Kashi Pilaf", location=7, category=2),
    )
    return service.app


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("categories", [{"id": 2, "name": "Category 2"}, {"id": 17, "name": "Category 17"}]),
        ("locations", [{"id": 7, "name": "Hall 7"}, {"id": 30, "name": "Hall 30"}]),
        ("recipes", [{"id": 31001, "name": "Kashi Pilaf"}, {"id": 48006, "name": "Rice"}]),
    ],
)
def test_a_list_has_ids_and_names_sorted_by_id(dining, kind, rows):
    assert dining.get(f"/dining/{kind}").json == rows


@pytest.mark.parametrize("kind", KINDS)
def test_a_list_is_sorted_in_whatever_order_it_is_stored(service, kind):
    service.serve_dining(*(serving(id_, location=id_, category=id_) for id_ in (1, 2)))
    stored = live_collection(service.database, kind)

    stored.insert_one(stored.find_one_and_delete({"_id": 1}))

    assert [row["id"] for row in service.app.get(f"/dining/{kind}").json] == [1, 2]


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        ("categories", {"id": 17, "name": "Category 17"}),
        ("locations", {"id": 7, "name": "Hall 7"}),
        ("recipes", {"id": 48006, "name": "Rice"}),
    ],
)
def test_an_entity_is_returned_by_its_id(dining, kind, row):
    assert dining.get(f"/dining/{kind}/{row['id']}").json == row


def test_leading_zeros_of_an_id_are_ignored(dining):
    assert dining.get("/dining/recipes/048006").json == {"id": 48006, "name": "Rice"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("id_", ["999", "rice", "-7", str(2**63), "9" * 5000, "7/name", "7/7"])
def test_invalid_and_unknown_ids_return_404(dining, kind, id_):
    dining.get(f"/dining/{kind}/{id_}", status=404)


@pytest.mark.parametrize("kind", KINDS)
def test_a_list_is_empty_before_the_first_load(service, kind):
    assert service.app.get(f"/dining/{kind}").json == []


@pytest.mark.parametrize("query", ["name=zzz", "%FF=%FF", "id=7", "meal=lunch"])
def test_query_parameters_of_a_list_are_ignored(dining, query):
    assert dining.get(f"/dining/locations?{query}").json == dining.get("/dining/locations").json


def test_a_reused_number_has_its_latest_name(service):
    service.serve_dining(serving(1, "New", date="2026-11-20"), serving(1, "Old", date="2010-08-25"))

    assert service.app.get("/dining/recipes/1").json == {"id": 1, "name": "New"}
