"""How often the search finds what people mean, with the sample data: the table of queries is search_queries.toml."""

import tomllib
from pathlib import Path

import pytest

from loaders.samples import load_samples
from tests.factories import TODAY
from tests.functional.service import Service

QUERIES = tomllib.loads(Path(__file__).with_name("search_queries.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def app(uri):
    samples = Service(uri)
    load_samples(samples.database, TODAY)
    samples.revisions.poll()
    yield samples.app
    samples.close()


@pytest.mark.parametrize("kind", QUERIES)
def test_the_first_results_are_what_people_mean(app, kind):
    missed = {1: [], 3: []}
    for query, names in QUERIES[kind].items():
        found = [row["name"] for row in app.get("/search", {"q": query}).json]
        for count, queries in missed.items():
            if not set(names).intersection(found[:count]):
                queries.append((query, found[:count]))

    assert missed[3] == []
    assert len(missed[1]) <= len(QUERIES[kind]) * 0.12
