from itertools import permutations

from loaders.documents.encode import MenuDocuments
from loaders.documents.entities import EntityDocuments
from tests.factories import TODAY, serving


def names_in(*named):
    """Return the names of recipes for servings with these dates, ids and names."""
    names = MenuDocuments(serving(id_, name, date=date) for date, id_, name in named).names("recipe")
    documents = EntityDocuments(names, {})
    return [(id_, document["name"]) for id_, document in documents.items()]


def test_the_last_name_of_the_last_date_wins_whatever_the_order_of_dates():
    named = [("2024-05-01", 1, "Soup"), ("2026-01-31", 1, "Stew"), ("2025-12-31", 1, "Broth")]

    assert [names_in(*order) for order in permutations(named)] == [[(1, "Stew")]] * 6
    assert names_in(("2026-01-31", 1, "Soup"), *named) == [(1, "Stew")]


def test_each_id_has_one_name_in_the_order_of_ids():
    named = [(TODAY, id_, name) for id_, name in [(10, "Rice"), (9, "Soup"), (10, "Rice"), (1, "Soup")]]

    assert names_in(*named) == [(1, "Soup"), (9, "Soup"), (10, "Rice")]
    assert names_in() == []
