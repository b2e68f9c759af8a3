"""The menus against a brute-force reading of the specification."""

from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
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
queries = st.fixed_dictionaries(
    {}, optional={name: st.lists(of, min_size=1, max_size=3) for name, of in VALUES.items()}
)


@pytest.fixture
def app(service):
    service.serve_dining(*(serving(**item) for item in SERVED))
    return service.app


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=queries)
def test_menus_answer_what_the_specification_says(app, query):
    wanted = {"date": [TODAY], **query}
    expected = [row(**item) for item in SERVED if all(item[name] in values for name, values in wanted.items())]

    answer = app.get("/dining/menus?" + urlencode(query, doseq=True))

    assert answer.json == expected
