"""Dishes compared with a brute-force implementation of their rules."""

import random
from urllib.parse import urlencode

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from campus_api.domain.models import ImpliedLabel, Label
from tests.factories import TODAY, facts, serving

# That a dish is vegetarian, another label says.
LABELS = {"VGN": ("vegan", ["VGT"]), "VGT": ("vegetarian", []), "LOC": (None, []), "Vegan": ("Local", ["LOC"])}
ALLERGENS = ["Eggs", "Milk", "Tree Nuts", "wheat", "Nobody knows"]
# The words of names in queries.
WORDS = {
    **{name: {name.lower()} for name in ("Eggs", "Milk", "MILK", "Tree Nuts", "tree nuts", "wheat", "Wheat", "fish")},
    "egg": {"eggs"},
    "Nuts": {"peanuts", "tree nuts"},
    "celery": {"celery"},
}
STATED = {"crustaceans", "eggs", "fish", "milk", "peanuts", "sesame", "soy", "tree nuts", "wheat"}
RANDOM = random.Random(2026)
DATES = [TODAY, "2026-11-21"]
# None: nothing is known of the recipe.
RECIPES = {
    recipe: None
    if recipe % 7 == 0
    else (
        RANDOM.sample(["VGN", "LOC", "Vegan"], RANDOM.randrange(4)) or None,
        sorted(RANDOM.sample(ALLERGENS, RANDOM.randrange(4))) or None,
    )
    for recipe in range(100, 130)
}
SERVED = [
    {"date": date, "meal": meal, "location": location, "category": category, "recipe": recipe}
    for date in DATES
    for meal in range(3)
    for location in (5, 7, 30)
    for category in (1, 2)
    for recipe in RANDOM.sample(list(RECIPES), 4)
]
# Exports are not sorted.
EXPORTED = RANDOM.sample(SERVED, len(SERVED))
TERMS = {
    "label": [*LABELS, "vegetarian", "VEGETARIAN", "local", "loc", "Vgn", "halal", "veg", "LABEL"],
    "without": [*WORDS, "Nobody knows", "gluten free", "Milk, Eggs"],
}
VALUES = {
    "date": st.sampled_from([*DATES, "2026-11-22"]),
    "meal": st.integers(0, 3),
    "location": st.sampled_from([5, 7, 8, 30]),
    "category": st.integers(1, 3),
    "recipe": st.integers(99, 131),
    **{name: st.sampled_from(texts) for name, texts in TERMS.items()},
}
queries = st.fixed_dictionaries(
    {}, optional={name: st.lists(of, min_size=1, max_size=3) for name, of in VALUES.items()}
)


def label(code):
    name, implied = LABELS[code]
    return Label(code, name, tuple(ImpliedLabel(each, LABELS[each][0]) for each in implied))


@pytest.fixture
def app(service):
    known = {
        recipe: facts(
            labels=labels and tuple(map(label, labels)), allergens=allergens and tuple(allergens), ingredients=None
        )
        for recipe, (labels, allergens) in ((id_, each) for id_, each in RECIPES.items() if each)
    }
    service.serve_dining(*(serving(name=f"Dish {item['recipe']}", **item) for item in EXPORTED), facts=known)
    return service.app


def is_known(parameter, text):
    if parameter == "without":
        return text in WORDS
    return text.lower() in [each.lower() for each in [*LABELS, *(name for name, _ in LABELS.values() if name)]]


def contents(allergens):
    """Return the words of what is listed, None if it is unknown."""
    return None if not allergens or "Nobody knows" in allergens else {each.lower() for each in allergens}


def has_label(codes, contained, text):
    """Return whether one of these labels, or one that it implies, has this code or name and is not contradicted."""
    contradicted = {"VGN", "Vegan"} if contained & {"eggs", "milk"} else set()
    all_codes = {each for code in codes or [] for each in (code, *LABELS[code][1])} - contradicted
    return any(text.lower() in (code.lower(), (LABELS[code][0] or code).lower()) for code in all_codes)


def suits(recipe, query):
    labels, allergens = RECIPES[recipe] or (None, None)
    contained = contents(allergens)
    if "label" in query and not any(has_label(labels, contained or set(), text) for text in query["label"]):
        return False
    if "without" not in query:
        return True
    avoided = set().union(*(WORDS[text] for text in query["without"]))
    return contained is not None and avoided <= STATED - contained


def expected_dishes(query):
    """Return the key and the locations of each dish, in order."""
    filters = {"date": [TODAY], **{name: values for name, values in query.items() if name not in TERMS}}
    rows = [item for item in EXPORTED if all(item[name] in values for name, values in filters.items())]
    dishes = {}
    for row in sorted(rows, key=lambda item: (item["date"], item["meal"], item["location"])):
        if suits(row["recipe"], query):
            key = row["date"], row["meal"], row["category"], row["recipe"]
            dishes.setdefault(key, []).append(row["location"])
    return list(dishes.items())


@given(query=queries)
@example(query={"label": ["vGT"]})
@example(query={"label": ["VEGETARIAN", "loc"], "without": ["Milk"]})
@example(query={"without": ["Nuts", "tree nuts"]})
def test_dishes_match_their_rules(app, query):
    url = "/dining/dishes?" + urlencode(query, doseq=True)
    unknown = {(name, text) for name in TERMS for text in query.get(name, []) if not is_known(name, text)}

    response = app.get(url, status="*")

    if unknown:
        assert response.status_int == 400
        assert {(error["parameter"], error["value"]) for error in response.json["errors"]} == unknown
        return
    dishes = [
        ((dish["date"], dish["meal"], dish["category"], dish["recipe"]), dish["locations"]) for dish in response.json
    ]
    assert dishes == expected_dishes(query)
    assert all((dish["facts"] is None) == (RECIPES[dish["recipe"]] is None) for dish in response.json)
