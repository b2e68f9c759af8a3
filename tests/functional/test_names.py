"""Categories, locations and recipes: the same behaviour three times."""

import pytest

from tests.factories import serving

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
def test_a_list_has_ids_and_names_by_id(dining, kind, rows):
    assert dining.get(f"/dining/{kind}").json == rows


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        ("categories", {"id": 17, "name": "Category 17"}),
        ("locations", {"id": 7, "name": "Hall 7"}),
        ("recipes", {"id": 48006, "name": "Rice"}),
    ],
)
def test_one_is_found_by_its_id(dining, kind, row):
    assert dining.get(f"/dining/{kind}/{row['id']}").json == row


def test_leading_zeros_of_an_id_do_not_matter(dining):
    assert dining.get("/dining/recipes/048006").json == {"id": 48006, "name": "Rice"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("id_", ["999", "rice", "-7", str(2**63), "9" * 5000, "7/name", "7/7"])
def test_what_is_no_id_is_not_found(dining, kind, id_):
    dining.get(f"/dining/{kind}/{id_}", status=404)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_loaded_is_an_empty_list(service, kind):
    assert service.app.get(f"/dining/{kind}").json == []


@pytest.mark.parametrize("query", ["name=zzz", "%FF=%FF", "id=7", "meal=lunch"])
def test_a_query_does_not_change_a_list(dining, query):
    assert dining.get(f"/dining/locations?{query}").json == dining.get("/dining/locations").json


def test_the_last_name_of_a_number_that_was_used_again_counts(service):
    service.serve_dining(serving(1, "New", date="2026-11-20"), serving(1, "Old", date="2010-08-25"))

    assert service.app.get("/dining/recipes/1").json == {"id": 1, "name": "New"}
