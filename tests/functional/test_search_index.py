"""How a search goes through a real MongoDB: what it examines."""

import pytest

from campus_api.db.revisions import RevisionMonitor
from campus_api.db.stores import Stores
from loaders.publishing.plan import plan_buildings
from loaders.publishing.publish import publish
from tests.factories import building

WORDS = ["Oak", "Library", "Hall", "Garden", "Café"]
FEW = list(range(980, 1000))
INDEX = "IXSCAN { search.trigrams: 1 }"


@pytest.fixture
def asked(mongod_database):
    """Search 1,000 buildings, 20 of them in Wigglesworth Hall; return the ids, and the plans and documents of all."""
    many = [building(id_, name=" ".join(WORDS[id_ // step % 5] for step in (1, 5, 25))) for id_ in range(980)]
    few = [building(id_, name="Wigglesworth Hall", address=f"{id_} Oak Lane") for id_ in range(980, 1000)]
    publish(mongod_database, plan_buildings(mongod_database, many + few), [])
    store = Stores(mongod_database, RevisionMonitor(mongod_database)).buildings
    store.get(1)
    mongod_database.command("profile", 2)

    def asked(**texts):
        ids = [row["id"] for row in store.search(**texts)]
        queries = list(mongod_database.system.profile.find({"ns": f"{mongod_database.name}.buildings_1"}))
        return ids, {query["planSummary"] for query in queries}, sum(query["docsExamined"] for query in queries)

    yield asked
    mongod_database.command("profile", 0)


@pytest.mark.parametrize(
    "texts",
    [
        {"name": ["wigglesworth"]},
        {"name": ["gle"]},
        {"name": ["GLÉSWORTH HALL"]},
        {"name": ["rth ha"]},
        {"name": ["wigglesworth hall"]},
        {"address": ["oak lane"]},
    ],
)
def test_a_text_of_three_characters_or_more_examines_what_it_finds(asked, texts):
    assert asked(**texts) == (FEW, {INDEX}, len(FEW))


@pytest.mark.parametrize(
    "texts",
    [
        {"name": ["gle", "zzz"]},
        {"name": [*(f"{number}nowhere" for number in range(36)), "wigglesworth"]},
        {"name": ["wiggles"], "address": ["oak"]},
        {"name": ["hall"], "address": ["oak lane"]},
        {"name": ["h"], "address": ["k lane", "oak lane"]},
        {"name": ["hall", "zzz"], "address": ["k lane", "oak lane", "yyy"]},
    ],
)
def test_alternatives_and_both_fields_examine_what_they_find(asked, texts):
    assert asked(**texts) == (FEW, {INDEX}, len(FEW))


@pytest.mark.parametrize("after", ["garden oak library", "wigglesworth hall"])
def test_a_search_examines_the_same_whatever_was_searched_before(asked, mongod_database, after):
    for _ in range(5):
        asked(name=[after])
    before = asked(name=[after])[2]

    assert asked(name=["wigglesworth"])[2] - before == len(FEW)


@pytest.mark.parametrize("text", ["ks", "t ", " l", "  "])
def test_a_short_text_tries_every_building(asked, text):
    _, plans, examined = asked(name=["wigglesworth", text])

    assert (plans, examined) == ({"COLLSCAN"}, 1000)


@pytest.mark.parametrize("texts", [["hall"], ["wigglesworth", "library"], ["zzz", "garden", "café", "oak"]])
def test_texts_in_many_buildings_try_every_building(asked, texts):
    _, plans, examined = asked(name=texts)

    assert (plans, examined) == ({"COLLSCAN"}, 1000)


def test_all_buildings_are_read_without_an_index(asked):
    ids, plans, _ = asked()

    assert (ids, plans) == (list(range(1000)), {"COLLSCAN"})
