"""Menus compared with a brute-force implementation of the specification."""

import random
from operator import itemgetter
from urllib.parse import urlencode

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.factories import TODAY, row, serving

DATES = [TODAY, "2026-11-21", "2026-11-22"]
SERVED = [
    {"date": date, "meal": meal, "location": location, "category": category, "recipe": recipe}
    for date in DATES[:2]
    for meal in range(3)
    for location in (7, 30)
    for category, recipe in ((1, 100), (1, 101), (2, 100), (2, 102 + meal))
]
VALUES = {
    "date": st.sampled_from(DATES),
    "meal": st.integers(0, 3),
    "location": st.sampled_from([7, 8, 30]),
    "category": st.integers(1, 3),
    "recipe": st.integers(99, 105),
}
# Exports are not sorted.
EXPORTED = random.Random(2026).sample(SERVED, len(SERVED))
lists = {name: st.lists(of, min_size=1, max_size=3) for name, of in VALUES.items()}
queries = st.fixed_dictionaries({}, optional=lists)


@pytest.fixture
def app(service):
    service.serve_dining(*(serving(**item) for item in EXPORTED))
    return service.app


@given(query=queries)
# More values than are compared with each row.
@example(query={"date": DATES[1::-1], "location": list(range(200)), "recipe": list(range(101, 300))})
def test_menus_match_the_specification(app, query):
    filters = {"date": [TODAY], **query}
    matching = [item for item in EXPORTED if all(item[name] in values for name, values in filters.items())]
    expected = [row(**item) for item in sorted(matching, key=itemgetter("date", "meal", "location"))]

    response = app.get("/dining/menus?" + urlencode(query, doseq=True))

    assert response.json == expected
