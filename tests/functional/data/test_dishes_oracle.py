"""Dishes without allergens compared with a brute-force implementation of their rule."""

from itertools import combinations
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import US_ALLERGENS, facts, serving

LISTED = ["Eggs", "Milk", "Tree Nuts", "wheat", "Nobody knows"]
# What each query avoids.
WORDS = {
    **{word: {word.lower()} for word in ("Eggs", "MILK", "tree nuts", "wheat", "fish", "celery")},
    "egg": {"eggs"},
    "Nuts": {"peanuts", "tree nuts"},
}
# By recipe; no allergens are unknown ones.
ALLERGENS = dict(enumerate(listed or None for length in range(4) for listed in combinations(LISTED, length)))


@pytest.fixture
def app(service):
    known = {recipe: facts(allergens=listed, ingredients=None) for recipe, listed in ALLERGENS.items()}
    service.serve_dining(*(serving(recipe, f"Dish {recipe}") for recipe in ALLERGENS), facts=known)
    return service.app


@given(query=st.lists(st.sampled_from([*WORDS]), min_size=1, max_size=3))
def test_only_dishes_known_to_be_without_all_allergens_match(app, query):
    avoided = set().union(*(WORDS[text] for text in query))
    expected = [
        recipe
        for recipe, listed in ALLERGENS.items()
        if listed and "Nobody knows" not in listed and avoided <= US_ALLERGENS - {each.lower() for each in listed}
    ]

    dishes = app.get("/dining/dishes?" + urlencode({"without": query}, doseq=True)).json

    assert [dish["recipe"] for dish in dishes] == expected
