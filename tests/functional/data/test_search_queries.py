"""How often the search finds what people mean, with the sample data: the table of queries is search_queries.toml."""

import tomllib
from pathlib import Path

from loaders.samples import load_samples
from tests.factories import TODAY

QUERIES = tomllib.loads(Path(__file__).with_name("search_queries.toml").read_text(encoding="utf-8"))


def test_the_first_results_are_what_people_mean(service):
    load_samples(service.database, TODAY)
    service.revisions.poll()

    for kind, queries in QUERIES.items():
        missed = {1: [], 3: []}
        for query, names in queries.items():
            results = [row["name"] for row in service.app.get("/search", {"q": query}).json]
            for count, missing in missed.items():
                if not set(names).intersection(results[:count]):
                    missing.append((query, results[:count]))

        assert missed[3] == [], kind
        assert len(missed[1]) <= len(queries) * 0.12, kind
